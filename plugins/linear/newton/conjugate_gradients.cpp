// SPDX-License-Identifier: MIT
#include "newton/conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "problem/sweep.hpp"

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

constexpr std::size_t most_iterations = 100;

}  // namespace

bool worth_cholesky(std::size_t dimension, double products) noexcept {
  return cholesky_cost(0, dimension) < spared_products * products;
}

std::size_t rows_to_sample(double values, std::size_t problems) noexcept {
  // S rows take S^2 d / 2 multiply-adds to make it, and on similarity maps of images 66 (1 + d / 20
  // S) sweeps of 2 values per problem.
  return static_cast<std::size_t>(std::cbrt(6.6 * values * static_cast<double>(problems)));
}

SharedPreconditioner::SharedPreconditioner(SquaredLosses& problem, PreconditionerKind kind,
                                           std::size_t memory, Context& context)
    : problem_(problem), context_(context), memory_(memory), kind_(kind) {
  const std::size_t d = problem.dimension(), rows = problem.data().rows.rows();
  const double values = problem.values();
  most_rows_ = std::min(rows, rows_to_sample(values, problem.problems()));
  if (kind == PreconditionerKind::automatic) {
    const bool few = static_cast<double>(most_rows_) < most_sampled * static_cast<double>(d);
    const bool worth = worth_cholesky(d, 2 * values * static_cast<double>(problem.problems()));
    kind_ = few && !problem.data().sparse ? PreconditionerKind::sampled
            : worth                       ? PreconditionerKind::cholesky
                                          : PreconditionerKind::diagonal;
  }
  check_memory();
}

void SharedPreconditioner::check_memory() const {
  const bool cholesky = kind_ == PreconditionerKind::cholesky;
  const std::size_t d = problem_.dimension(), threads = context_.threads();
  const std::size_t needed = cholesky ? cholesky_bytes(d, threads)
                             : kind_ == PreconditionerKind::sampled
                                 ? sampled_bytes(most_rows_, d, threads)
                                 : 0;
  context_.log(LogLevel::debug, std::string(cholesky      ? "Cholesky"
                                            : needed == 0 ? "diagonal"
                                                          : "sampled") +
                                    " preconditioner; it takes " + mebibytes(needed) + " of " +
                                    mebibytes(memory_));
  if (needed <= memory_) return;
  const std::string what =
      cholesky ? "a Cholesky preconditioner for "
               : "a preconditioner of " + std::to_string(most_rows_) + " sampled rows for ";
  throw MemoryError(what + std::to_string(d) + " columns takes " + mebibytes(needed) +
                    ", of the memory budget " + mebibytes(memory_) +
                    " are left; raise --memory or set preconditioner: diagonal, which takes less "
                    "memory and more time");
}

bool SharedPreconditioner::changes(std::size_t sweeps) const {
  if (kind_ != PreconditionerKind::sampled) return false;
  if (begins_) return true;
  const auto d = static_cast<double>(problem_.dimension()), rows = static_cast<double>(most_rows_);
  const double product = 2 * problem_.values() * static_cast<double>(problem_.problems());
  const double cost = (rows * rows * d / 2 + rows * rows * rows / 3) / product;
  return static_cast<double>(sweeps - sampled_at_) >= worth_remaking * cost;
}

bool SharedPreconditioner::prepare(SquaredLosses::Live live, std::size_t sweeps) {
  const bool anew = !sampled_ || changes(sweeps);
  if (made_ && !anew) return true;
  made_.reset();
  // A rank may have no rows, so its data do not show whether sampling was done.
  if (anew && !sample(live)) return false;
  if (anew) sampled_at_ = sweeps;
  const auto& data = problem_.data();
  const HessianSample sample{data.rows, shares_,      data.cost,  data.bias,
                             stretch_,  importances_, data.centre};
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

std::size_t SharedPreconditioner::wanted_rows(std::size_t live) const {
  const std::size_t rows = problem_.data().rows.rows(), d = problem_.dimension();
  if (kind_ != PreconditionerKind::sampled)
    return std::max(rows_per_dimension * d, 4 * worth_products * rows * live / d);
  return begins_ ? std::max<std::size_t>(most_rows_ / first_share, 1) : most_rows_;
}

bool SharedPreconditioner::sample(SquaredLosses::Live live) {
  // At the first call the problems are at their start, except after reset().
  begins_ = begins_ && !sampled_;
  shares_ = problem_.active_shares(live);
  const auto& data = problem_.data();
  const std::size_t rows = data.rows.rows();
  if (kind_ == PreconditionerKind::sampled) {
    importances_ = row_importances({data.rows, shares_, data.cost, data.bias}, context_);
    if (context_.stop_requested() != StopReason::none) return false;
  }
  const std::vector<float>& matters = importances_.empty() ? shares_ : importances_;
  std::vector<double> sums(2);  // number of nonzero shares, and sum of all
  const RowParts parts(rows);
  const std::size_t first_row = problem_.own().first_row;
  sum_over_parts(context_, parts, sums, [&](std::size_t part, std::span<double> sum) {
    for (std::size_t i = parts.first_row(part); i < parts.first_row(part + 1); ++i) {
      const float importance = matters[i - first_row];
      if (importance > 0) ++sum[0];
      sum[1] += importance;
    }
  });
  const auto wanted = static_cast<double>(wanted_rows(live.size()));
  stretch_ = sums[0] > wanted ? sums[1] / wanted : 0;
  sampled_ = true;
  return true;
}

ConjugateGradients::ConjugateGradients(SquaredLosses& problem,
                                       const SharedPreconditioner& preconditioner)
    : problem_(problem),
      preconditioner_(preconditioner),
      states_(problem.problems()),
      results_(problem.problems()),
      products_(problem.problems()) {}

bool ConjugateGradients::solve(const Vectors<double>& gradient, SquaredLosses::Live live,
                               const std::vector<CgTarget>& targets, Vectors<double>& steps) {
  const std::size_t d = problem_.dimension();
  // Allocated only when needed: a problem may be solved without a step.
  for (Vectors<double>* vectors : {&residual_, &direction_, &product_})
    if (vectors->count() == 0) *vectors = Vectors<double>(problem_.problems(), d);
  for (const std::size_t c : live) {
    std::transform(gradient.row(c), gradient.row(c) + d, residual_.row(c),
                   [](double x) { return -x; });
    std::fill_n(steps.row(c), d, 0.0);
  }
  preconditioner_.apply(residual_, live, direction_);
  std::vector<std::size_t> open;
  for (const std::size_t c : live) {
    const double rho = dot(residual_.row(c), direction_.row(c), d);
    states_[c] = {rho, rho, 0, 0, rho, false};
    if (rho > 0) open.push_back(c);
  }
  for (std::size_t i = 0; i < most_iterations && !open.empty(); ++i) {
    if (!problem_.hessian_product(direction_, open, product_)) return false;
    ++sweeps_;
    problem_.context().parallel_for(open.size(), [&](std::size_t k) {
      advance(open[k], targets[open[k]], steps.row(open[k]));
    });
    preconditioner_.apply(residual_, open, product_);
    std::vector<char> done(open.size());
    problem_.context().parallel_for(
        open.size(), [&](std::size_t k) { done[k] = turn(open[k], targets[open[k]]) ? 1 : 0; });
    std::size_t at = 0;
    std::erase_if(open, [&](std::size_t) { return done[at++] != 0; });
  }
  for (const std::size_t c : live) results_[c] = {std::sqrt(states_[c].ss), states_[c].finished};
  return true;
}

/// Moves along the direction, at most to the radius.
void ConjugateGradients::advance(std::size_t problem, const CgTarget& target, double* step) {
  State& s = states_[problem];
  const std::size_t d = problem_.dimension();
  const double *p = direction_.row(problem), *hp = product_.row(problem);
  ++products_[problem];
  double alpha = s.rho / dot(p, hp, d);
  const double reach = target.radius * target.radius;
  if (s.ss + 2 * alpha * s.sp + alpha * alpha * s.pp >= reach) {
    alpha = (std::sqrt(s.sp * s.sp + s.pp * (reach - s.ss)) - s.sp) / s.pp;
    s.finished = true;
  }
  s.ss += 2 * alpha * s.sp + alpha * alpha * s.pp;
  double* residual = residual_.row(problem);
  for (std::size_t j = 0; j < d; ++j) {
    step[j] += alpha * p[j];
    residual[j] -= alpha * hp[j];
  }
  s.sp += alpha * s.pp;
}

/// Computes the next direction from M^-1 r in product_. True if the problem is done.
bool ConjugateGradients::turn(std::size_t problem, const CgTarget& target) {
  State& s = states_[problem];
  const std::size_t d = problem_.dimension();
  const double *r = residual_.row(problem), *z = product_.row(problem);
  const double rho = dot(r, z, d), beta = rho / s.rho;
  s.rho = rho;
  s.sp *= beta;
  s.pp = rho + beta * beta * s.pp;
  double* p = direction_.row(problem);
  for (std::size_t j = 0; j < d; ++j) p[j] = z[j] + beta * p[j];
  if (s.finished || !(rho > 0)) return true;
  const bool reduced = rho <= target.reduction * target.reduction * s.start;
  return reduced && (target.residual == 0 || dot(r, r, d) <= target.residual * target.residual);
}

}  // namespace semblance::linear
