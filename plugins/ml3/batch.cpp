// SPDX-License-Identifier: MIT
#include "batch.hpp"

#include <algorithm>

namespace semblance::ml3 {

Batch::Batch(const Problem& problem, std::size_t most, std::size_t values_a_sample)
    : problem_(problem), rows_(problem, most), values_(most, values_a_sample) {}

void Batch::take(const BatchRows& rows, std::span<const std::uint32_t> order, std::size_t first,
                 std::size_t count, bool multiply) {
  rows_.clear();
  samples_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    rows.expect(first + i);
    const std::uint32_t number = order[first + i];
    rows_.add(rows.row(first + i), number);
    const std::span<float> values = values_.view().row_span(i);
    std::ranges::copy(rows.values(first + i), values.begin());
    samples_.push_back({number, i, static_cast<std::size_t>(problem_.labels[number]), values});
  }
  rows_.prepare(multiply);
}

std::size_t Batch::taken_ahead(const Problem& problem, std::size_t most,
                               std::size_t values_a_sample) noexcept {
  constexpr std::size_t values = std::size_t{1} << 18;  // which L2 holds
  const std::size_t room = values / (most * (problem.inputs() + values_a_sample));
  const std::size_t all = (problem.rows.rows + most - 1) / most;
  return std::clamp<std::size_t>(std::min(room, all), 1, 16);
}

}  // namespace semblance::ml3
