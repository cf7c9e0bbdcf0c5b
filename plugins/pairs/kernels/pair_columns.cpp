// SPDX-License-Identifier: MIT
#include "kernels/pair_columns.hpp"

#include <algorithm>

#include "semblance_numerics/row_sums.hpp"

namespace semblance::pairs {
namespace {

// The number of columns whose values stay in the first-level cache between gathering and
// evaluation.
constexpr std::size_t at_once = 512;

// Columns of one task.
constexpr std::size_t chunk = 8192;
// The number of multiply-adds of a matrix product that take as long as one value of a row, measured
// with 500 examples (Zen 3, AVX2).
constexpr double operations_of_a_value = 8;

}  // namespace

PairColumns::PairColumns(std::vector<std::int32_t> first, std::vector<std::int32_t> second,
                         std::vector<float> signs)
    : first_(std::move(first)), second_(std::move(second)), signs_(std::move(signs)) {
  find_runs();
}

void PairColumns::find_runs() {
  const std::size_t n = first_.size();
  for (std::size_t i = 0; i < n;) {
    std::size_t by_first = i + 1, by_second = i + 1;
    while (by_first < n && first_[by_first] == first_[i]) ++by_first;
    while (by_second < n && second_[by_second] == second_[i]) ++by_second;
    Run run{i, std::max(by_first, by_second), by_first >= by_second, true};
    const std::vector<std::int32_t>& moving = run.first_is_fixed ? second_ : first_;
    for (std::size_t j = i + 1; j < run.end && run.counts_up; ++j)
      run.counts_up = moving[j] == moving[j - 1] + 1;
    runs_.push_back(run);
    i = run.end;
  }
}

void PairColumns::gather(const Run& run, const float* row, std::size_t from, std::size_t count,
                         float* fixed, float* moving) const {
  const std::int32_t* const others = (run.first_is_fixed ? second_ : first_).data() + from;
  std::fill_n(fixed, count, row[(run.first_is_fixed ? first_ : second_)[from]]);
  if (run.counts_up)
    std::copy_n(row + others[0], count, moving);
  else
    for (std::size_t j = 0; j < count; ++j) moving[j] = row[others[j]];
}

void PairColumns::evaluate(const PairKernel& kernel, const float* a, const float* b, float sign,
                           std::size_t from, std::size_t count, float* out) const {
  float ac[at_once], ad[at_once], bc[at_once], bd[at_once], order[at_once];
  auto run = std::upper_bound(runs_.begin(), runs_.end(), from,
                              [](std::size_t place, const Run& r) { return place < r.end; });
  const std::size_t end = from + count;
  for (std::size_t j = from; j < end;) {
    const std::size_t block = std::min(at_once, end - j);
    for (std::size_t filled = 0; filled < block;) {
      const std::size_t at = j + filled, part = std::min(block - filled, run->end - at);
      gather(*run, a, at, part, (run->first_is_fixed ? ac : ad) + filled,
             (run->first_is_fixed ? ad : ac) + filled);
      gather(*run, b, at, part, (run->first_is_fixed ? bc : bd) + filled,
             (run->first_is_fixed ? bd : bc) + filled);
      filled += part;
      if (at + part == run->end) ++run;
    }
    if (!signs_.empty())
      for (std::size_t i = 0; i < block; ++i) order[i] = sign * signs_[j + i];
    kernel.evaluate_columns({ac, ad, bc, bd, signs_.empty() ? nullptr : order, block},
                            out + (j - from));
    j += block;
  }
}

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
