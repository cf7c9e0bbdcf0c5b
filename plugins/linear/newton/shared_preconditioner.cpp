// SPDX-License-Identifier: MIT
#include "newton/shared_preconditioner.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "problem/sweep.hpp"
#include "sparse/sparse_sweep.hpp"

namespace semblance::linear {
namespace {

// Sampled rows per dimension, enough for a good approximation by a Cholesky factor. On similarity
// maps of images twice as many save a tenth of the sweeps, and half as many double them.
constexpr std::size_t rows_per_dimension = 2;

// Its cost limit, as a number of Hessian products.
constexpr std::size_t worth_products = 16;

// Without it problems with many columns take hundreds of products: on a map of 50,000 x 20,000, 979
// instead of 66. The cost limit of its factorisation, as a number of products.
constexpr double spared_products = 300;

// With more sampled rows than this multiple of the columns, a sampled preconditioner costs more
// than it saves over a Cholesky factor.
constexpr double most_sampled = 0.6;

// The first preconditioner has this fraction of the sampled rows.
constexpr std::size_t first_share = 4;

// A sampled preconditioner is made anew once this multiple of its cost has been spent on sweeps.
constexpr double worth_remaking = 4;

std::string mebibytes(std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

bool worth_cholesky(std::size_t dimension, double products) noexcept {
  return cholesky_cost(0, dimension) < spared_products * products;
}

std::size_t rows_to_sample(double values, std::size_t problems) noexcept {
  // S rows take S^2 d / 2 multiply-adds to make it, and on similarity maps of images 66 (1 + d / 20
  // S) sweeps of 2 values per problem.
  return static_cast<std::size_t>(std::cbrt(6.6 * values * static_cast<double>(problems)));
}

SharedPreconditioner::SharedPreconditioner(const LinearTask& task, std::size_t problems,
                                           PreconditionerKind kind, std::size_t memory,
                                           Context& context)
    : task_(task),
      problems_(problems),
      context_(context),
      values_(task.sparse() ? sparse_values(task.training.rows)
                            : static_cast<double>(task.training.rows.rows()) *
                                  static_cast<double>(task.dimension())),
      kind_(kind) {
  const std::size_t d = task.dimension();
  most_rows_ = std::min(task.training.rows.rows(), rows_to_sample(values_, problems));
  if (kind == PreconditionerKind::automatic) {
    const bool few = static_cast<double>(most_rows_) < most_sampled * static_cast<double>(d);
    const bool worth = worth_cholesky(d, 2 * values_ * static_cast<double>(problems));
    kind_ = few && !task.sparse() ? PreconditionerKind::sampled
            : worth               ? PreconditionerKind::cholesky
                                  : PreconditionerKind::diagonal;
  }
  check_memory(memory);
}

void SharedPreconditioner::check_memory(std::size_t memory) const {
  const bool cholesky = kind_ == PreconditionerKind::cholesky;
  const std::size_t d = task_.dimension(), threads = context_.threads();
  const std::size_t needed = cholesky ? cholesky_bytes(d, threads)
                             : kind_ == PreconditionerKind::sampled
                                 ? sampled_bytes(most_rows_, d, threads)
                                 : 0;
  context_.log(LogLevel::debug, std::string(cholesky      ? "Cholesky"
                                            : needed == 0 ? "diagonal"
                                                          : "sampled") +
                                    " preconditioner; it takes " + mebibytes(needed) + " of " +
                                    mebibytes(memory));
  if (needed <= memory) return;
  const std::string what =
      cholesky ? "a Cholesky preconditioner for "
               : "a preconditioner of " + std::to_string(most_rows_) + " sampled rows for ";
  throw MemoryError(what + std::to_string(d) + " columns takes " + mebibytes(needed) +
                    ", of the memory budget " + mebibytes(memory) +
                    " are left; raise --memory or set preconditioner: diagonal, which takes less "
                    "memory and more time");
}

bool SharedPreconditioner::changes(std::size_t sweeps) const {
  if (kind_ != PreconditionerKind::sampled) return false;
  if (begins_) return true;
  const auto d = static_cast<double>(task_.dimension()), rows = static_cast<double>(most_rows_);
  const double product = 2 * values_ * static_cast<double>(problems_);
  const double cost = (rows * rows * d / 2 + rows * rows * rows / 3) / product;
  return static_cast<double>(sweeps - sampled_at_) >= worth_remaking * cost;
}

bool SharedPreconditioner::prepare(const numerics::SquaredLosses& losses,
                                   std::span<const std::size_t> live, std::size_t sweeps) {
  const bool anew = !sampled_ || changes(sweeps);
  if (made_ && !anew) return true;
  made_.reset();
  // A rank may have no rows, so its data do not show whether sampling was done.
  if (anew && !sample(losses, live)) return false;
  if (anew) sampled_at_ = sweeps;
  const HessianSample sample{task_.training.rows, shares_,  losses.data().cost,
                             task_.bias,          stretch_, importances_,
                             task_.centre};
  switch (kind_) {
    case PreconditionerKind::sampled:
      made_ = sampled_preconditioner(sample, context_);
      break;
    case PreconditionerKind::diagonal:
      made_ = diagonal_preconditioner(sample, context_);
      break;
    default:
      made_ = cholesky_preconditioner(sample, context_);
  }
  return made_ != nullptr;
}

std::size_t SharedPreconditioner::retained_bytes() const noexcept {
  const std::size_t shares = (shares_.size() + importances_.size()) * sizeof(float),
                    d = task_.dimension();
  if (kind_ == PreconditionerKind::cholesky) return shares + cholesky_retained_bytes(d);
  return shares +
         (kind_ == PreconditionerKind::sampled ? sampled_retained_bytes(most_rows_, d) : 0);
}

std::size_t SharedPreconditioner::wanted_rows(std::size_t live) const {
  const std::size_t rows = task_.training.rows.rows(), d = task_.dimension();
  if (kind_ != PreconditionerKind::sampled)
    return std::max(rows_per_dimension * d, 4 * worth_products * rows * live / d);
  return begins_ ? std::max<std::size_t>(most_rows_ / first_share, 1) : most_rows_;
}

bool SharedPreconditioner::sample(const numerics::SquaredLosses& losses,
                                  std::span<const std::size_t> live) {
  // At the first call the problems are at their start, except after reset().
  begins_ = begins_ && !sampled_;
  shares_ = losses.active_shares(live);
  if (kind_ == PreconditionerKind::sampled) {
    importances_ =
        row_importances({task_.training.rows, shares_, losses.data().cost, task_.bias}, context_);
    if (context_.stop_requested() != StopReason::none) return false;
  }
  const std::vector<float>& matters = importances_.empty() ? shares_ : importances_;
  double some = 0, sum = 0;
  for (const float importance : context_.collectives().gather(matters)) {
    if (importance > 0) ++some;
    sum += double{importance};
  }
  const auto wanted = static_cast<double>(wanted_rows(live.size()));
  stretch_ = some > wanted ? sum / wanted : 0;
  sampled_ = true;
  return true;
}

}  // namespace semblance::linear
