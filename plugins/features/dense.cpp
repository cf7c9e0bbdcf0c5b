// SPDX-License-Identifier: MIT
#include <algorithm>

#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"
#include "semblance/formula.hpp"

namespace semblance::features {
namespace {

/// Sparse vectors with their zeros.
class Dense final : public Feature, public Exportable {
 public:
  Layout bind(const Layout& input) override {
    if (input.kind != LayoutKind::sparse)
      throw Error("dense needs sparse vectors, not a " + describe(input) + "; remove it");
    return Layout::vector(input.size());
  }

  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i) {
      const auto columns = in.columns_of(i);
      float* to = out.row(i);
      std::fill_n(to, out.cols, 0.0f);
      for (std::size_t k = 0; k < columns.size(); ++k) to[columns[k]] = in.row(i)[k];
    }
  }

  Formula::Value write(Formula&, Formula::Value in) const override { return in; }

  static Declaration<Dense> declare() {
    return Declaration<Dense>("feature/dense",
                              "Sparse vectors with their zeros, for what needs these")
        .accepts({LayoutKind::sparse})
        .gives(LayoutKind::vector)
        .documentation(
            "Rows stay sparse up to here, and only blocks of them are dense, unless what follows "
            "keeps its rows. 4 bytes per value are then what each row takes.")
        .complexity("4 bytes per value, zeros included")
        .inexpensive()
        .example(R"(
        words: {is: source/libsvm, path: counts.svm, rows: sparse, test_fraction: 0.3}
        all:   {is: feature/dense, from: words}
        x:     {is: normalizer/zscore, from: all}
        svm:   {is: solver/linear_svm, from: x}
        test:  {is: evaluator/classification, from: svm})");
  }
};

}  // namespace

ComponentEntry declare_dense() { return Dense::declare().entry(); }

}  // namespace semblance::features
