// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "kernel/own_columns.hpp"

namespace semblance::solvers {

/// How the memory is shared out. It decides about time alone: what is computed, and in which
/// order, depends on the problems.
struct MemoryPlan {
  std::size_t at_once;                   ///< problems
  std::optional<std::size_t> held_rows;  ///< DualOptions::held_rows
  std::size_t fetched_rows;
  std::size_t shared_bytes;
  std::size_t private_bytes;  ///< one problem's
};

/// A plan for so many problems on so many threads that takes `bytes` at most, with kernel rows of
/// these columns. Throws Error with the arithmetic where not even a few of them fit.
MemoryPlan plan_memory(const ClassProblems& problems, const OwnColumns& columns,
                       const numerics::DualOptions& options, std::size_t bytes, std::size_t threads,
                       std::size_t count);

/// Variables that are optimised at once, and of the largest problem.
std::size_t working_set_for(std::size_t variables);
std::size_t largest_problem(const std::vector<std::size_t>& starts, bool one_versus_one);

/// A problem that is being solved.
class Job {
 public:
  /// With caches of its own for one pair of classes, each so large.
  Job(const ClassProblems& problems, const OwnColumns& columns, const Opponents& pair,
      std::size_t cache_bytes, numerics::RowCache& of_positive, numerics::RowCache& of_negative,
      const numerics::DualOptions& options, Context& context);
  /// On all rows.
  Job(const ClassProblems& problems, const Opponents& pair, numerics::RowCache& of_all,
      const numerics::DualOptions& options, Context& context);

  numerics::DualMachine& machine() noexcept { return *machine_; }

 private:
  void add_owners(const ClassProblems& problems, numerics::Range rows);

  std::unique_ptr<numerics::RowCache> across_[2];
  numerics::DualProblem problem_;
  std::optional<numerics::DualMachine> machine_;
};

/// Opens jobs, which share the kernel rows that they have in common.
class Workshop {
 public:
  Workshop(const ClassProblems& problems, const OwnColumns& columns, const MemoryPlan& memory,
           const numerics::DualOptions& options, Context& context);

  std::unique_ptr<Job> open(const Opponents& pair);

  /// How many variables the problem has.
  std::size_t variables(const Opponents& pair) const;

  /// What a solution is where there was no time for one: no coefficients.
  numerics::DualSolution unsolved(const Opponents& pair) const;

 private:
  const ClassProblems& p_;
  const OwnColumns& columns_;
  const MemoryPlan& memory_;
  const numerics::DualOptions& options_;
  Context& context_;
  bool pairs_;
  std::vector<std::unique_ptr<numerics::RowCache>> shared_;  // one a class, or one for all rows
};

}  // namespace semblance::solvers
