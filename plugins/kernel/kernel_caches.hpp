// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "class_problems.hpp"

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

/// The size of the largest problem.
struct ProblemSize {
  std::size_t rows;        ///< of the training samples
  std::size_t variables;   ///< of the dual
  std::size_t row_values;  ///< of a kernel row
  bool pairs;              ///< whether problems have caches of their own: pairs of classes
  bool long_rows = false;  ///< RowCache::long_rows(), of problems with a single range of rows
  /// Whether, besides, a working set's kernel values need no rows (KernelSource::computes_some()).
  bool few_values = false;
};
ProblemSize problem_size(const ClassProblems& problems);

/// A plan for `count` problems and these threads that uses at most `bytes`. Throws Error with the
/// arithmetic if not even a few rows fit.
MemoryPlan plan_memory(const ProblemSize& size, const numerics::DualOptions& options,
                       std::size_t bytes, std::size_t threads, std::size_t count);

/// Larger than any other; solved by smaller ones.
inline constexpr std::size_t largest_working_set = 4096;

/// The size of the working set for a number of variables; `two_classes`: of a classifier with a
/// single problem.
std::size_t working_set_for(std::size_t variables, bool two_classes = false);
std::size_t largest_problem(const std::vector<std::size_t>& starts, bool one_versus_one);

/// The training of a binary problem in progress, with the caches that it does not share.
class BinaryTraining {
 public:
  /// For one pair of classes, with its own caches of the given size.
  BinaryTraining(const ClassProblems& problems, const Opponents& pair, std::size_t cache_bytes,
                 numerics::RowCache& of_positive, numerics::RowCache& of_negative,
                 const numerics::DualOptions& options, Context& context);
  /// For all samples.
  BinaryTraining(const ClassProblems& problems, const Opponents& pair, numerics::RowCache& of_all,
                 const numerics::DualOptions& options, Context& context);

  numerics::DualSolver& solver() noexcept { return *solver_; }

 private:
  std::unique_ptr<numerics::RowCache> across_[2];
  numerics::DualProblem problem_;
  std::optional<numerics::DualSolver> solver_;
};

/// The caches of kernel rows that binary problems share: rows restricted to the columns of their
/// own class for pairs of classes, whole rows for one-versus-rest problems.
class KernelCaches {
 public:
  KernelCaches(const ClassProblems& problems, const MemoryPlan& memory,
               const numerics::DualOptions& options, Context& context);

  std::unique_ptr<BinaryTraining> open(const Opponents& pair);

  /// The placeholder of a solution for which there was no time: no coefficients.
  numerics::DualSolution unsolved(const Opponents& pair) const;

 private:
  const ClassProblems& p_;
  const MemoryPlan& memory_;
  const numerics::DualOptions& options_;
  Context& context_;
  bool pairs_;
  std::vector<std::unique_ptr<numerics::RowCache>> shared_;  // one per class, or one for all rows
};

}  // namespace semblance::kernel
