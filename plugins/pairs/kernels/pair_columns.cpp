// SPDX-License-Identifier: MIT
#include "kernels/pair_columns.hpp"

#include <algorithm>

namespace semblance::pairs {
namespace {

// The number of columns whose values stay in the first-level cache between gathering and
// evaluation.
constexpr std::size_t at_once = 512;
// The least length of a run of pairs that is worth a separate call.
constexpr std::size_t long_run = 96;

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

/// A piece of a long run that counts up: one side is a range of the rows themselves.
void PairColumns::evaluate_range(const PairKernel& kernel, const Run& run, const float* a,
                                 const float* b, std::size_t from, std::size_t count,
                                 float* out) const {
  float fixed_a[at_once], fixed_b[at_once];
  const auto fixed = static_cast<std::size_t>((run.first_is_fixed ? first_ : second_)[from]);
  const auto moving = static_cast<std::size_t>((run.first_is_fixed ? second_ : first_)[from]);
  std::fill_n(fixed_a, count, a[fixed]);
  std::fill_n(fixed_b, count, b[fixed]);
  if (run.first_is_fixed)
    kernel.evaluate_columns({fixed_a, a + moving, fixed_b, b + moving, nullptr, count}, out);
  else
    kernel.evaluate_columns({a + moving, fixed_a, b + moving, fixed_b, nullptr, count}, out);
}

void PairColumns::evaluate(const PairKernel& kernel, const float* a, const float* b, float sign,
                           std::size_t from, std::size_t count, float* out) const {
  float ac[at_once], ad[at_once], bc[at_once], bd[at_once], order[at_once];
  auto run = std::upper_bound(runs_.begin(), runs_.end(), from,
                              [](std::size_t place, const Run& r) { return place < r.end; });
  const std::size_t end = from + count;
  for (std::size_t j = from; j < end;) {
    const std::size_t in_run = std::min({at_once, end - j, run->end - j});
    if (run->counts_up && in_run >= long_run && signs_.empty()) {
      evaluate_range(kernel, *run, a, b, j, in_run, out + (j - from));
      j += in_run;
      if (j == run->end) ++run;
      continue;
    }
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

}  // namespace semblance::pairs
