// SPDX-License-Identifier: MIT
#include "kernel_caches.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include "semblance/error.hpp"

namespace semblance::kernel {
namespace {

// The least number of kernel rows in memory at a time, and the number computed at once, which
// suffices for a fast product.
constexpr std::size_t fewest_rows = 16;
constexpr std::size_t most_rows_fetched = 64;
// Measured with 30,000 and 100,000 rows of 28 and 54 columns.
constexpr std::size_t least_cached_bytes = std::size_t{1} << 29;

std::string mebibytes_above(std::size_t bytes) {
  return std::to_string((bytes >> 20) + 1) + " MiB";
}

// Measured with 66,000 to 300,000 rows of 28 and 54 columns.
constexpr std::size_t many_variables = 65'536;

double square(std::size_t n) { return static_cast<double>(n) * static_cast<double>(n); }

}  // namespace

std::size_t largest_problem(const std::vector<std::size_t>& starts, bool one_versus_one) {
  if (!one_versus_one || starts.size() == 3) return starts.back();
  std::vector<std::size_t> sizes;
  sizes.reserve(starts.size());
  for (std::size_t c = 0; c + 1 < starts.size(); ++c) sizes.push_back(starts[c + 1] - starts[c]);
  std::partial_sort(sizes.begin(), sizes.begin() + 2, sizes.end(), std::greater<>());
  return sizes[0] + sizes[1];
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

ProblemSize problem_size(const ClassProblems& p) {
  const bool pairs = p.one_versus_one && p.classes() > 2;
  const std::size_t rows = largest_problem(p.starts, p.one_versus_one);
  const bool long_rows = !pairs && numerics::RowCache::long_rows(p.source, rows);
  return {rows, rows, rows, pairs, long_rows, long_rows && p.source.computes_some()};
}

MemoryPlan plan_memory(const ProblemSize& size, const numerics::DualOptions& options,
                       std::size_t bytes, std::size_t threads, std::size_t problems) {
  const bool pairs = size.pairs;
  const std::size_t variables = size.variables, row_values = size.row_values,
                    row = row_values * sizeof(float);
  const std::size_t set = std::min(options.working_set, variables);
  const std::size_t fixed = numerics::solve_bytes(variables, set, options.shrinking);
  const std::size_t whole = fixed + set * row;
  const auto caches = [&](MemoryPlan made, std::size_t left) {
    // A single problem rarely returns to rows that left its working set long ago: computing them
    // again takes less time than pages that the system provides anew.
    if (size.long_rows && problems == 1)
      left = std::min(left, std::max(set * row, least_cached_bytes));
    made.shared_bytes = pairs ? left / 5 * 3 : left;
    made.private_bytes = pairs ? left / 5 * 2 / made.at_once : 0;
    return made;
  };
  // Rows of a single problem are computed where they are summed, and only stored if they may be
  // summed again soon. Several problems share rows.
  if (const std::size_t least = fixed + most_rows_fetched * row;
      size.few_values && problems == 1 && 2 * least <= bytes)
    return caches({1, 0, most_rows_fetched, 0, 0}, bytes - least);
  // The cache stores rows in blocks, unless they are long: those of a working set may retain twice
  // as many.
  if ((size.long_rows ? whole : 2 * whole) <= bytes) {
    const std::size_t at_once =
        std::clamp<std::size_t>(bytes / (2 * whole), 1, std::min(threads, problems));
    return caches({at_once, {}, most_rows_fetched, 0, 0}, bytes - at_once * whole);
  }
  if (const std::size_t need = fixed + fewest_rows * row; need > bytes)
    throw MemoryError(
        "a kernel machine on " + std::to_string(size.rows) + " rows needs at least " +
        mebibytes_above(need) + " in addition to the samples: " + std::to_string(fewest_rows) +
        " kernel rows (" + std::to_string(fewest_rows) + " x " + std::to_string(row_values) +
        " x " + std::to_string(sizeof(float)) + " bytes), a working set of " + std::to_string(set) +
        " and the gradients; " + std::to_string(bytes >> 20) +
        " MiB are left. Train on fewer rows or raise --memory");
  const std::size_t rows = (bytes - fixed) / row;
  const std::size_t fetched = std::clamp(rows / 4, fewest_rows, most_rows_fetched);
  // Rows that are not cached are computed again where they are summed, which takes no longer than
  // reading them: the cache then has those that entered last, whatever their slots.
  const std::size_t held = size.long_rows ? 0 : std::min(rows - fetched, set);
  return caches({1, held, fetched, 0, 0}, bytes - fixed - (held + fetched) * row);
}

BinaryTraining::BinaryTraining(const ClassProblems& p, const Opponents& pair,
                               std::size_t cache_bytes, numerics::RowCache& of_positive,
                               numerics::RowCache& of_negative,
                               const numerics::DualOptions& options, Context& context) {
  const auto a = static_cast<std::size_t>(pair.positive);
  const auto b = static_cast<std::size_t>(pair.negative);
  across_[0] = std::make_unique<numerics::RowCache>(p.source, p.rows(a), p.rows(b), cache_bytes);
  across_[1] = std::make_unique<numerics::RowCache>(p.source, p.rows(b), p.rows(a), cache_bytes);
  problem_.parts = {p.rows(a), p.rows(b)};
  problem_.rows[0][0] = &of_positive;
  problem_.rows[0][1] = across_[0].get();
  problem_.rows[1][0] = across_[1].get();
  problem_.rows[1][1] = &of_negative;
  problem_.labels.assign(p.rows(a).count, 1);
  problem_.labels.resize(p.rows(a).count + p.rows(b).count, -1);
  for (const numerics::Range& part : problem_.parts) {
    const auto costs = std::span(p.costs).subspan(part.first, part.count);
    problem_.costs.insert(problem_.costs.end(), costs.begin(), costs.end());
  }
  solver_.emplace(problem_, options, context);
}

BinaryTraining::BinaryTraining(const ClassProblems& p, const Opponents& pair,
                               numerics::RowCache& of_all, const numerics::DualOptions& options,
                               Context& context) {
  problem_.parts = {{0, p.starts.back()}};
  problem_.rows[0][0] = &of_all;
  for (std::size_t c = 0; c < p.classes(); ++c) {
    const bool positive = c == static_cast<std::size_t>(pair.positive);
    problem_.labels.resize(p.starts[c + 1], static_cast<signed char>(positive ? 1 : -1));
  }
  problem_.costs = p.costs;
  solver_.emplace(problem_, options, context);
}

KernelCaches::KernelCaches(const ClassProblems& problems, const MemoryPlan& memory,
                           const numerics::DualOptions& options, Context& context)
    : p_(problems),
      memory_(memory),
      options_(options),
      context_(context),
      pairs_(problems.one_versus_one && problems.classes() > 2) {
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

std::unique_ptr<BinaryTraining> KernelCaches::open(const Opponents& pair) {
  if (!pairs_) return std::make_unique<BinaryTraining>(p_, pair, *shared_[0], options_, context_);
  return std::make_unique<BinaryTraining>(
      p_, pair, memory_.private_bytes / 2, *shared_[static_cast<std::size_t>(pair.positive)],
      *shared_[static_cast<std::size_t>(pair.negative)], options_, context_);
}

numerics::DualSolution KernelCaches::unsolved(const Opponents& pair) const {
  numerics::DualSolution nothing;
  nothing.certificate = stop_certificate(context_);
  nothing.violation = 2;
  const auto add = [&](std::size_t c) {
    for (std::size_t i = p_.starts[c]; i < p_.starts[c + 1]; ++i) nothing.primal += p_.costs[i];
  };
  if (pairs_) {
    add(static_cast<std::size_t>(pair.positive));
    add(static_cast<std::size_t>(pair.negative));
  } else {
    for (std::size_t c = 0; c < p_.classes(); ++c) add(c);
  }
  return nothing;
}

}  // namespace semblance::kernel
