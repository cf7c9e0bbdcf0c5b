// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/row_feature.hpp"

namespace semblance::features {
namespace {

/// log(x + 1), value by value.
class Log final : public RowFeature, public Exportable {
 public:
  Formula::Value write(Formula& formula, Formula::Value in) const override {
    const auto x = formula.widen(in);
    return formula.narrow(formula.logarithm(formula.add(x, formula.number(1, x))));
  }

  static Declaration<Log> declare() {
    return Declaration<Log>("feature/log", "log(x + 1) of every value")
        .documentation("Keeps the layout. Evens out the brightness of pixels from 0 to 255.")
        .reference("pairwise SVM, section 6.3")
        .complexity("one logarithm per value")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        even:   {is: feature/log, from: glyphs}
        hog:    {is: feature/hog, cell: 4, from: even}
        svm:    {is: solver/linear_svm, from: hog}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  void transform(std::span<const float> in, std::span<float> out) const override {
    for (std::size_t c = 0; c < in.size(); ++c) {
      if (!(in[c] > -1))
        throw Error("value " + std::to_string(c) + " is " + std::to_string(in[c]) +
                    ", but log(x + 1) needs values above -1; connect it to pixels or counts");
      out[c] = std::log1p(in[c]);
    }
  }
};

}  // namespace

ComponentEntry declare_log() { return Log::declare().entry(); }

}  // namespace semblance::features
