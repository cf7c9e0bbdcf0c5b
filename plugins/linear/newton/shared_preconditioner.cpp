// SPDX-License-Identifier: MIT
#include "newton/shared_preconditioner.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "problem/sweep.hpp"
#include "sparse/sparse_sweep.hpp"

namespace semblance::linear {
namespace {

// It is made anew once this multiple of its cost has been spent on sweeps.
constexpr double worth_remaking = 4;

std::string mebibytes(std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

std::size_t rows_to_sample(double values, std::size_t problems) noexcept {
  // S rows take S^2 d / 2 multiply-adds to make it, and on similarity maps of images 66 (1 + d / 20
  // S) sweeps of 2 values per problem.
  constexpr std::size_t negligible = 100;
  return std::max(negligible, static_cast<std::size_t>(
                                  std::cbrt(6.6 * values * static_cast<double>(problems))));
}

SharedPreconditioner::SharedPreconditioner(const LinearTask& task, std::size_t problems,
                                           std::size_t memory, Context& context)
    : task_(task),
      problems_(problems),
      context_(context),
      values_(static_cast<double>(task.training.rows.rows()) *
              static_cast<double>(task.dimension())),
      most_rows_(std::min(task.training.rows.rows(), rows_to_sample(values_, problems))) {
  check_memory(memory);
}

void SharedPreconditioner::check_memory(std::size_t memory) const {
  if (task_.sparse()) return;
  const std::size_t d = task_.dimension(),
                    needed = sampled_bytes(most_rows_, d, context_.threads());
  context_.log(LogLevel::debug, "a preconditioner of " + std::to_string(most_rows_) +
                                    " rows takes " + mebibytes(needed) + " of " +
                                    mebibytes(memory));
  if (needed <= memory) return;
  throw MemoryError("a preconditioner of " + std::to_string(most_rows_) + " sampled rows for " +
                    std::to_string(d) + " columns takes " + mebibytes(needed) +
                    ", of the memory budget " + mebibytes(memory) +
                    " are left; raise --memory, or train on fewer rows or columns");
}

bool SharedPreconditioner::due(std::size_t sweeps) const {
  if (!made_) return true;
  if (task_.sparse()) return false;
  const auto d = static_cast<double>(task_.dimension()), rows = static_cast<double>(most_rows_);
  const double product = 2 * values_ * static_cast<double>(problems_);
  const double cost = (rows * rows * d / 2 + rows * rows * rows / 3) / product;
  return static_cast<double>(sweeps - made_at_) >= worth_remaking * cost;
}

bool SharedPreconditioner::prepare(const numerics::SquaredLosses& losses,
                                   std::span<const std::size_t> live, std::size_t sweeps) {
  if (!due(sweeps)) return true;
  made_.reset();
  made_at_ = sweeps;
  const std::vector<float> shares = losses.active_shares(live);
  const HessianSample sample{task_.training.rows, shares, losses.data().cost, task_.bias,
                             task_.centre};
  made_ = task_.sparse() ? diagonal_preconditioner(sample, context_)
                         : sampled_preconditioner(sample, most_rows_, context_);
  return made_ != nullptr;
}

std::size_t SharedPreconditioner::retained_bytes() const noexcept {
  return task_.sparse() ? 0 : sampled_retained_bytes(most_rows_, task_.dimension());
}

}  // namespace semblance::linear
