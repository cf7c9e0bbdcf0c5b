// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "own_columns.hpp"

namespace semblance::kernel {

/// The division of the memory. It affects time only: the computations and their order depend on the
/// problems.
struct MemoryPlan {
  std::size_t at_once;                   ///< number of problems
  std::optional<std::size_t> held_rows;  ///< DualOptions::held_rows
  std::size_t fetched_rows;
  std::size_t shared_bytes;
  std::size_t private_bytes;  ///< per problem
};

/// A plan for these problems and threads that uses at most `bytes`, with kernel rows of these
/// columns. Throws Error with the arithmetic if not even a few rows fit.
MemoryPlan plan_memory(const ClassProblems& problems, const OwnColumns& columns,
                       const numerics::DualOptions& options, std::size_t bytes, std::size_t threads,
                       std::size_t count);

/// The size of the working set, for a number of variables and for the largest problem.
std::size_t working_set_for(std::size_t variables);
std::size_t largest_problem(const std::vector<std::size_t>& starts, bool one_versus_one);

/// A problem in progress.
class Job {
 public:
  /// For one pair of classes, with its own caches of the given size.
  Job(const ClassProblems& problems, const OwnColumns& columns, const Opponents& pair,
      std::size_t cache_bytes, numerics::RowCache& of_positive, numerics::RowCache& of_negative,
      const numerics::DualOptions& options, Context& context);
  /// For all samples.
  Job(const ClassProblems& problems, const Opponents& pair, numerics::RowCache& of_all,
      const numerics::DualOptions& options, Context& context);

  numerics::DualSolver& machine() noexcept { return *machine_; }

 private:
  void add_owners(const ClassProblems& problems, numerics::Range rows);

  std::unique_ptr<numerics::RowCache> across_[2];
  numerics::DualProblem problem_;
  std::optional<numerics::DualSolver> machine_;
};

/// Creates jobs, which share their common kernel rows.
class Workshop {
 public:
  Workshop(const ClassProblems& problems, const OwnColumns& columns, const MemoryPlan& memory,
           const numerics::DualOptions& options, Context& context);

  std::unique_ptr<Job> open(const Opponents& pair);

  /// The number of variables of the problem.
  std::size_t variables(const Opponents& pair) const;

  /// The placeholder of a solution for which there was no time: no coefficients.
  numerics::DualSolution unsolved(const Opponents& pair) const;

 private:
  const ClassProblems& p_;
  const OwnColumns& columns_;
  const MemoryPlan& memory_;
  const numerics::DualOptions& options_;
  Context& context_;
  bool pairs_;
  std::vector<std::unique_ptr<numerics::RowCache>> shared_;  // one per class, or one for all rows
};

}  // namespace semblance::kernel
