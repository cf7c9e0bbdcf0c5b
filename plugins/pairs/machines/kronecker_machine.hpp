// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/side_kernels.hpp"
#include "newton/vec_trick.hpp"
#include "semblance/report.hpp"
#include "semblance/samples.hpp"
#include "semblance_numerics/convergence.hpp"

namespace semblance::pairs {

/// Functions of pairs, f_t(c, d) = sum_j a_tj k(a_j, c) g(b_j, d) + intercept, and the two kernels
/// that they are made of. Each kernel has the distinct samples of its side as bases.
class KroneckerMachine : public SideKernels {
 public:
  virtual ~KroneckerMachine();

 protected:
  /// Adds the parameters of this class to the declaration of T.
  template <class T>
  static Declaration<T>& declare_kernels(Declaration<T>& declaration) {
    return declare_sides(declaration, "kernel")
        .parameter("tolerance", &KroneckerMachine::tolerance_,
                   "how far conjugate gradients go: to this share of the initial residual",
                   above(0), below(1))
        .parameter("iterations", &KroneckerMachine::most_iterations_,
                   "the most conjugate gradient steps per system", at_least(1))
        .reports({"first_samples", "number of distinct first samples", FigureUnit::count})
        .reports({"second_samples", "number of distinct second samples", FigureUnit::count});
  }

  /// A learned function and the figures of its training; or those of several: sums, and the longest
  /// course.
  struct Function {
    std::vector<double> coefficients;  ///< of each pair
    double intercept = 0;
    double objective = 0, squared_norm = 0;
    std::size_t iterations = 0;
    bool converged = false, stopped = false;
    std::vector<numerics::ConvergencePoint> course;
  };

  void bind_kernels(const Layout& input);
  std::size_t functions() const noexcept { return intercepts_.size(); }

  /// Computes both kernels of the distinct training samples, which become their bases, learns the
  /// functions 0, 1, ..., count - 1 and reports all of it. Returns their figures. Throws Error if a
  /// kernel is not positive semi-definite.
  Function learn(const TrainingSet& training, std::size_t count, const std::string& remedy,
                 const std::function<Function(VecTrick&, std::size_t)>& fit, Report& report,
                 Context& context);

  /// The values of all functions for each pair: pairs x functions.
  std::vector<double> values(MatrixView in, Context& context) const;

  void save_machine(StateWriter& state) const;
  void load_machine(const StateReader& state, Context& context);

  double tolerance_ = 1e-8;
  std::int64_t most_iterations_ = 2000;

 private:
  /// `check_error` becomes the largest difference of a sample of values from their definition.
  SquareMatrix learn_kernel(Side side, const DistinctParts& samples,
                            std::optional<double>& check_error, Context& context);

  Layout layout_;
  PairIndex pairs_;
  std::vector<std::vector<double>> coefficients_;  ///< functions x pairs
  std::vector<double> intercepts_;
};

}  // namespace semblance::pairs
