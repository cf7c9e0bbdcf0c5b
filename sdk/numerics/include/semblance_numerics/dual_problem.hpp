// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "semblance/solver.hpp"
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

/// The dual of a two-class SVM with hinge loss and a bias that is not regularized:
/// min 1/2 b'Kb - y'b with sum b = 0 and b_i between 0 and y_i C_i. With b = y alpha this is
/// LIBSVM's C-SVC.
///
/// The variables are one or two ranges of the kernel matrix's rows, one after the other; a row's
/// columns of each range have their own cache, so that problems can share it.
struct DualProblem {
  std::vector<Range> parts;              ///< the variables: rows of the kernel matrix
  RowCache* rows[2][2] = {};             ///< rows of part p, columns of part q
  const DirectKernel* direct = nullptr;  ///< replaces `rows`, with a single part
  std::vector<signed char> labels;       ///< y: +1 or -1
  std::vector<double> costs;             ///< C_i, 0 or more

  /// In a distributed solution: the rank that owns each variable's gradient. `rows` then have only
  /// the columns of the own variables, in their order, and all ranks fetch alike. Else empty.
  std::vector<std::uint32_t> owners = {};

  std::size_t size() const noexcept { return labels.size(); }
};

struct DualOptions {
  double tolerance = 1e-3;        ///< of the most violating pair, as LIBSVM's eps
  std::size_t most_steps = 0;     ///< pair steps
  std::size_t working_set = 512;  ///< variables optimised at once, at least 4
  bool shrinking = false;         ///< omit variables at a bound that are far from leaving it
  /// The number of working set variables whose kernel rows are stored from round to round, in
  /// separate memory. Other rows are fetched again when needed, `fetched_rows` at a time. By
  /// default all rows stay in the cache's memory. This affects time only: the bits are the same.
  std::optional<std::size_t> held_rows = {};
  std::size_t fetched_rows = 64;
  /// The number of pair steps in a working set after which its free variables are moved together,
  /// by Newton's method, before further pair steps; 0: never. It saves steps if C is large and the
  /// kernel nearly singular, as for samples with few columns, where hundreds of variables are free.
  std::size_t pairs_before_newton = 0;
  /// Called after each working set.
  std::function<void(std::size_t round, double violation)> after_round = {};
};

struct DualSolution {
  std::vector<double> coefficients;  ///< b
  double bias = 0;
  double dual = 0;          ///< 1/2 b'Kb - y'b: LIBSVM's sign, so not positive
  double primal = 0;        ///< 1/2 b'Kb + sum C_i max(0, 1 - y_i f(x_i)), f with the bias
  double squared_norm = 0;  ///< |w|^2 = b'Kb
  double violation = 0;     ///< of the most violating pair, over all variables
  double rounding = 0;      ///< possible error of gradients, and so of `violation`, at the end
  std::size_t steps = 0;
  std::size_t rounds = 0;      ///< working sets solved
  std::size_t shrinkings = 0;  ///< times that variables were omitted
  std::size_t vectors = 0;     ///< b_i != 0
  std::size_t bounded = 0;     ///< |b_i| = C_i
  /// The variable at each place of the last working set, or -1.
  std::vector<std::int64_t> members = {};
  Certificate certificate = Certificate::converged;
};

/// Solves the dual by working sets of hundreds of variables. Each round, the worst violators
/// outside of the set, an eighth to a quarter of its size, replace satisfied variables at a bound.
/// The set is solved by pair steps, then the gradient of all variables is updated, in double. With
/// shrinking, only active variables are updated; the omitted ones catch up before the last test of
/// the stopping rule, which covers all variables. A direct kernel is not shrunk. The bits do not
/// depend on the threads. A stop request ends it with the best solution so far. It has converged if
/// the largest violation is below the tolerance, rounding cannot hide a larger one, and at least
/// half of the objective is proved: if C is so large that violations below the tolerance cost more
/// than the rest of the objective, the rule is meaningless. Throws Error if gradients overflow.
///
/// In a distributed solution, gradients stay on their rank. After each working set the ranks
/// exchange the worst violators, the gradients in the set and the kernel values that enter it, and
/// each rank solves the set itself. The bits are those of one process. Collective.
DualSolution solve(const DualProblem& problem, const DualOptions& options, Context& context);

/// The state of a DualMachine: everything that its further steps depend on.
struct DualCourse {
  /// Variables that shrinking omitted at the same time, with the values and gradients of all
  /// variables at that time.
  struct Left {
    std::vector<std::uint32_t> variables;  ///< in ascending order
    std::vector<double> values, gradients;
  };

  std::vector<double> values, gradients;  ///< of all variables
  /// The variable at each place of the working set, or -1, and the round in which it entered.
  std::vector<std::int64_t> members, since;
  std::vector<Left> left = {};
  double largest_value = 0;  ///< on the kernel's diagonal, of all members so far
  std::size_t steps = 0;
  std::size_t rounds = 0;
  std::size_t shrinkings = 0;
};

/// Recomputes the figures of a solution from its coefficients and these gradients of all variables,
/// for gradients that are more accurate than the solver's float32 kernel values allow. Uses only
/// the labels and costs of the problem.
void take_gradients(const DualProblem& problem, std::span<const double> gradients,
                    DualSolution& solution);

/// The starting state for a problem that differs little from a solved one: the solution with its
/// last working set. The solution must be feasible, and `gradients` those of the new problem there:
/// K b - y for all variables. Rounds count from 1.
DualCourse course_from(const DualSolution& solution, std::vector<double> gradients);

/// solve() in pieces: pausing and resuming gives the same bits.
class DualMachine {
 public:
  /// The problem and the options must outlive it.
  DualMachine(const DualProblem& problem, const DualOptions& options, Context& context);
  ~DualMachine();
  DualMachine(const DualMachine&) = delete;
  DualMachine& operator=(const DualMachine&) = delete;

  /// The current state. Collective in a distributed solution, like advance().
  DualCourse course() const;

  /// Resumes from `course` with the same bits. Call it before advance(), with the same problem and
  /// options, except for options that affect time only. Returns whether the course fits; if not,
  /// the machine starts from the beginning.
  bool go_on_from(const DualCourse& course);

  /// Runs until the problem is solved, or until `pause` returns true, which is called after each
  /// working set. Returns whether it is done.
  bool advance(const std::function<bool()>& pause = {});

  /// The current objective 1/2 b'Kb - y'b, which never grows from round to round. For a single
  /// process without shrinking, before it is done.
  double dual() const;

  /// Moves out the solution; once, when the machine is done.
  DualSolution take();

 private:
  class Machine;
  std::unique_ptr<Machine> machine_;
};

/// A sentence that says why a solution that meets the stopping rule is still not called converged,
/// and what to do; empty if it is.
std::string doubt(const DualSolution& solution, double tolerance);

/// Bytes that solve() needs in addition to the caches and the kernel rows of the working set.
std::size_t solve_bytes(std::size_t variables, std::size_t working_set,
                        bool shrinking = false) noexcept;

}  // namespace semblance::numerics
