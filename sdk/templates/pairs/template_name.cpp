#include <algorithm>

#include "semblance/pairs.hpp"
#include "semblance/plugin.hpp"

namespace plugin {
using namespace semblance;

/// Pairs each row with the rows that follow it: few pairs, which involve all rows.
class TemplateNamePairs final : public semblance::Pairs {
 public:
  static Declaration<TemplateNamePairs> declare() {
    return Declaration<TemplateNamePairs>("pairs/template_name",
                                          "Each row with the rows that follow it")
        .parameter("following", &TemplateNamePairs::following_, "number of rows after it",
                   at_least(1), at_most(10'000))
        .documentation(
            "Trains on pairs of training rows and tests on pairs of test rows. Fewer rows follow "
            "the last ones.")
        .complexity("12 bytes per pair")
        .example(R"(
          glyphs: {is: source/glyphs}
          hog:    {is: feature/hog, cell: 4, from: glyphs}
          x:      {is: normalizer/mean_norm, from: hog}
          mine:   {is: pairs/template_name, from: glyphs}
          svm:    {is: solver/pairwise_svm, from: x, pairs: mine}
          test:   {is: evaluator/verification, from: svm})");
  }

  PairSelection select(const PairExamples& examples, Context& context) override {
    PairSelection selection;
    selection.train = within(examples, 0, examples.train_rows, context);
    selection.test = within(examples, examples.train_rows, examples.labels.size(), context);
    return selection;
  }

 private:
  PairSet within(const PairExamples& examples, std::size_t begin, std::size_t end,
                 const Context& context) const {
    std::vector<Pair> pairs;
    for (std::size_t i = begin; i < end; ++i) {
      context.check_stop();
      const std::size_t last = std::min(end, i + 1 + static_cast<std::size_t>(following_));
      for (std::size_t j = i + 1; j < last; ++j) {
        const std::int32_t a = examples.labels[i], b = examples.labels[j];
        const std::int32_t label = a < 0 || b < 0 ? 0 : a == b ? 1 : -1;
        pairs.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), label});
      }
    }
    return PairSet::listed(std::move(pairs));
  }

  std::int64_t following_ = 20;
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNamePairs)
