// SPDX-License-Identifier: MIT
#include "linear_svm_sgd.hpp"

namespace semblance::ml3 {

Declaration<LinearSvmSgd> LinearSvmSgd::declare() {
  Declaration<LinearSvmSgd> declaration(
      "solver/linear_svm_sgd", "Linear SVM with the multiclass hinge loss, by gradient descent");
  declare_descent(declaration);
  return declaration
      .documentation(
          "Pegasos on lambda / 2 |W|^2 + mean of max(0, 1 + max over y != y_i of W_y x_i - W_(y_i) "
          "x_i): steps 1 / (lambda (s + 1)) on samples in random order, the projection onto |W|^2 "
          "<= 2 / lambda, and the average of the last epoch's iterates. After a stop request the "
          "reported objective uses the losses that the steps of the last epoch saw. The result "
          "does not depend on the number of threads.")
      .reference("Shalev-Shwartz, Singer, Srebro 2007; Crammer and Singer 2001")
      .complexity("2 rows columns classes operations per epoch")
      .random()
      .distributed()
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        x:      {is: normalizer/mean_norm, from: hog}
        svm:    {is: solver/linear_svm_sgd, lambda: 1e-4, from: x}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace semblance::ml3
