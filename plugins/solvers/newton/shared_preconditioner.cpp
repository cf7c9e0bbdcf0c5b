// SPDX-License-Identifier: MIT
#include "newton/shared_preconditioner.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace semblance::solvers {
namespace {

// Sampled rows a dimension: enough for a Cholesky factor to be a good approximation. On similarity
// maps of images twice as many save a tenth of the sweeps, half as many double them.
constexpr std::size_t rows_a_dimension = 2;

// It may cost about as much as so many Hessian products.
constexpr std::size_t worth_products = 16;

// Without it problems of many columns take hundreds of products: on a map of 50,000 x 20,000, 979
// instead of 66. Its factorisation may cost as much as so many.
constexpr double spared_products = 300;

// A sampled preconditioner of so many times the columns takes more than a Cholesky factor of that
// many sampled rows spares.
constexpr double most_sampled = 0.6;

// Sampled rows of the first one.
constexpr std::size_t first_share = 4;

std::string mebibytes(std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

bool worth_cholesky(std::size_t dimension, double products) noexcept {
  return cholesky_cost(0, dimension) < spared_products * products;
}

std::size_t rows_to_sample(double values, std::size_t problems) noexcept {
  // S rows take S^2 d / 2 multiply-adds to make it, and on similarity maps of images 66 (1 + d / 20
  // S) sweeps of 2 values a problem.
  return static_cast<std::size_t>(std::cbrt(6.6 * values * static_cast<double>(problems)));
}

SharedPreconditioner::SharedPreconditioner(SquaredHinge& problem, PreconditionerKind kind,
                                           std::size_t memory, Context& context)
    : problem_(problem), context_(context), kind_(kind) {
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
  check_memory(memory);
}

void SharedPreconditioner::check_memory(std::size_t memory) const {
  if (kind_ == PreconditionerKind::diagonal) return;
  const bool cholesky = kind_ == PreconditionerKind::cholesky;
  const std::size_t d = problem_.dimension();
  const std::size_t needed = cholesky ? cholesky_bytes(d, context_.threads())
                                      : sampled_bytes(most_rows_, d, context_.threads());
  context_.log(LogLevel::debug, std::string(cholesky ? "Cholesky" : "sampled") +
                                    " preconditioner takes " + mebibytes(needed) + " of " +
                                    mebibytes(memory));
  if (needed <= memory) return;
  const std::string what =
      cholesky ? "a Cholesky preconditioner for "
               : "a preconditioner of " + std::to_string(most_rows_) + " sampled rows for ";
  throw Error(what + std::to_string(d) + " columns takes " + mebibytes(needed) +
              ", of the memory budget " + mebibytes(memory) +
              " are left; raise --memory or set preconditioner: diagonal, which takes less "
              "memory and more time");
}

bool SharedPreconditioner::prepare(SquaredHinge::Live live) {
  const bool changes = begins_ && kind_ == PreconditionerKind::sampled;
  if (made_ && !changes) return true;
  made_.reset();
  // A rank may have no rows: what is not sampled is not told by what it has.
  if (!sampled_ || changes) sample(live);
  const auto& data = problem_.data();
  const HessianSample sample{data.rows, shares_, data.cost, data.bias, stretch_};
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
    return std::max(rows_a_dimension * d, 4 * worth_products * rows * live / d);
  return begins_ ? std::max<std::size_t>(most_rows_ / first_share, 1) : most_rows_;
}

void SharedPreconditioner::sample(SquaredHinge::Live live) {
  // The first call finds the problems where they begin, unless forget() says otherwise.
  begins_ = begins_ && !sampled_;
  shares_ = problem_.active_shares(live);
  const std::size_t rows = problem_.data().rows.rows();
  std::vector<double> sums(2);  // how many are not zero, and of them all
  const RowParts parts(rows);
  const std::size_t first_row = problem_.own().first_row;
  sum_over_parts(context_, parts, sums, [&](std::size_t part, std::span<double> sum) {
    for (std::size_t i = parts.first_row(part); i < parts.first_row(part + 1); ++i) {
      const float share = shares_[i - first_row];
      if (share > 0) ++sum[0];
      sum[1] += share;
    }
  });
  const auto wanted = static_cast<double>(wanted_rows(live.size()));
  stretch_ = sums[0] > wanted ? sums[1] / wanted : 0;
  sampled_ = true;
}

void SharedPreconditioner::note(Notes& notes) const {
  notes.integer("sampled", sampled_ ? 1 : 0);
  notes.integer("begins", begins_ ? 1 : 0);
  if (!sampled_) return;
  notes.number("stretch", stretch_);
  notes.by_row("shares", std::vector<double>(shares_.begin(), shares_.end()));
}

void SharedPreconditioner::go_on(const NotesReader& kept) {
  begins_ = kept.integer("begins") != 0;
  if (kept.integer("sampled") == 0) return;
  const std::vector<double> all = kept.doubles("shares", problem_.data().rows.rows());
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(problem_.own().first_row);
  shares_.assign(first, first + static_cast<std::ptrdiff_t>(problem_.own().rows));
  stretch_ = kept.number("stretch");
  sampled_ = true;
}

}  // namespace semblance::solvers
