// SPDX-License-Identifier: MIT

#include "descent/sgd_svm.hpp"

namespace semblance::ml3 {
namespace {

/// `solver/linear_svm_sgd`: one linear model per class.
class LinearSvmSgd final : public SgdSvm {
 public:
  LinearSvmSgd() : SgdSvm("scale", "scale") {}

  static Declaration<LinearSvmSgd> declare() {
    Declaration<LinearSvmSgd> declaration(
        "solver/linear_svm_sgd", "Linear SVM with the multiclass hinge loss, by gradient descent");
    declare_descent(declaration);
    return declaration
        .documentation(
            "Pegasos on lambda / 2 |W|^2 + mean of max(0, 1 + max over y != y_i of W_y x_i - "
            "W_(y_i) x_i): steps 1 / (lambda (s + 1)) on samples in random order, the projection "
            "onto |W|^2 <= 2 / lambda, and the average of the last epoch's iterates. After a stop "
            "request the reported objective uses the losses that the steps of the last epoch saw. "
            "The result does not depend on the number of threads.")
        .reference("Shalev-Shwartz, Singer, Srebro 2007; Crammer and Singer 2001")
        .complexity("2 rows columns classes operations per epoch")
        .random()
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        x:      {is: normalizer/mean_norm, from: hog}
        svm:    {is: solver/linear_svm_sgd, lambda: 1e-4, from: x}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  std::size_t models() const override { return 1; }
  void learn_weights(const Problem&, Random&, Context&) override {}
  void weights(MatrixView rows, MutableMatrixView weights) const override {
    for (std::size_t i = 0; i < rows.rows; ++i) weights.row(i)[0] = 1;
  }
};

}  // namespace

ComponentEntry declare_linear_svm_sgd() { return LinearSvmSgd::declare().entry(); }

}  // namespace semblance::ml3
