// SPDX-License-Identifier: MIT
#include "class_problems.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "kernel_caches.hpp"
#include "semblance/error.hpp"
#include "solution_report.hpp"

namespace semblance::kernel {
namespace {

using Solutions = std::vector<numerics::DualSolution>;

std::size_t problem_count(std::size_t classes, bool one_versus_one) {
  return one_versus_one || classes == 2 ? classes * (classes - 1) / 2 : classes;
}

/// The bytes of each problem's solution.
std::size_t solution_bytes(const std::vector<std::size_t>& starts, bool one_versus_one) {
  const std::size_t classes = starts.size() - 1, count = problem_count(classes, one_versus_one);
  const std::size_t coefficients = (one_versus_one ? classes - 1 : count) * starts.back();
  return count * (sizeof(numerics::DualSolution) + sizeof(Opponents)) +
         coefficients * sizeof(double);
}

/// Solves problems, several at a time: each thread takes the next one. Where one fails, only those
/// before it still matter.
class Solving {
 public:
  Solving(const ClassProblems& problems, const std::vector<Opponents>& pairs,
          const MemoryPlan& memory, const numerics::DualOptions& options, Context& context)
      : pairs_(pairs),
        at_once_(memory.at_once),
        context_(context),
        caches_(problems, memory, options, context) {}

  Solutions solve(const InitialStates& states, Solutions known) {
    std::vector<std::size_t> open;
    for (std::size_t p = 0; p < pairs_.size(); ++p)
      if (known.empty() || states.contains(p)) open.push_back(p);
    solutions_ = std::move(known);
    solutions_.resize(pairs_.size());
    std::atomic<std::size_t> next = 0, done = pairs_.size() - open.size();
    context_.parallel_for(at_once_, [&](std::size_t) {
      for (std::size_t k; (k = next++) < open.size();) {
        const auto state = states.find(open[k]);
        if (!advance(open[k], state == states.end() ? nullptr : &state->second)) return;
        context_.progress(static_cast<double>(++done), static_cast<double>(pairs_.size()));
      }
    });
    if (failure_) std::rethrow_exception(failure_);
    return std::move(solutions_);
  }

 private:
  /// Returns false if no further problem matters.
  bool advance(std::size_t problem, const numerics::DualState* start) {
    try {
      return solve_one(problem, start);
    } catch (const std::exception&) {
      const std::lock_guard lock(mutex_);
      if (problem < first_failure_) {
        first_failure_ = problem;
        failure_ = std::current_exception();
      }
      return false;
    }
  }

  bool solve_one(std::size_t problem, const numerics::DualState* start) {
    const auto in_vain = [&] { return problem > first_failure_; };
    if (in_vain()) return false;
    // Setting up millions of problems takes long, even without solving them.
    if (context_.stop_requested() != StopReason::none) {
      solutions_[problem] = caches_.unsolved(pairs_[problem]);
      return true;
    }
    const std::unique_ptr<BinaryTraining> training = caches_.open(pairs_[problem]);
    if (start != nullptr) training->solver().resume(*start);
    if (!training->solver().advance(in_vain)) return false;
    solutions_[problem] = training->solver().take();
    return true;
  }

  const std::vector<Opponents>& pairs_;
  const std::size_t at_once_;
  Context& context_;
  KernelCaches caches_;
  Solutions solutions_;
  std::mutex mutex_;
  std::atomic<std::size_t> first_failure_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr failure_;
};

}  // namespace

std::size_t comfortable_bytes(const std::vector<std::size_t>& starts, bool one_versus_one,
                              bool shrinking) {
  const std::size_t variables = largest_problem(starts, one_versus_one);
  const std::size_t set = working_set_for(variables, starts.size() == 3);
  return solution_bytes(starts, one_versus_one) +
         2 * (numerics::solve_bytes(variables, set, shrinking) + set * variables * sizeof(float));
}

std::size_t row_of(const ClassProblems& p, const Opponents& pair, std::size_t variable) {
  if (!p.one_versus_one || p.classes() == 2) return variable;
  const numerics::Range positive = p.rows(static_cast<std::size_t>(pair.positive));
  if (variable < positive.count) return positive.first + variable;
  return p.rows(static_cast<std::size_t>(pair.negative)).first + (variable - positive.count);
}

std::vector<numerics::DualSolution> solve_all(const ClassProblems& problems,
                                              numerics::DualOptions options, std::size_t bytes,
                                              Context& context, const InitialStates& states,
                                              std::vector<numerics::DualSolution> known) {
  const std::size_t classes = problems.classes();
  const std::size_t count = problem_count(classes, problems.one_versus_one);
  const std::size_t stored = solution_bytes(problems.starts, problems.one_versus_one);
  constexpr std::size_t many = 1000;
  if (stored > bytes && count > many)
    throw MemoryError(std::to_string(classes) + " classes give " + std::to_string(count) +
                      " problems, whose solutions take " + std::to_string((stored >> 20) + 1) +
                      " MiB; " + std::to_string(bytes >> 20) +
                      " MiB are left. Raise --memory, or " +
                      (problems.one_versus_one ? "set multiclass: one_versus_rest"
                                               : "use fewer classes or rows"));
  bytes -= std::min(stored, bytes);
  const std::vector<Opponents> pairs = opponents(problems.classes(), problems.one_versus_one);
  const ProblemSize size = problem_size(problems);
  options.working_set = working_set_for(size.variables, classes == 2);
  // The sets that solve a large one take up to twice as many pair steps, each much shorter.
  constexpr std::size_t steps_in_small_sets = 4;
  if (options.working_set == largest_working_set)
    options.most_steps =
        std::min(options.most_steps, SIZE_MAX / steps_in_small_sets) * steps_in_small_sets;
  const MemoryPlan memory = plan_memory(size, options, bytes, context.threads(), pairs.size());
  options.held_rows = memory.held_rows;
  options.fetched_rows = memory.fetched_rows;
  options.history = pairs.size() <= most_histories;
  return Solving(problems, pairs, memory, options, context).solve(states, std::move(known));
}

}  // namespace semblance::kernel
