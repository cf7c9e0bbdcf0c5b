// SPDX-License-Identifier: MIT
#include <algorithm>

#include "row_kernels.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/row_error.hpp"

namespace semblance::normalizers {
namespace {

/// Does not change rows: a replacement for a normalizer to measure its effect.
class NoNormalizer final : public Normalizer, public Exportable {
 public:
  Layout bind(const Layout& input) override { return input; }
  void fit(const TrainingSet&, Context&) override {}
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  Formula::Value write(Formula&, Formula::Value in) const override { return in; }
  static Declaration<NoNormalizer> declare();
};

void NoNormalizer::apply(MatrixView in, MutableMatrixView out, Context&) const {
  for (std::size_t i = 0; i < in.rows; ++i) {
    check_finite(in.row(i), in.cols, i, RowError::Of::block);
    std::copy_n(in.row(i), in.cols, out.row(i));
  }
}

Declaration<NoNormalizer> NoNormalizer::declare() {
  return Declaration<NoNormalizer>("normalizer/none", "Leaves the rows unchanged")
      .documentation(
          "Concatenates several inputs. In a study of normalizers it is the variant without one.")
      .complexity("one copy")
      .inexpensive()
      .keeps_columns()
      .distributed()
      .example(R"(
        points: {is: source/banana}
        x:      {is: normalizer/none, from: points}  # swap it with --set nodes.x.is=normalizer/zscore
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: x}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_none() { return NoNormalizer::declare().entry(); }

}  // namespace semblance::normalizers
