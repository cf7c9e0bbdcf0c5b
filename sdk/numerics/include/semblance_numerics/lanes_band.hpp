// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace semblance::numerics {

/// A window in per cent of the longer of two lengths, converted to whole steps on either side,
/// rounded up as in the UCR archive.
std::uint32_t band_radius(double per_cent, std::size_t rows, std::size_t columns) noexcept;

/// The columns inside the band of a dynamic programme: in row i of `rows`, against a sequence of
/// `columns` steps, those with
///
///     |i / (rows - 1) - j / (columns - 1)| (longer - 1) <= radius,
///
/// where `longer` and `shorter` are the two lengths: between equal lengths the Sakoe-Chiba band
/// |i - j| <= radius (Sakoe and Chiba 1978, eq. (9)), else the same band around the straight line
/// from the first cell to the last. It is symmetric in the two sequences. Cells that the line
/// passes within half a step of the shorter sequence always count, so that every radius leaves a
/// path. In whole numbers:
///
///     2 |i (columns - 1) - j (rows - 1)| <= max(2 radius (shorter - 1), longer - 1)
class LaneBand {
 public:
  /// Sets the band of `rows` rows against a group of lanes with these `lengths`, each at least 1,
  /// with a window of `per_cent`; 100 or more means no window. Does nothing if the band is
  /// unchanged.
  void update(std::size_t rows, std::span<const std::uint32_t> lengths, double per_cent);

  /// Whether all cells of all lanes are inside.
  bool full() const noexcept { return full_; }

  /// The first and the last column of row i that is inside for any lane; neither decreases with i.
  std::size_t first(std::size_t i) const noexcept {
    return full_ ? 0 : static_cast<std::size_t>(first_[i]);
  }
  std::size_t last(std::size_t i) const noexcept {
    return full_ ? longest_ - 1 : static_cast<std::size_t>(last_[i]);
  }

  /// Whether the lanes differ. If so, these are each lane's first and last columns in row i.
  bool mixed() const noexcept { return mixed_; }
  const float* lane_first(std::size_t i) const noexcept {
    return lane_first_.data() + i * lengths_.size();
  }
  const float* lane_last(std::size_t i) const noexcept {
    return lane_last_.data() + i * lengths_.size();
  }

 private:
  void update_equal_lanes();
  void update_lanes();

  std::size_t rows_ = 0;
  double per_cent_ = 0;
  std::vector<std::uint32_t> lengths_;
  std::size_t longest_ = 0;
  bool full_ = true;
  bool mixed_ = false;
  std::vector<std::int32_t> first_, last_;
  std::vector<float> lane_first_, lane_last_;
};

}  // namespace semblance::numerics
