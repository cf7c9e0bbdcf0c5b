// SPDX-License-Identifier: MIT
#include "lanes/lanes.hpp"

#include <algorithm>
#include <numeric>

namespace semblance::series {

template <class T>
PackedLanes<T>::PackedLanes(std::span<const std::uint32_t> lengths, std::size_t planes)
    : planes_(planes), places_(lengths.size()) {
  std::vector<std::uint32_t> order(lengths.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return lengths[i]; });
  std::size_t steps = 0;
  for (std::size_t first = 0; first < order.size(); first += width) {
    Group& group = groups_.emplace_back();
    group.count = std::min(width, order.size() - first);
    for (std::size_t lane = 0; lane < width; ++lane) {
      const std::uint32_t sequence = order[first + std::min(lane, group.count - 1)];
      group.sequences[lane] = sequence;
      group.lengths[lane] = lengths[sequence];
    }
    for (std::size_t lane = 0; lane < group.count; ++lane)
      places_[order[first + lane]] = static_cast<std::uint32_t>(first + lane);
    group.steps = group.lengths[width - 1];
    steps += group.steps;
  }
  values_ = numerics::AlignedArray<T>(steps * planes * width);
  std::fill_n(values_.data(), values_.size(), T{});
  const T* values = values_.data();
  for (Group& group : groups_) {
    group.values = values;
    values += group.steps * planes * width;
  }
}

template <class T>
void PackedLanes<T>::set(std::size_t sequence, const T* values) noexcept {
  const Group& group = groups_[places_[sequence] / width];
  const std::size_t lane = places_[sequence] % width;
  T* to = values_.data() + (group.values - values_.data()) + lane;
  const std::size_t count = group.lengths[lane] * planes_;
  for (std::size_t k = 0; k < count; ++k) to[k * width] = values[k];
}

template class PackedLanes<float>;
template class PackedLanes<std::int16_t>;
template class PackedLanes<std::int32_t>;

}  // namespace semblance::series
