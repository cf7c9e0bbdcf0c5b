// SPDX-License-Identifier: MIT
#include "newton/shared_preconditioner.hpp"

#include <algorithm>
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

std::string mebibytes(std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

bool worth_cholesky(std::size_t dimension, double products) noexcept {
  return cholesky_cost(0, dimension) < spared_products * products;
}

SharedPreconditioner::SharedPreconditioner(SquaredHinge& problem, PreconditionerKind kind,
                                           std::size_t memory, Context& context)
    : problem_(problem), context_(context) {
  const std::size_t d = problem.dimension();
  const std::size_t needed = cholesky_bytes(d, context.threads());
  const bool worth =
      worth_cholesky(d, 2 * problem.values() * static_cast<double>(problem.problems()));
  cholesky_ =
      kind == PreconditionerKind::cholesky || (kind == PreconditionerKind::automatic && worth);
  if (cholesky_ && needed > memory)
    throw Error("a Cholesky preconditioner for " + std::to_string(d) + " columns takes " +
                mebibytes(needed) + ", of the memory budget " + mebibytes(memory) +
                " are left; raise --memory or set preconditioner: diagonal, which takes less "
                "memory and more time");
  context.log(LogLevel::debug, std::string(cholesky_ ? "Cholesky" : "diagonal") +
                                   " preconditioner; Cholesky would take " + mebibytes(needed) +
                                   " of " + mebibytes(memory));
}

bool SharedPreconditioner::prepare(SquaredHinge::Live live) {
  if (made_) return true;
  // A rank may have no rows: what is not sampled is not told by what it has.
  if (!sampled_) sample(live);
  const auto& data = problem_.data();
  const HessianSample sample{data.rows, shares_, data.cost, data.bias, stretch_};
  made_ = cholesky_ ? cholesky_preconditioner(sample, context_)
                    : diagonal_preconditioner(sample, context_);
  return made_ != nullptr;
}

void SharedPreconditioner::sample(SquaredHinge::Live live) {
  shares_ = problem_.active_shares(live);
  const std::size_t rows = problem_.data().rows.rows(), d = problem_.dimension();
  const std::size_t wanted =
      std::max(rows_a_dimension * d, 4 * worth_products * rows * live.size() / d);
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
  const auto wanted_rows = static_cast<double>(wanted);
  stretch_ = sums[0] > wanted_rows ? sums[1] / wanted_rows : 0;
  sampled_ = true;
}

void SharedPreconditioner::note(Notes& notes) const {
  notes.integer("sampled", sampled_ ? 1 : 0);
  if (!sampled_) return;
  notes.number("stretch", stretch_);
  notes.by_row("shares", std::vector<double>(shares_.begin(), shares_.end()));
}

void SharedPreconditioner::go_on(const NotesReader& kept) {
  if (kept.integer("sampled") == 0) return;
  const std::vector<double> all = kept.doubles("shares", problem_.data().rows.rows());
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(problem_.own().first_row);
  shares_.assign(first, first + static_cast<std::ptrdiff_t>(problem_.own().rows));
  stretch_ = kept.number("stretch");
  sampled_ = true;
}

}  // namespace semblance::solvers
