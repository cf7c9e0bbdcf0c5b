// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "semblance/solver.hpp"
#include "semblance_numerics/convergence.hpp"
#include "semblance_numerics/row_cache.hpp"

namespace semblance::numerics {

/// Kernel values between variables that are cheaper to compute than to store.
class DirectKernel {
 public:
  virtual ~DirectKernel() = default;
  /// out[k] = K(variable, others[k])
  virtual void values(std::uint32_t variable, std::span<const std::uint32_t> others,
                      float* out) const = 0;
  /// sums[j] += sum_r factors[r] K(variables[r], j) for all variables j, with the same bits for any
  /// number of threads.
  virtual void add(std::span<const std::uint32_t> variables, std::span<const double> factors,
                   std::span<double> sums, Context& context) const = 0;
};

/// The dual of a kernel machine with a bias that is not regularized:
/// min 1/2 b'Kb - p'b with a given sum of all b and b_i between 0 and y_i C_i. The machine
/// minimizes 1/2 |w|^2 + bias * (sum of all b) + sum C_i max(0, y_i (p_i - f(x_i))).
///
/// - p = y, sum 0: the hinge loss of two classes; with b = y alpha LIBSVM's C-SVC.
/// - Two variables for each row, p = target - epsilon with y = 1 and p = target + epsilon with
///   y = -1, sum 0: the epsilon-insensitive loss, LIBSVM's epsilon-SVR.
/// - y = 1, p = 0, sum nu n: LIBSVM's one-class machine.
///
/// The variables are one or two ranges of the kernel matrix's rows, one after the other; a row's
/// columns of each range have their own cache, so that problems can share it.
struct DualProblem {
  std::vector<Range> parts;              ///< the variables: rows of the kernel matrix
  RowCache* rows[2][2] = {};             ///< rows of part p, columns of part q
  const DirectKernel* direct = nullptr;  ///< replaces `rows`, with a single part
  std::vector<signed char> labels;       ///< y: +1 or -1
  std::vector<double> costs;             ///< C_i, 0 or more
  std::vector<double> linear = {};       ///< p; empty: y
  /// The starting point, which decides the sum of all b; empty: 0. Not with a direct kernel.
  std::vector<double> start = {};
  /// Both ranges are the same rows of the kernel matrix, and all `rows` the same cache. Gradients
  /// of the second range are computed from those of the first.
  bool mirrored = false;

  std::size_t size() const noexcept { return labels.size(); }
};

struct DualOptions {
  double tolerance = 1e-3;        ///< of the most violating pair, as LIBSVM's eps
  std::size_t most_steps = 0;     ///< pair steps
  std::size_t working_set = 512;  ///< variables optimised at once, at least 4
  /// The number of working set variables whose kernel rows are stored from round to round, in
  /// separate memory. Other rows are fetched again when needed, `fetched_rows` at a time. By
  /// default all rows stay in the cache's memory. This affects time only: the bits are the same.
  std::optional<std::size_t> held_rows = {};
  std::size_t fetched_rows = 64;
  /// The number of pair steps in a working set after which its free variables are moved together,
  /// by Newton's method, before further pair steps; 0: never. It saves steps if C is large and the
  /// kernel nearly singular, as for samples with few columns, where hundreds of variables are free.
  std::size_t pairs_before_newton = 0;
  /// Whether to record the violation from round to round, in DualSolution::history.
  bool history = false;
  /// Whether to return the gradients, in DualSolution::gradients.
  bool gradients = false;
  /// The largest relative_gap() of a solution called converged. The violation is in the units of
  /// f, and says nothing about the objective where C is large.
  double gap = 1e-3;
  /// Called after each working set.
  std::function<void(std::size_t round, double violation)> after_round = {};
};

struct DualSolution {
  std::vector<double> coefficients;  ///< b
  /// LIBSVM's, or, where the objective with that does not meet DualOptions::gap, the one that
  /// minimizes the objective.
  double bias = 0;
  double dual = 0;  ///< 1/2 b'Kb - p'b: LIBSVM's sign, so minus the primal at the optimum
  /// The least objective known of any machine: of f with the bias, or, where that does not meet
  /// DualOptions::gap, of t w with the best t and bias. The optimum lies between -dual and this.
  double primal = 0;
  /// An error of d in all f, up to the tolerance, adds at most d times this to primal + dual.
  double sensitivity = 0;
  /// Of the hinge loss: half the distance of the classes' values where f separates them; else 0.
  double margin = 0;
  double squared_norm = 0;   ///< |w|^2 = b'Kb
  double violation = 0;      ///< of the most violating pair, over all variables
  double rounding = 0;       ///< possible error of gradients, and so of `violation`, at the end
  double largest_value = 0;  ///< on the kernel's diagonal, of all variables that have entered
  std::size_t steps = 0;
  std::size_t rounds = 0;   ///< working sets solved
  std::size_t vectors = 0;  ///< b_i != 0
  std::size_t bounded = 0;  ///< |b_i| = C_i
  /// The variable in each slot of the last working set, or -1.
  std::vector<std::int64_t> working_set = {};
  Certificate certificate = Certificate::converged;
  /// If DualOptions::history: the violations over the working sets, as Convergence records them.
  std::vector<ConvergencePoint> history = {};
  /// If DualOptions::gradients: K b - p at all variables.
  std::vector<double> gradients = {};
};

/// The possible distance, due to rounding, of a coefficient from the bound that it should be at.
double rounding_at_bounds(std::span<const double> coefficients);

/// Solves the dual by working sets of hundreds of variables. Each round, the worst violators
/// outside of the set, an eighth to a quarter of its size, replace satisfied variables at a bound.
/// The set is solved by pair steps, then the gradient of all variables is updated, in double. The
/// bits do not depend on the threads. A stop request ends it with the best solution so far. It has
/// converged if the largest violation is below the tolerance, rounding cannot hide a larger one,
/// and the relative duality gap is at most DualOptions::gap: until then it continues to smaller
/// violations. Throws Error if gradients overflow.
DualSolution solve(const DualProblem& problem, const DualOptions& options, Context& context);

/// Where a DualSolver starts.
struct DualState {
  std::vector<double> values, gradients;  ///< of all variables
  std::vector<std::int64_t> working_set;  ///< the variable in each slot, or -1
  double largest_value = 0;  ///< on the kernel's diagonal, of all in `values`; 0: unknown
  std::size_t steps = 0;
  std::size_t rounds = 0;
};

/// The duality gap, primal + dual, as a share of the larger of both: no machine's objective is
/// smaller by more. For the functions, 1/2 |w - w*|^2 is at most the gap.
double relative_gap(const DualSolution& solution) noexcept;

/// Adds to a solution's gap what an error of `apart` in all f may add, in the unit of the tolerance
/// and of `sensitivity`; of classes that f separates by more, at most as much as the machine w
/// times the factor that makes all losses 0 whatever the errors. It is not converged if its gap is
/// then too large.
void allow_error(double apart, const DualOptions& options, DualSolution& solution);

/// Recomputes the figures of a solution from its coefficients and these gradients of all variables,
/// for gradients that are more accurate than the solver's float32 kernel values allow. Uses
/// everything of the problem but its kernel rows; `gap` as in DualOptions. `scaled`: whether the
/// primal may be that of t w.
void take_gradients(const DualProblem& problem, std::span<const double> gradients, double gap,
                    bool scaled, DualSolution& solution);

/// The starting state for a problem that differs little from a solved one: the solution with its
/// last working set. The solution must be feasible, and `gradients` those of the new problem there:
/// K b - p for all variables. Rounds count from 1.
DualState warm_start(const DualSolution& solution, std::vector<double> gradients);

/// solve() in pieces, and from a starting point. A pause changes no bit.
class DualSolver {
 public:
  /// The problem and the options must outlive it.
  DualSolver(const DualProblem& problem, const DualOptions& options, Context& context);
  ~DualSolver();
  DualSolver(const DualSolver&) = delete;
  DualSolver& operator=(const DualSolver&) = delete;

  /// Starts at a feasible point with the problem's gradients there. Call it before advance().
  /// Returns whether the state fits; if not, the solver starts from the beginning.
  bool resume(const DualState& state);

  /// Runs until the problem is solved, or until `pause` returns true, which is called after each
  /// working set. Returns whether it is done.
  bool advance(const std::function<bool()>& pause = {});

  /// The current objective 1/2 b'Kb - p'b, which never grows from round to round.
  double dual() const;

  /// Moves out the solution; once, when it is done.
  DualSolution take();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// A sentence that says why a solution whose violation is below the tolerance is still not called
/// converged, and what to do; empty if it is.
std::string doubt(const DualSolution& solution, double tolerance, double gap);

/// Throws Error if the objective is not finite, or if a solution called converged has an objective
/// that no feasible point can have if the losses of the function 0 are `losses`: as the kernel is
/// positive semi-definite, |w|^2 is not negative and the dual not below -losses. For two classes
/// these are sum C_i.
void check_objective(const DualSolution& solution, double losses);

/// The violation of a variable's optimality conditions, given its |b_i|, C_i, and y_i f(x_i). It is
/// infinite if the margin is NaN. A variable is at a bound if only rounding can have kept it away:
/// where the costs of both classes have the same sum, all variables are, but their sum rounds.
inline double optimality_violation(double magnitude, double cost, double margin) noexcept {
  if (std::isnan(margin)) return std::numeric_limits<double>::infinity();
  const double rounding = 1e-8 * cost;
  double violation = 0;
  if (magnitude < cost - rounding && margin < 1) violation = 1 - margin;
  if (magnitude > rounding && margin > 1) violation = margin - 1;
  return violation;
}

/// The allowed excess of a violation, evaluated by the kernel's definition, over the violation in
/// training: a tenth of the margin at which the loss begins.
inline constexpr double largest_excess = 0.1;

/// Throws Error: a random subset of variables violates the conditions by `violation`.
[[noreturn]] void throw_false_certificate(double violation, double seen);

/// Bytes that solve() needs in addition to the caches and the kernel rows of the working set.
std::size_t solve_bytes(std::size_t variables, std::size_t working_set) noexcept;

}  // namespace semblance::numerics
