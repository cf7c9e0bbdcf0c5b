// SPDX-License-Identifier: MIT
#include "semblance_numerics/lanes_band.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace semblance::numerics {

namespace {

// 2 |i (columns - 1) - j (rows - 1)| <= reach, solved for j.
class BandLine {
 public:
  BandLine(std::size_t rows, std::size_t columns, double per_cent)
      : rise_(static_cast<std::int64_t>(columns) - 1), run_(static_cast<std::int64_t>(rows) - 1) {
    const std::int64_t radius = band_radius(per_cent, rows, columns);
    reach_ = std::max(2 * radius * std::min(rise_, run_), std::max(rise_, run_));
  }

  std::uint32_t first(std::size_t i) const noexcept {
    const std::int64_t above = 2 * static_cast<std::int64_t>(i) * rise_ - reach_;
    if (run_ == 0 || above <= 0) return 0;
    return static_cast<std::uint32_t>((above + 2 * run_ - 1) / (2 * run_));
  }
  std::uint32_t last(std::size_t i) const noexcept {
    if (run_ == 0) return static_cast<std::uint32_t>(rise_);
    const std::int64_t below = 2 * static_cast<std::int64_t>(i) * rise_ + reach_;
    return static_cast<std::uint32_t>(std::min(rise_, below / (2 * run_)));
  }

 private:
  std::int64_t rise_, run_, reach_;
};

}  // namespace

std::uint32_t band_radius(double per_cent, std::size_t rows, std::size_t columns) noexcept {
  // 7 per cent of 100 is 7 and not 6, although 0.07 is a little less than that in binary.
  const double steps = per_cent * static_cast<double>(std::max(rows, columns)) / 100;
  return static_cast<std::uint32_t>(std::floor(steps * (1 + 1e-12)));
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
  const BandLine line(rows_, longest_, per_cent_);
  first_.resize(rows_);
  last_.resize(rows_);
  for (std::size_t i = 0; i < rows_; ++i) {
    first_[i] = line.first(i);
    last_[i] = line.last(i);
  }
}

void LaneBand::update_lanes() {
  const std::size_t width = lengths_.size();
  lane_first_.resize(rows_ * width);
  lane_last_.resize(rows_ * width);
  first_.assign(rows_, static_cast<std::uint32_t>(longest_ - 1));
  last_.assign(rows_, 0);
  for (std::size_t lane = 0; lane < width; ++lane) {
    const BandLine line(rows_, lengths_[lane], per_cent_);
    for (std::size_t i = 0; i < rows_; ++i) {
      const std::uint32_t first = line.first(i);
      const std::uint32_t last = line.last(i);
      lane_first_[i * width + lane] = static_cast<float>(first);
      lane_last_[i * width + lane] = static_cast<float>(last);
      first_[i] = std::min(first_[i], first);
      last_[i] = std::max(last_[i], last);
    }
  }
}

}  // namespace semblance::numerics
