// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/layout.hpp"
#include "semblance/samples.hpp"
#include "semblance/state.hpp"

namespace semblance {

/// The largest number that a row of a pair can hold: float32 has all whole numbers up to it.
inline constexpr std::uint32_t largest_pair_number = (std::uint32_t{1} << 24) - 1;

/// The first or the second sample of a pair.
enum class Side { first, second };
inline constexpr std::array<Side, 2> both_sides = {Side::first, Side::second};

inline constexpr std::size_t index_of(Side side) { return static_cast<std::size_t>(side); }

/// "first" or "second".
inline constexpr const char* name(Side side) { return side == Side::first ? "first" : "second"; }

/// The layout of one side's samples.
inline const Layout& part_of(const Layout& pair, Side side) {
  return pair.parts.at(index_of(side));
}

/// One sample of a pair.
struct PairPart {
  std::uint32_t number = 0;             ///< of the sample in its own source (Dataset::number())
  std::span<const float> values;        ///< of a sparse sample: of its entries
  std::span<const float> columns = {};  ///< of a sparse sample's entries: whole numbers
};

/// A row of values as two samples. The row must outlive it.
class PairView {
 public:
  /// Throws Error if the row is no pair of this layout; see write_pair().
  PairView(std::span<const float> row, const Layout& pair);

  const PairPart& part(Side side) const noexcept { return parts_[index_of(side)]; }

  /// All that the row holds of one side but its number: equal samples have equal ones.
  std::span<const float> content(Side side) const noexcept { return contents_[index_of(side)]; }

 private:
  std::array<PairPart, 2> parts_;
  std::array<std::span<const float>, 2> contents_;
};

/// The number of values of a row with samples of these numbers of values (or entries).
std::size_t pair_size(const Layout& pair, std::size_t first, std::size_t second);

/// The number of values (or entries) of one side's sample in a row.
std::size_t part_size(std::span<const float> row, const Layout& pair, Side side);

/// Writes a pair into a row of pair_size() values: the samples' numbers, the number of the first
/// sample's values, and for each sample the columns of its entries, if it is sparse, and its
/// values.
void write_pair(const PairPart& first, const PairPart& second, const Layout& pair,
                std::span<float> row);

/// The distinct samples of some pairs, in the order in which they first appear. Samples are the
/// same if they have the same number and the same values.
struct DistinctParts {
  FloatMatrix rows;                   ///< of the samples' layout
  std::vector<std::int64_t> numbers;  ///< one per row of `rows`
  std::vector<std::uint32_t> of;      ///< for each sample asked for, its row in `rows`
};

/// Those of one side: one per pair. `chosen`: only these pairs; empty: all.
DistinctParts distinct_parts(MatrixView pairs, const Layout& pair, Side side);
DistinctParts distinct_parts(const Rows& pairs, const Layout& pair, Side side,
                             std::span<const std::uint32_t> chosen, Context& context);

/// Those of both sides, of one layout: two per pair.
DistinctParts distinct_samples(MatrixView pairs, const Layout& pair);
DistinctParts distinct_samples(const Rows& pairs, const Layout& pair,
                               std::span<const std::uint32_t> chosen, Context& context);

}  // namespace semblance
