// SPDX-License-Identifier: MIT
#include "novelty/novelty_machine.hpp"

namespace semblance::kernel {
namespace {

/// `solver/one_class_svm`: the one-class support vector machine on any similarity measure.
class OneClassSvm final : public NoveltyMachine {
 public:
  OneClassSvm() : NoveltyMachine(NoveltyShape::plane) {}
  static Declaration<OneClassSvm> declare();
};

Declaration<OneClassSvm> OneClassSvm::declare() {
  Declaration<OneClassSvm> declaration(
      "solver/one_class_svm",
      "Learns what samples are usually like: a plane in the space of a similarity (one-class SVM)");
  declaration
      .documentation(
          "Minimizes 1/2 |w|^2 - nu n rho + sum max(0, rho - <w, phi(x)>) in the dual, and scores "
          "a sample by <w, phi(x)> - rho: at least 0 if it is usual, below 0 if it is novel. At "
          "most a share nu of the training rows, by weight, has a score below 0, whatever the "
          "tolerance, and at least a share nu are support vectors: training rows within the "
          "tolerance of the plane are usual, as the threshold is that of the lowest of them; where "
          "more than a share nu are below them, it is lower. The problem, its scale (coefficients "
          "up to 1 with the sum nu n), its starting point and `objective` are LIBSVM's one-class "
          "SVM; a row's weight w bounds its coefficient by w, and n is the sum of the weights.\n\n"
          "It learns from all rows, whatever their class, or, with `normal`, from the rows of one "
          "class. Samples of other classes are then no part of the training, and can test it.\n\n"
          "`tolerance` and `violation` are shares of the mean k(x, x), which is 1 for a Gaussian "
          "kernel, and a duality gap above 0.01 is not called converged whatever the tolerance; so "
          "rows need not be scaled for similarity/linear, whose plane depends on where 0 is, "
          "though: rows far from 0 are all alike to it. Working sets, kernel rows, repairs of "
          "indefinite kernels with `krein`, and checks by the kernel's definition are those of "
          "solver/kernel_svm. The result does not depend on the number of threads.")
      .reference(
          "Schölkopf et al. 2001, equations (3) to (10); Chang, Lin 2011, section 2.3; Fan, Chen, "
          "Lin 2005");
  return with_repair(with_novelty(declaration,
                                  "the mean similarity of a training row to itself, like LIBSVM's "
                                  "eps where that is 1"))
      .gone({.written = "solver/libsvm_one_class",
             .since = "1.0",
             .advice = "solver/one_class_svm reaches the same objective"})
      .example(R"(
        glyphs: {is: source/glyphs}
        x:      {is: feature/hog, cell: 4, from: glyphs}
        usual:  {is: solver/one_class_svm, normal: circle, from: x}
        test:   {is: evaluator/novelty, normal: circle, from: usual})");
}

/// `solver/svdd`: support vector data description, the smallest ball around most samples.
class Svdd final : public NoveltyMachine {
 public:
  Svdd() : NoveltyMachine(NoveltyShape::sphere) {}
  static Declaration<Svdd> declare();
};

Declaration<Svdd> Svdd::declare() {
  Declaration<Svdd> declaration("solver/svdd",
                                "Learns what samples are usually like: the smallest ball around "
                                "most of them (support vector data description)");
  declaration
      .documentation(
          "Minimizes R^2 + 1 / (nu n) sum max(0, |phi(x) - a|^2 - R^2) over the centre a and the "
          "radius R in the dual, min a'Ka - sum a_i k(x_i, x_i) with sum a_i = 1 and 0 <= a_i <= 1 "
          "/ (nu n), whose value is `objective`. It scores a sample by R^2 - |phi(x) - a|^2: at "
          "least 0 if it is within the ball, below 0 if it is novel. At most a share nu of the "
          "training rows, by weight, are outside, whatever the tolerance, and at least a share nu "
          "are support vectors: training rows within the tolerance of the surface are usual, as "
          "the radius is that of the outermost of them. A duality gap above 0.01 is not called "
          "converged, whatever the tolerance. A row's weight multiplies its loss, and n is the sum "
          "of the weights.\n\n"
          "Where all samples are equally similar to themselves, as with a Gaussian kernel, this is "
          "solver/one_class_svm with scores times 2 / (nu n). Otherwise it is not: with "
          "similarity/linear it is a ball around the rows wherever they are, where the one-class "
          "machine is a plane that separates them from 0.\n\n"
          "It learns from all rows, whatever their class, or, with `normal`, from the rows of one "
          "class. The kernel must be positive semi-definite (an indefinite one is refused) and "
          "able to compare a sample with itself. `tolerance` and `violation` are shares of the "
          "mean squared distance of training rows from their centre, times nu n / 2. With "
          "similarity/linear rows are compared about their mean where it is far from 0. The result "
          "does not depend on the number of threads.")
      .reference("Tax, Duin 2004, equations (3) to (14); Chang, Lee, Lin 2013");
  return with_novelty(declaration, "the mean squared distance of training rows from their centre")
      .example(R"(
        glyphs: {is: source/glyphs}
        x:      {is: feature/hog, cell: 4, from: glyphs}
        usual:  {is: solver/svdd, normal: circle, kernel: {is: similarity/linear}, from: x}
        test:   {is: evaluator/novelty, normal: circle, from: usual})");
}

}  // namespace

ComponentEntry declare_one_class_svm() { return OneClassSvm::declare().entry(); }
ComponentEntry declare_svdd() { return Svdd::declare().entry(); }

}  // namespace semblance::kernel
