// SPDX-License-Identifier: MIT
#include "kernels/pair_rows.hpp"

#include <algorithm>

#include "semblance_numerics/row_sums.hpp"

namespace semblance::pairs {
namespace {

// Columns of one task.
constexpr std::size_t chunk = 8192;
// The number of multiply-adds of a matrix product that take as long as one value of a row, measured
// with 500 examples (Zen 3, AVX2).
constexpr double operations_of_a_value = 8;

}  // namespace

PairRows::PairRows(const PairKernel& kernel, MatrixView standard, const PairColumns& pairs,
                   Sums how)
    : kernel_(kernel), standard_(standard), pairs_(pairs), how_(how) {
  if (how != Sums::rows && is_pair_sum(kernel))
    products_.emplace(*kernel.symmetric_sum(), standard, pairs.first(), pairs.second());
}

void PairRows::row(std::uint32_t variable, std::size_t first, std::size_t count, float* out) const {
  const float* const a = standard_.row(static_cast<std::size_t>(pairs_.first()[variable]));
  const float* const b = standard_.row(static_cast<std::size_t>(pairs_.second()[variable]));
  const float sign = pairs_.signs().empty() ? 0.0F : pairs_.signs()[variable];
  pairs_.evaluate(kernel_, a, b, sign, first, count, out);
}

void PairRows::values(std::uint32_t variable, std::span<const std::uint32_t> others,
                      float* out) const {
  constexpr std::size_t at_once = 256;
  float ac[at_once], ad[at_once], bc[at_once], bd[at_once], order[at_once];
  const float* const a = standard_.row(static_cast<std::size_t>(pairs_.first()[variable]));
  const float* const b = standard_.row(static_cast<std::size_t>(pairs_.second()[variable]));
  const bool ordered = !pairs_.signs().empty();
  for (std::size_t first = 0; first < others.size(); first += at_once) {
    const std::size_t count = std::min(at_once, others.size() - first);
    for (std::size_t j = 0; j < count; ++j) {
      const std::uint32_t other = others[first + j];
      const std::int32_t c = pairs_.first()[other], d = pairs_.second()[other];
      ac[j] = a[c], ad[j] = a[d], bc[j] = b[c], bd[j] = b[d];
      order[j] = ordered ? pairs_.signs()[variable] * pairs_.signs()[other] : 0.0F;
    }
    kernel_.evaluate_columns({ac, ad, bc, bd, order, count}, out + first);
  }
}

void PairRows::add(std::span<const std::uint32_t> variables, std::span<const double> factors,
                   std::span<double> sums, Context& context) const {
  const double values = static_cast<double>(variables.size()) * static_cast<double>(sums.size());
  if (products_ &&
      (how_ == Sums::products || products_->operations(variables) < operations_of_a_value * values))
    // A partial sum would leave gradients that match no solution.
    return static_cast<void>(products_->add(variables, factors, sums, context, false));
  context.parallel_for((sums.size() + chunk - 1) / chunk, [&](std::size_t c) {
    const std::size_t from = c * chunk;
    add_rows(variables, factors, from, sums.subspan(from, std::min(chunk, sums.size() - from)));
  });
}

void PairRows::add_rows(std::span<const std::uint32_t> variables, std::span<const double> factors,
                        std::size_t first, std::span<double> sums) const {
  // Pieces of four rows at a time, in the first-level cache with the sums.
  constexpr std::size_t columns = 512, rows = 4;
  float values[rows][columns];
  const float* const pointers[rows] = {values[0], values[1], values[2], values[3]};
  for (std::size_t j = 0; j < sums.size(); j += columns) {
    const std::size_t count = std::min(columns, sums.size() - j);
    for (std::size_t r = 0; r < variables.size(); r += rows) {
      const std::size_t some = std::min(rows, variables.size() - r);
      for (std::size_t i = 0; i < some; ++i) row(variables[r + i], first + j, count, values[i]);
      numerics::add_rows(pointers, factors.data() + r, some, sums.data() + j, count);
    }
  }
}

}  // namespace semblance::pairs
