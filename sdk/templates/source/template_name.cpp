#include <cmath>
#include <numbers>

#include "semblance/plugin.hpp"
#include "semblance/source.hpp"

namespace plugin {
using namespace semblance;

/// Points in memory. A data set from a file would store its values in their compact form and
/// convert them in read().
class Points final : public Dataset {
 public:
  explicit Points(Outline outline) : outline_(std::move(outline)) {}

  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return labels_; }
  void read(std::size_t first, MutableMatrixView out) const override {
    for (std::size_t i = 0; i < out.rows; ++i)
      for (std::size_t j = 0; j < 2; ++j) out.row(i)[j] = values_[2 * (first + i) + j];
  }
  std::size_t bytes() const noexcept override {
    return values_.size() * sizeof(float) + labels_.size() * sizeof(std::int32_t);
  }

  void add(double x, double y, std::int32_t label) {
    values_.push_back(static_cast<float>(x));
    values_.push_back(static_cast<float>(y));
    labels_.push_back(label);
  }

 private:
  Outline outline_;
  std::vector<float> values_;
  std::vector<std::int32_t> labels_;
};

/// Generated points of the plane on two spirals that wind around each other.
class TemplateNameSource final : public semblance::Source {
 public:
  static Declaration<TemplateNameSource> declare() {
    return Declaration<TemplateNameSource>("source/template_name",
                                           "Generated points on two spirals, one per class")
        .parameter("train", &TemplateNameSource::train_, "training rows", at_least(2),
                   at_most(1'000'000))
        .parameter("test", &TemplateNameSource::test_, "test rows", at_least(0), at_most(1'000'000))
        .parameter("turns", &TemplateNameSource::turns_, "turns of each spiral", above(0))
        .parameter("noise", &TemplateNameSource::noise_,
                   "standard deviation of the noise; the spirals end at radius 1", at_least(0))
        .gives(LayoutKind::vector)
        .random()
        .documentation("The spirals wind around each other.")
        .complexity("memory: 12 bytes per row")
        .example(R"(
          mine: {is: source/template_name}
          svm:  {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 20}, C: 10, from: mine}
          test: {is: evaluator/classification, from: svm})");
  }

  Outline outline(Context&) const override {
    return {Layout::vector(2),
            static_cast<std::size_t>(train_),
            static_cast<std::size_t>(test_),
            {"first", "second"}};
  }

  std::unique_ptr<Dataset> open(Context& context) const override {
    auto points = std::make_unique<Points>(outline(context));
    Random random = context.random();
    for (std::int64_t i = 0; i < train_ + test_; ++i) {
      if (i % 1000 == 0) context.check_stop();
      const auto label = static_cast<std::int32_t>(i % 2);
      const double along = std::sqrt(random.uniform());  // evenly dense
      const double angle = 2 * std::numbers::pi * turns_ * along + std::numbers::pi * label;
      points->add(along * std::cos(angle) + noise_ * random.normal(),
                  along * std::sin(angle) + noise_ * random.normal(), label);
    }
    return points;
  }

 private:
  std::int64_t train_ = 600;
  std::int64_t test_ = 400;
  double turns_ = 1.5;
  double noise_ = 0.02;
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameSource)
