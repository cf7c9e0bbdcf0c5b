// SPDX-License-Identifier: MIT
#include "kernel/class_problems.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <optional>
#include <string>

#include "semblance/collectives.hpp"
#include "semblance/error.hpp"

namespace semblance::solvers {
namespace {

// At least so many kernel rows are in memory at a time, and no more are computed at once than make
// a product fast.
constexpr std::size_t fewest_rows = 16;
constexpr std::size_t most_rows_fetched = 64;

/// How the memory is shared out. It decides about time alone: what is computed, and in which
/// order, depends on the problems.
struct MemoryPlan {
  std::size_t at_once;                   // problems
  std::optional<std::size_t> held_rows;  // DualOptions::held_rows
  std::size_t fetched_rows;
  std::size_t shared_bytes;
  std::size_t private_bytes;  // one problem's
};

std::size_t largest_problem(const ClassProblems& p) {
  if (!p.one_versus_one || p.classes() == 2) return p.starts.back();
  std::vector<std::size_t> sizes;
  for (std::size_t c = 0; c < p.classes(); ++c) sizes.push_back(p.rows(c).count);
  std::partial_sort(sizes.begin(), sizes.begin() + 2, sizes.end(), std::greater<>());
  return sizes[0] + sizes[1];
}

/// Larger sets take fewer rounds, but more kernel rows that turn out not to be needed, and longer
/// pair steps; measured on LETTER and USPS (1,200 to 1,500 variables) and on MNIST (12,000).
std::size_t working_set_for(std::size_t variables) {
  return std::clamp<std::size_t>(variables / 16 / 64 * 64, 256, 512);
}

std::string mebibytes_above(std::size_t bytes) {
  return std::to_string((bytes >> 20) + 1) + " MiB";
}

MemoryPlan plan(const ClassProblems& p, const numerics::DualOptions& options, std::size_t bytes,
                std::size_t threads, std::size_t problems) {
  const std::size_t variables = largest_problem(p), row = variables * sizeof(float);
  const std::size_t set = std::min(options.working_set, variables);
  const std::size_t fixed = numerics::solve_bytes(variables, set, options.shrinking);
  const std::size_t whole = fixed + set * row;
  // Rows that ranks compute together are in memory as what was computed here and what was sent,
  // too.
  const std::size_t copies = p.source.collective() ? 3 : 1;
  const std::size_t sent = (copies - 1) * most_rows_fetched * row;
  const bool pairs = p.one_versus_one && p.classes() > 2;
  const auto caches = [&](MemoryPlan made, std::size_t left) {
    made.shared_bytes = pairs ? left / 5 * 3 : left;
    made.private_bytes = pairs ? left / 5 * 2 / made.at_once : 0;
    return made;
  };
  // The cache keeps rows in blocks: those of a working set may hold on to twice as many.
  if (2 * whole + sent <= bytes) {
    const std::size_t at_once =
        std::clamp<std::size_t>(bytes / (2 * whole), 1, std::min(threads, problems));
    return caches({at_once, {}, most_rows_fetched, 0, 0}, bytes - at_once * whole - sent);
  }
  if (const std::size_t need = fixed + fewest_rows * copies * row; need > bytes)
    throw Error("a kernel machine on " + std::to_string(variables) + " rows needs at least " +
                mebibytes_above(need) +
                " in addition to the samples: " + std::to_string(fewest_rows) + " kernel rows (" +
                std::to_string(fewest_rows) + " x " + std::to_string(variables) + " x " +
                std::to_string(copies * sizeof(float)) + " bytes), a working set of " +
                std::to_string(set) + " and the gradients; " + std::to_string(bytes >> 20) +
                " MiB are left. Train on fewer rows or raise --memory");
  const std::size_t rows = (bytes - fixed) / row;
  const std::size_t fetched = std::clamp(rows / 4 / copies, fewest_rows, most_rows_fetched);
  const std::size_t held = std::min(rows - copies * fetched, set);
  return caches({1, held, fetched, 0, 0}, bytes - fixed - (held + copies * fetched) * row);
}

/// Builds a problem and its caches.
class Workshop {
 public:
  Workshop(const ClassProblems& problems, const MemoryPlan& memory)
      : p_(problems), memory_(memory), pairs_(problems.one_versus_one && problems.classes() > 2) {
    if (!pairs_) {
      const numerics::Range all{0, p_.starts.back()};
      shared_.push_back(
          std::make_unique<numerics::RowCache>(p_.source, all, all, memory.shared_bytes));
      return;
    }
    double squares = 0;
    for (std::size_t c = 0; c < p_.classes(); ++c) squares += square(p_.rows(c).count);
    for (std::size_t c = 0; c < p_.classes(); ++c)
      shared_.push_back(std::make_unique<numerics::RowCache>(
          p_.source, p_.rows(c), p_.rows(c),
          static_cast<std::size_t>(static_cast<double>(memory.shared_bytes) *
                                   square(p_.rows(c).count) / squares)));
  }

  numerics::DualSolution solve(const Opponents& pair, const numerics::DualOptions& options,
                               Context& context) {
    return pairs_ ? solve_pair(pair, options, context) : solve_all_rows(pair, options, context);
  }

  /// What a solution is where there was no time for one: no coefficients.
  numerics::DualSolution unsolved(const Opponents& pair, const Context& context) const {
    numerics::DualSolution nothing;
    nothing.certificate = stop_certificate(context);
    nothing.violation = 2;
    const auto add = [&](std::size_t c) {
      nothing.primal += p_.costs[c] * static_cast<double>(p_.rows(c).count);
    };
    if (pairs_) {
      add(static_cast<std::size_t>(pair.positive));
      add(static_cast<std::size_t>(pair.negative));
    } else {
      for (std::size_t c = 0; c < p_.classes(); ++c) add(c);
    }
    return nothing;
  }

  std::size_t computed() const {
    std::size_t sum = private_values_;
    for (const auto& cache : shared_) sum += cache->computed();
    return sum;
  }

 private:
  static double square(std::size_t n) { return static_cast<double>(n) * static_cast<double>(n); }

  numerics::DualSolution solve_pair(const Opponents& pair, const numerics::DualOptions& options,
                                    Context& context) {
    const auto a = static_cast<std::size_t>(pair.positive);
    const auto b = static_cast<std::size_t>(pair.negative);
    numerics::RowCache ab(p_.source, p_.rows(a), p_.rows(b), memory_.private_bytes / 2);
    numerics::RowCache ba(p_.source, p_.rows(b), p_.rows(a), memory_.private_bytes / 2);
    numerics::DualProblem problem;
    problem.parts = {p_.rows(a), p_.rows(b)};
    problem.rows[0][0] = shared_[a].get();
    problem.rows[0][1] = &ab;
    problem.rows[1][0] = &ba;
    problem.rows[1][1] = shared_[b].get();
    problem.labels.assign(p_.rows(a).count, 1);
    problem.labels.resize(p_.rows(a).count + p_.rows(b).count, -1);
    problem.costs.assign(p_.rows(a).count, p_.costs[a]);
    problem.costs.resize(problem.labels.size(), p_.costs[b]);
    numerics::DualSolution solution = numerics::solve(problem, options, context);
    private_values_ += ab.computed() + ba.computed();
    return solution;
  }

  numerics::DualSolution solve_all_rows(const Opponents& pair, const numerics::DualOptions& options,
                                        Context& context) {
    numerics::DualProblem problem;
    problem.parts = {{0, p_.starts.back()}};
    problem.rows[0][0] = shared_[0].get();
    for (std::size_t c = 0; c < p_.classes(); ++c) {
      const bool positive = c == static_cast<std::size_t>(pair.positive);
      problem.labels.resize(p_.starts[c + 1], static_cast<signed char>(positive ? 1 : -1));
      problem.costs.resize(p_.starts[c + 1], p_.costs[c]);
    }
    return numerics::solve(problem, options, context);
  }

  const ClassProblems& p_;
  const MemoryPlan& memory_;
  bool pairs_;
  std::vector<std::unique_ptr<numerics::RowCache>> shared_;  // one a class, or one for all rows
  std::atomic<std::size_t> private_values_{0};
};

}  // namespace

std::size_t row_of(const ClassProblems& p, const Opponents& pair, std::size_t variable) {
  if (!p.one_versus_one || p.classes() == 2) return variable;
  const numerics::Range positive = p.rows(static_cast<std::size_t>(pair.positive));
  if (variable < positive.count) return positive.first + variable;
  return p.rows(static_cast<std::size_t>(pair.negative)).first + (variable - positive.count);
}

/// What is kept of each problem.
std::size_t solution_bytes(const ClassProblems& problems, std::size_t count) {
  const std::size_t coefficients =
      (problems.one_versus_one ? problems.classes() - 1 : count) * problems.starts.back();
  return count * (sizeof(numerics::DualSolution) + sizeof(Opponents)) +
         coefficients * sizeof(double);
}

SolvedProblems solve_all(const ClassProblems& problems, numerics::DualOptions options,
                         std::size_t bytes, Context& context) {
  const bool together = problems.source.collective();
  // What decides about fetching must be the same on all ranks.
  if (together)
    bytes = std::ranges::min(context.collectives().gather(std::vector<std::size_t>{bytes}));
  const std::size_t classes = problems.classes();
  const std::size_t count =
      problems.one_versus_one || classes == 2 ? classes * (classes - 1) / 2 : classes;
  const std::size_t kept = solution_bytes(problems, count);
  constexpr std::size_t many = 1000;
  if (kept > bytes && count > many)
    throw Error(std::to_string(classes) + " classes give " + std::to_string(count) +
                " problems, whose solutions take " + std::to_string((kept >> 20) + 1) + " MiB; " +
                std::to_string(bytes >> 20) + " MiB are left. Raise --memory, or " +
                (problems.one_versus_one ? "set multiclass: one_versus_rest"
                                         : "use fewer classes or rows"));
  bytes -= std::min(kept, bytes);
  const std::vector<Opponents> pairs = opponents(problems.classes(), problems.one_versus_one);
  options.working_set = working_set_for(largest_problem(problems));
  const MemoryPlan memory =
      plan(problems, options, bytes, together ? 1 : context.threads(), pairs.size());
  options.held_rows = memory.held_rows;
  options.fetched_rows = memory.fetched_rows;
  Workshop workshop(problems, memory);
  SolvedProblems solved;
  solved.solutions.resize(pairs.size());
  std::atomic<std::size_t> next{0}, done{0};
  const auto work = [&](std::size_t) {
    for (std::size_t p = next++; p < pairs.size(); p = next++) {
      // Millions of problems take long to set up, solved or not.
      if (context.stop_requested() != StopReason::none) {
        solved.solutions[p] = workshop.unsolved(pairs[p], context);
        continue;
      }
      solved.solutions[p] = workshop.solve(pairs[p], options, context);
      context.progress(static_cast<double>(++done), static_cast<double>(pairs.size()));
    }
  };
  if (together)
    work(0);
  else
    context.parallel_for(memory.at_once, work);
  return solved;
}

}  // namespace semblance::solvers
