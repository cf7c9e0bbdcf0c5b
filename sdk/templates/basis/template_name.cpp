#include "semblance/basis.hpp"
#include "semblance/plugin.hpp"

namespace plugin {
using namespace semblance;

/// Evenly spaced training samples, starting with the first: representative if the order of the
/// samples has a meaning, such as time.
class TemplateNameBasis final : public semblance::Basis {
 public:
  static Declaration<TemplateNameBasis> declare() {
    return Declaration<TemplateNameBasis>("basis/template_name", "Training rows at even distances")
        .parameter("count", &TemplateNameBasis::count_, "number of rows", at_least(1))
        .complexity("nothing is computed")
        .documentation("An even sample if the order of the rows means something, such as time.")
        .example(R"(
          glyphs: {is: source/glyphs}
          hog:    {is: feature/hog, cell: 4, from: glyphs}
          x:      {is: normalizer/mean_norm, from: hog}
          mine:   {is: basis/template_name, count: 97, from: glyphs}
          rbf:    {is: similarity/rbf, gamma: 1, from: x, bases: mine}
          map:    {is: normalizer/mean_norm, from: rbf}
          svm:    {is: solver/linear_svm, C: 1, from: map}
          test:   {is: evaluator/classification, from: svm})");
  }

  /// uses_rows() is false by default: the samples' values are not used.
  std::vector<std::int64_t> select(const TrainingSet& training, Context&) override {
    const auto rows = static_cast<std::int64_t>(training.rows.rows());
    if (count_ > rows)
      throw Error("count requests " + std::to_string(count_) + " bases, but there are " +
                  std::to_string(rows) + " training rows; lower it or train on more rows");
    std::vector<std::int64_t> chosen;
    for (std::int64_t k = 0; k < count_; ++k) chosen.push_back(k * rows / count_);
    return chosen;
  }

  std::size_t count(std::size_t, std::size_t) const override {
    return static_cast<std::size_t>(count_);
  }

 private:
  std::int64_t count_ = 100;
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameBasis)
