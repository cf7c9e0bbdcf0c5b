// SPDX-License-Identifier: MIT
#include "semblance_numerics/lanes_band.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace semblance::numerics {

namespace {

// The integer part of (start + i step) / divisor for i = 0, 1, ..., without a division per value.
struct Staircase {
  Staircase() = default;
  Staircase(std::int64_t start, std::int64_t step, std::int64_t divisor)
      : rise(static_cast<std::int32_t>(step / divisor)),
        rest_rise(static_cast<std::int32_t>(step % divisor)),
        divisor(static_cast<std::int32_t>(divisor)) {
    const std::int64_t down = start < 0 ? (start - divisor + 1) / divisor : start / divisor;
    value = static_cast<std::int32_t>(down);
    rest = static_cast<std::int32_t>(start - down * divisor);
  }

  void next() noexcept {
    rest += rest_rise;
    const bool over = rest >= divisor;
    value += rise + static_cast<std::int32_t>(over);
    rest -= over ? divisor : 0;
  }

  std::int32_t value = 0, rest = 0, rise = 0, rest_rise = 0, divisor = 1;
};

// 2 |i (columns - 1) - j (rows - 1)| <= reach, solved for j, before it is cut at 0 and columns - 1.
struct BandEdges {
  BandEdges() = default;
  BandEdges(std::size_t rows, std::size_t columns, double per_cent)
      : end(static_cast<std::int32_t>(columns) - 1) {
    const std::int64_t rise = end, run = static_cast<std::int64_t>(rows) - 1;
    const std::int64_t radius = band_radius(per_cent, rows, columns);
    const std::int64_t reach = std::max(2 * radius * std::min(rise, run), std::max(rise, run));
    if (run == 0) {
      last.value = end;
      return;
    }
    first = Staircase(2 * run - 1 - reach, 2 * rise, 2 * run);
    last = Staircase(reach, 2 * rise, 2 * run);
  }

  Staircase first, last;
  std::int32_t end = 0;
};

}  // namespace

std::uint32_t band_radius(double per_cent, std::size_t rows, std::size_t columns) noexcept {
  // 7 per cent of 100 is 7 and not 8, although 0.07 is a little more than that in binary.
  const double steps = per_cent * static_cast<double>(std::max(rows, columns)) / 100;
  return static_cast<std::uint32_t>(std::ceil(steps * (1 - 1e-12)));
}

void LaneBand::update(std::size_t rows, std::span<const std::uint32_t> lengths, double per_cent) {
  if (rows == rows_ && per_cent == per_cent_ && std::ranges::equal(lengths, lengths_)) return;
  rows_ = rows;
  per_cent_ = per_cent;
  lengths_.assign(lengths.begin(), lengths.end());
  longest_ = *std::ranges::max_element(lengths_);
  full_ = per_cent >= 100;
  mixed_ = !full_ && std::ranges::adjacent_find(lengths_, std::not_equal_to()) != lengths_.end();
  if (full_) return;
  if (mixed_)
    update_lanes();
  else
    update_equal_lanes();
}

void LaneBand::update_equal_lanes() {
  BandEdges edges(rows_, longest_, per_cent_);
  first_.resize(rows_);
  last_.resize(rows_);
  for (std::size_t i = 0; i < rows_; ++i) {
    first_[i] = std::max(edges.first.value, 0);
    last_[i] = std::min(edges.last.value, edges.end);
    edges.first.next();
    edges.last.next();
  }
}

void LaneBand::update_lanes() {
  const std::size_t width = lengths_.size();
  std::vector<BandEdges> edges(width);
  for (std::size_t lane = 0; lane < width; ++lane)
    edges[lane] = BandEdges(rows_, lengths_[lane], per_cent_);
  lane_first_.resize(rows_ * width);
  lane_last_.resize(rows_ * width);
  first_.assign(rows_, static_cast<std::int32_t>(longest_));
  last_.assign(rows_, 0);
  for (std::size_t i = 0; i < rows_; ++i)
    for (std::size_t lane = 0; lane < width; ++lane) {
      BandEdges& edge = edges[lane];
      const std::int32_t first = std::max(edge.first.value, 0);
      const std::int32_t last = std::min(edge.last.value, edge.end);
      lane_first_[i * width + lane] = static_cast<float>(first);
      lane_last_[i * width + lane] = static_cast<float>(last);
      first_[i] = std::min(first_[i], first);
      last_[i] = std::max(last_[i], last);
      edge.first.next();
      edge.last.next();
    }
}

}  // namespace semblance::numerics
