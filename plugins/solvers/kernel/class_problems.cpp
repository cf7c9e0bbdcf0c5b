// SPDX-License-Identifier: MIT
#include "kernel/class_problems.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <string>

#include "semblance/error.hpp"

namespace semblance::solvers {
namespace {

/// How the memory is shared out.
struct MemoryPlan {
  std::size_t working_set;
  std::size_t at_once;  // problems
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

MemoryPlan plan(const ClassProblems& p, bool shrinking, std::size_t bytes, std::size_t threads,
                std::size_t problems) {
  constexpr std::size_t smallest_set = 16;
  const std::size_t variables = largest_problem(p);
  std::size_t working_set = working_set_for(variables);
  // The rows of a working set are held whatever the caches keep.
  const auto held = [&](std::size_t set) {
    return std::min(set, variables) * variables * sizeof(float) +
           solve_bytes(variables, set, shrinking);
  };
  while (working_set > smallest_set && 2 * held(working_set) > bytes) working_set /= 2;
  if (const std::size_t need = 2 * held(working_set); need > bytes)
    throw Error("a kernel machine on " + std::to_string(variables) +
                " rows takes working sets of at least " + std::to_string(working_set) +
                " kernel rows, twice (2 x " + std::to_string(working_set) + " x " +
                std::to_string(variables) +
                " x 4 bytes and the gradients): " + std::to_string((need >> 20) + 1) +
                " MiB besides the samples, but " + std::to_string(bytes >> 20) +
                " MiB are left; train on fewer rows or raise the memory budget");
  const std::size_t at_once =
      std::clamp<std::size_t>(bytes / (2 * held(working_set)), 1, std::min(threads, problems));
  const std::size_t caches = bytes - at_once * held(working_set);
  const bool pairs = p.one_versus_one && p.classes() > 2;
  return {working_set, at_once, pairs ? caches / 5 * 3 : caches,
          pairs ? caches / 5 * 2 / at_once : 0};
}

/// Builds a problem and its caches.
class Workshop {
 public:
  Workshop(const ClassProblems& problems, const MemoryPlan& memory)
      : p_(problems), memory_(memory), pairs_(problems.one_versus_one && problems.classes() > 2) {
    if (!pairs_) {
      const Range all{0, p_.starts.back()};
      shared_.push_back(std::make_unique<RowCache>(p_.source, all, all, memory.shared_bytes));
      return;
    }
    double squares = 0;
    for (std::size_t c = 0; c < p_.classes(); ++c) squares += square(p_.rows(c).count);
    for (std::size_t c = 0; c < p_.classes(); ++c)
      shared_.push_back(std::make_unique<RowCache>(
          p_.source, p_.rows(c), p_.rows(c),
          static_cast<std::size_t>(static_cast<double>(memory.shared_bytes) *
                                   square(p_.rows(c).count) / squares)));
  }

  DualSolution solve(const Opponents& pair, const DualOptions& options, Context& context) {
    return pairs_ ? solve_pair(pair, options, context) : solve_all_rows(pair, options, context);
  }

  std::size_t computed() const {
    std::size_t sum = private_values_;
    for (const auto& cache : shared_) sum += cache->computed();
    return sum;
  }

 private:
  static double square(std::size_t n) { return static_cast<double>(n) * static_cast<double>(n); }

  DualSolution solve_pair(const Opponents& pair, const DualOptions& options, Context& context) {
    const auto a = static_cast<std::size_t>(pair.positive);
    const auto b = static_cast<std::size_t>(pair.negative);
    RowCache ab(p_.source, p_.rows(a), p_.rows(b), memory_.private_bytes / 2);
    RowCache ba(p_.source, p_.rows(b), p_.rows(a), memory_.private_bytes / 2);
    DualProblem problem;
    problem.parts = {p_.rows(a), p_.rows(b)};
    problem.rows[0][0] = shared_[a].get();
    problem.rows[0][1] = &ab;
    problem.rows[1][0] = &ba;
    problem.rows[1][1] = shared_[b].get();
    problem.labels.assign(p_.rows(a).count, 1);
    problem.labels.resize(p_.rows(a).count + p_.rows(b).count, -1);
    problem.costs.assign(p_.rows(a).count, p_.costs[a]);
    problem.costs.resize(problem.labels.size(), p_.costs[b]);
    DualSolution solution = solvers::solve(problem, options, context);
    private_values_ += ab.computed() + ba.computed();
    return solution;
  }

  DualSolution solve_all_rows(const Opponents& pair, const DualOptions& options, Context& context) {
    DualProblem problem;
    problem.parts = {{0, p_.starts.back()}};
    problem.rows[0][0] = shared_[0].get();
    for (std::size_t c = 0; c < p_.classes(); ++c) {
      const bool positive = c == static_cast<std::size_t>(pair.positive);
      problem.labels.resize(p_.starts[c + 1], static_cast<signed char>(positive ? 1 : -1));
      problem.costs.resize(p_.starts[c + 1], p_.costs[c]);
    }
    return solvers::solve(problem, options, context);
  }

  const ClassProblems& p_;
  const MemoryPlan& memory_;
  bool pairs_;
  std::vector<std::unique_ptr<RowCache>> shared_;  // one a class, or one for all rows
  std::atomic<std::size_t> private_values_{0};
};

}  // namespace

std::size_t row_of(const ClassProblems& p, const Opponents& pair, std::size_t variable) {
  if (!p.one_versus_one || p.classes() == 2) return variable;
  const Range positive = p.rows(static_cast<std::size_t>(pair.positive));
  if (variable < positive.count) return positive.first + variable;
  return p.rows(static_cast<std::size_t>(pair.negative)).first + (variable - positive.count);
}

SolvedProblems solve_all(const ClassProblems& problems, DualOptions options, std::size_t bytes,
                         Context& context) {
  const std::vector<Opponents> pairs = opponents(problems.classes(), problems.one_versus_one);
  const MemoryPlan memory =
      plan(problems, options.shrinking, bytes, context.threads(), pairs.size());
  options.working_set = memory.working_set;
  Workshop workshop(problems, memory);
  SolvedProblems solved;
  solved.solutions.resize(pairs.size());
  std::atomic<std::size_t> next{0}, done{0};
  context.parallel_for(memory.at_once, [&](std::size_t) {
    for (std::size_t p = next++; p < pairs.size(); p = next++) {
      solved.solutions[p] = workshop.solve(pairs[p], options, context);
      context.progress(static_cast<double>(++done), static_cast<double>(pairs.size()));
    }
  });
  return solved;
}

}  // namespace semblance::solvers
