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

/// Kernel values between variables that are cheaper to compute than to keep.
class DirectKernel {
 public:
  virtual ~DirectKernel() = default;
  /// out[k] = K(variable, others[k])
  virtual void values(std::uint32_t variable, std::span<const std::uint32_t> others,
                      float* out) const = 0;
  /// sums[j] += sum_r factors[r] K(variables[r], j), of all variables j; the same bits for any
  /// number of threads.
  virtual void add(std::span<const std::uint32_t> variables, std::span<const double> factors,
                   std::span<double> sums, Context& context) const = 0;
};

/// The dual of a two-class SVM with hinge loss and a bias that is not regularized:
/// min 1/2 b'Kb - y'b with sum b = 0 and b_i between 0 and y_i C_i. With b = y alpha this is
/// LIBSVM's C-SVC.
///
/// The variables are one or two ranges of the kernel matrix's rows, one after the other; a row's
/// columns of each range are kept in a cache of their own, so that problems can share it.
struct DualProblem {
  std::vector<Range> parts;              ///< the variables: rows of the kernel matrix
  RowCache* rows[2][2] = {};             ///< rows of part p, columns of part q
  const DirectKernel* direct = nullptr;  ///< in place of `rows`, with a single part
  std::vector<signed char> labels;       ///< y: +1 or -1
  std::vector<double> costs;             ///< C_i, 0 or more

  /// Where ranks solve it together: the rank that follows each variable's gradient. `rows` have the
  /// columns of the own variables alone, in their order, and all ranks fetch alike. Else empty.
  std::vector<std::uint32_t> owners = {};

  std::size_t size() const noexcept { return labels.size(); }
};

struct DualOptions {
  double tolerance = 1e-3;        ///< of the most violating pair, as LIBSVM's eps
  std::size_t most_steps = 0;     ///< pair steps
  std::size_t working_set = 512;  ///< variables that are optimised at once, at least 4
  bool shrinking = false;         ///< leave out what is at a bound and far from leaving it
  /// Variables of the working set whose kernel rows are kept from round to round, in memory of
  /// their own; the others' are fetched again when they are needed, `fetched_rows` at a time. By
  /// default the rows stay where the cache put them. It costs time alone: the bits are the same.
  std::optional<std::size_t> held_rows = {};
  std::size_t fetched_rows = 64;
  /// After so many pair steps in a working set its free variables are moved together, by Newton's
  /// method, before more of them; 0: never. It takes fewer steps where C is large and the kernel
  /// nearly singular, as of rows with few columns, and then hundreds of variables are free.
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
  double rounding = 0;      ///< what gradients, and so `violation`, may be wrong by at the end
  std::size_t steps = 0;
  std::size_t rounds = 0;      ///< working sets solved
  std::size_t shrinkings = 0;  ///< times that variables were left out
  std::size_t vectors = 0;     ///< b_i != 0
  std::size_t bounded = 0;     ///< |b_i| = C_i
  /// Of each place in the last working set: its variable, or -1.
  std::vector<std::int64_t> members = {};
  Certificate certificate = Certificate::converged;
};

/// Working sets of hundreds of variables: an eighth to a quarter of the set are the worst violators
/// outside of it, which take the places of variables at a bound that are satisfied; the set is
/// solved by pair steps, and then the gradient of all variables follows, in double. With shrinking
/// it follows for those that still take part, and catches up for the others before the last test of
/// the stopping rule, which is over all variables; a direct kernel is not shrunk. The bits do not
/// depend on the threads. A stop request ends it with the best solution so far. It has converged
/// where the largest violation is below the tolerance, rounding cannot hide a larger one, and at
/// least half of the objective is proved: with a C so large that violations below the tolerance
/// cost more than the rest, the rule says nothing. Throws Error where gradients leave the range of
/// numbers.
///
/// Where ranks solve it together, gradients stay on their rank: after each working set the ranks
/// tell each other the worst violators, the gradients in the set, and the kernel values that enter
/// it, and each solves the set for itself. The bits are those of one process. Collective.
DualSolution solve(const DualProblem& problem, const DualOptions& options, Context& context);

/// How far a DualMachine has come: all that its further steps depend on.
struct DualCourse {
  /// Variables that shrinking left out together; values and gradients of all at that time.
  struct Left {
    std::vector<std::uint32_t> variables;  ///< in ascending order
    std::vector<double> values, gradients;
  };

  std::vector<double> values, gradients;  ///< of all variables
  /// Of each place in the working set: its variable, or -1, and the round in which it came there.
  std::vector<std::int64_t> members, since;
  std::vector<Left> left = {};
  double largest_value = 0;  ///< on the kernel's diagonal, of all that have been members
  std::size_t steps = 0;
  std::size_t rounds = 0;
  std::size_t shrinkings = 0;
};

/// Replaces what a solution says of itself by what its coefficients come to with these gradients,
/// of all variables: where they are known better than kernel values in float32 let the solver know
/// them. Of the problem, only labels and costs are used.
void take_gradients(const DualProblem& problem, std::span<const double> gradients,
                    DualSolution& solution);

/// Where a problem begins that differs little from a solved one: at its solution, with its last
/// working set. The solution must be feasible, and `gradients` the new problem's there: K b - y of
/// all variables. Rounds count from 1.
DualCourse course_from(const DualSolution& solution, std::vector<double> gradients);

/// solve() in pieces: one that pauses and goes on comes to the same bits.
class DualMachine {
 public:
  /// The problem and the options must outlive it.
  DualMachine(const DualProblem& problem, const DualOptions& options, Context& context);
  ~DualMachine();
  DualMachine(const DualMachine&) = delete;
  DualMachine& operator=(const DualMachine&) = delete;

  /// How far it has come. Collective where ranks solve the problem together, as advance() is.
  DualCourse course() const;

  /// Goes on from there, to the same bits: of the same problem and options, or those that cost time
  /// alone, and before it advances. Returns whether the course fits; if not, it begins anew.
  bool go_on_from(const DualCourse& course);

  /// Goes on until it is done, or until `pause` says so, which it is asked after each working set.
  /// Returns whether it is done.
  bool advance(const std::function<bool()>& pause = {});

  /// The objective where it stands: 1/2 b'Kb - y'b, which never grows from round to round. Of one
  /// process alone, without shrinking, and before it is done.
  double dual() const;

  /// The solution, once: of a machine that is done.
  DualSolution take();

 private:
  class Machine;
  std::unique_ptr<Machine> machine_;
};

/// Why a solution that meets the stopping rule is not called converged all the same, in a sentence
/// with what to do; empty where that is not so.
std::string doubt(const DualSolution& solution, double tolerance);

/// Bytes that solve() takes besides the caches and the kernel rows of the working set.
std::size_t solve_bytes(std::size_t variables, std::size_t working_set,
                        bool shrinking = false) noexcept;

}  // namespace semblance::numerics
