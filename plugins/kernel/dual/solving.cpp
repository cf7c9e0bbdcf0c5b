// SPDX-License-Identifier: MIT
// The solution of all problems: memory, caches and threads.
#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "dual/dual_task.hpp"
#include "dual/solution_report.hpp"
#include "semblance/error.hpp"

namespace semblance::kernel {
namespace {

// The least number of kernel rows in memory at a time, and the number computed at once, which
// suffices for a fast product.
constexpr std::size_t fewest_rows = 16;
constexpr std::size_t most_rows_fetched = 64;
// Measured with 30,000 and 100,000 rows of 28 and 54 columns.
constexpr std::size_t least_cached_bytes = std::size_t{1} << 29;
// Measured with 66,000 to 300,000 rows of 28 and 54 columns.
constexpr std::size_t many_variables = 65'536;
/// Larger than any other; solved by smaller ones.
constexpr std::size_t largest_working_set = 4096;

std::size_t largest_problem(const DualTask& task) {
  std::size_t most = 0;
  for (std::size_t p = 0; p < task.count(); ++p) most = std::max(most, task.variables(p));
  return most;
}

/// Larger sets need fewer rounds, but more kernel rows that are not used in the end, and slower
/// pair steps. Measured on LETTER and USPS (1,200 to 1,500 variables) and on MNIST (12,000). Each
/// round reads the rows of all variables that have moved, which takes most of the time if there are
/// many: measured with kernel_svr on 100,000 variables, and with kernel_svm on 50,000 to a million.
/// In a large set, solved by smaller ones, variables settle together before their rows are summed.
std::size_t working_set_for(std::size_t variables, bool two_classes) {
  if (two_classes && variables >= many_variables) return largest_working_set;
  const std::size_t most = std::clamp<std::size_t>(variables / 64 / 64 * 64, 512, 2048);
  return std::clamp<std::size_t>(variables / 16 / 64 * 64, 256, most);
}

/// The size of the largest problem.
struct ProblemSize {
  ProblemSize(const DualSetting& setting, const DualTask& task)
      : variables(largest_problem(task)),
        row_values(task.mirrored(0) ? variables / 2 : variables),
        pairs(task.parts(0)[1].count > 0 && !task.mirrored(0)),
        long_rows(!pairs && !task.mirrored(0) &&
                  numerics::RowCache::long_rows(setting.source, row_values)),
        few_values(long_rows && setting.source.computes_some()) {}

  std::size_t variables;
  std::size_t row_values;  ///< of a kernel row
  bool pairs;              ///< whether problems have caches of their own: pairs of classes
  bool long_rows;          ///< RowCache::long_rows(), of problems with a single part
  /// Whether, besides, a working set's kernel values need no rows (KernelSource::computes_some()).
  bool few_values;
};

/// The division of the memory. It affects time only: the computations and their order depend on the
/// problems.
struct MemoryPlan {
  std::size_t at_once;                   ///< number of problems
  std::optional<std::size_t> held_rows;  ///< DualOptions::held_rows
  std::size_t fetched_rows;
  std::size_t shared_bytes = 0;
  std::size_t private_bytes = 0;  ///< per problem
};

MemoryPlan plan_memory(const ProblemSize& size, const numerics::DualOptions& options,
                       std::size_t bytes, std::size_t threads, std::size_t problems) {
  const std::size_t row = size.row_values * sizeof(float);
  const std::size_t set = std::min(options.working_set, size.variables);
  const std::size_t fixed = numerics::solve_bytes(size.variables, set);
  const std::size_t whole = fixed + set * row;
  const auto caches = [&](MemoryPlan made, std::size_t left) {
    // A single problem rarely returns to rows that left its working set long ago: computing them
    // again takes less time than pages that the system provides anew.
    if (size.long_rows && problems == 1)
      left = std::min(left, std::max(set * row, least_cached_bytes));
    made.shared_bytes = size.pairs ? left / 5 * 3 : left;
    made.private_bytes = size.pairs ? left / 5 * 2 / made.at_once : 0;
    return made;
  };
  // Rows of a single problem are computed where they are summed, and only stored if they may be
  // summed again soon. Several problems share rows.
  if (const std::size_t least = fixed + most_rows_fetched * row;
      size.few_values && problems == 1 && 2 * least <= bytes)
    return caches({1, 0, most_rows_fetched}, bytes - least);
  // The cache stores rows in blocks, unless they are long: those of a working set may retain twice
  // as many.
  if ((size.long_rows ? whole : 2 * whole) <= bytes) {
    const std::size_t at_once =
        std::clamp<std::size_t>(bytes / (2 * whole), 1, std::min(threads, problems));
    return caches({at_once, {}, most_rows_fetched}, bytes - at_once * whole);
  }
  if (const std::size_t need = fixed + fewest_rows * row; need > bytes)
    throw MemoryError("a kernel machine on " + std::to_string(size.row_values) +
                      " rows needs at least " + std::to_string((need >> 20) + 1) +
                      " MiB in addition to the samples: " + std::to_string(fewest_rows) +
                      " kernel rows (" + std::to_string(fewest_rows) + " x " +
                      std::to_string(size.row_values) + " x " + std::to_string(sizeof(float)) +
                      " bytes), a working set of " + std::to_string(set) + " and the gradients; " +
                      std::to_string(bytes >> 20) +
                      " MiB are left. Train on fewer rows or raise --memory");
  const std::size_t rows = (bytes - fixed) / row;
  const std::size_t fetched = std::clamp(rows / 4, fewest_rows, most_rows_fetched);
  // Rows that are not cached are computed again where they are summed, which takes no longer than
  // reading them: the cache then has those that entered last, whatever their slots.
  const std::size_t held = size.long_rows ? 0 : std::min(rows - fetched, set);
  return caches({1, held, fetched}, bytes - fixed - (held + fetched) * row);
}

double square(std::size_t n) { return static_cast<double>(n) * static_cast<double>(n); }

/// Solves problems, several at a time: each thread takes the next one. Where one fails, only those
/// before it still matter.
class Solving {
 public:
  Solving(const DualSetting& setting, const DualTask& task, const MemoryPlan& memory,
          const numerics::DualOptions& options, bool pairs)
      : setting_(setting), task_(task), memory_(memory), options_(options), pairs_(pairs) {
    // Those of the classes, or one for all.
    const std::vector<std::size_t>& starts = setting.samples.starts;
    const std::vector<std::size_t> all{0, starts.back()};
    const std::span<const std::size_t> ends = pairs ? starts : all;
    double squares = 0;
    for (std::size_t c = 0; c + 1 < ends.size(); ++c) squares += square(ends[c + 1] - ends[c]);
    for (std::size_t c = 0; c + 1 < ends.size(); ++c) {
      const numerics::Range range{ends[c], ends[c + 1] - ends[c]};
      const double share = square(range.count) / squares;
      shared_.push_back(std::make_unique<numerics::RowCache>(
          setting.source, range, range,
          static_cast<std::size_t>(static_cast<double>(memory.shared_bytes) * share)));
    }
  }

  Solutions solve(const InitialStates& states, Solutions known) {
    std::vector<std::size_t> open;
    const std::size_t count = task_.count();
    for (std::size_t p = 0; p < count; ++p)
      if (known.empty() || states.contains(p)) open.push_back(p);
    solutions_ = std::move(known);
    solutions_.resize(count);
    std::atomic<std::size_t> next = 0, done = count - open.size();
    setting_.context.parallel_for(memory_.at_once, [&](std::size_t) {
      for (std::size_t k; (k = next++) < open.size();) {
        const auto state = states.find(open[k]);
        if (!advance(open[k], state == states.end() ? nullptr : &state->second)) return;
        setting_.context.progress(static_cast<double>(++done), static_cast<double>(count));
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
    if (pairs_ && setting_.context.stop_requested() != StopReason::none) {
      numerics::DualSolution& nothing = solutions_[problem];
      nothing.certificate = stop_certificate(setting_.context);
      nothing.violation = 2;
      for (std::size_t i = 0; i < task_.variables(problem); ++i)
        nothing.primal += task_.variable(problem, i).cost;
      return true;
    }
    numerics::DualProblem dual = task_.outline(problem);
    std::unique_ptr<numerics::RowCache> own[2];
    for (std::size_t q = 0; q < dual.parts.size(); ++q) {
      for (numerics::RowCache*& rows : dual.rows[q]) rows = &shared(dual.parts[q]);
      if (!pairs_) continue;
      own[q] = std::make_unique<numerics::RowCache>(setting_.source, dual.parts[q],
                                                    dual.parts[1 - q], memory_.private_bytes / 2);
      dual.rows[q][1 - q] = own[q].get();
    }
    numerics::DualOptions options = options_;
    options.tolerance *= task_.unit(problem);
    numerics::DualSolver solver(dual, options, setting_.context);
    if (start != nullptr) solver.resume(*start);
    if (!solver.advance(in_vain)) return false;
    solutions_[problem] = solver.take();
    return true;
  }

  numerics::RowCache& shared(const numerics::Range& range) {
    return **std::ranges::lower_bound(shared_, range.first, {},
                                      [](const auto& cache) { return cache->rows().first; });
  }

  const DualSetting& setting_;
  const DualTask& task_;
  const MemoryPlan& memory_;
  const numerics::DualOptions& options_;
  const bool pairs_;
  std::vector<std::unique_ptr<numerics::RowCache>> shared_;
  Solutions solutions_;
  std::mutex mutex_;
  std::atomic<std::size_t> first_failure_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr failure_;
};

}  // namespace

std::size_t solution_bytes(const DualTask& task) {
  std::size_t coefficients = 0;
  for (std::size_t p = 0; p < task.count(); ++p) coefficients += task.variables(p);
  return task.count() * sizeof(numerics::DualSolution) + coefficients * sizeof(double);
}

std::size_t comfortable_bytes(const DualTask& task) {
  const std::size_t variables = largest_problem(task);
  const std::size_t set = working_set_for(variables, task.two_classes());
  return solution_bytes(task) +
         2 * (numerics::solve_bytes(variables, set) + set * variables * sizeof(float));
}

Solutions solve_as_float32(const DualSetting& setting, const DualTask& task,
                           const InitialStates& states, Solutions known) {
  const ProblemSize size(setting, task);
  numerics::DualOptions options = setting.options;
  options.working_set = working_set_for(size.variables, task.two_classes());
  // The sets that solve a large one take up to twice as many pair steps, each much shorter.
  constexpr std::size_t steps_in_small_sets = 4;
  if (options.working_set == largest_working_set)
    options.most_steps =
        std::min(options.most_steps, SIZE_MAX / steps_in_small_sets) * steps_in_small_sets;
  const std::size_t bytes = setting.bytes - std::min(solution_bytes(task), setting.bytes);
  const MemoryPlan memory =
      plan_memory(size, options, bytes, setting.context.threads(), task.count());
  options.held_rows = memory.held_rows;
  options.fetched_rows = memory.fetched_rows;
  options.history = task.count() <= most_histories;
  return Solving(setting, task, memory, options, size.pairs).solve(states, std::move(known));
}

}  // namespace semblance::kernel
