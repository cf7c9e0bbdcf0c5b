// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance_numerics/aligned_array.hpp"
#include "string_panels.hpp"

namespace semblance::strings {

/// The scores of pairs of symbols and of gaps in an alignment.
struct AlignmentScores {
  /// The score of symbol a with symbol b at a * alphabet + b; empty: `match` or `mismatch`.
  std::vector<std::int8_t> pairs;
  std::int32_t match = 5;      ///< at least 0
  std::int32_t mismatch = -4;  ///< at most 0
  std::int32_t gap_open = 11;  ///< a gap of k symbols costs gap_open + k gap_extend
  std::int32_t gap_extend = 1;
};

/// The score of the best local alignment, Smith and Waterman 1981 with the affine gaps of Gotoh
/// 1982, one string per lane. In 16-bit integers if no score can overflow them, else in 32-bit
/// ones: exact either way.
///
/// Call start() once per panel and string, advance() with the string's symbols in one or several
/// parts, and finish() for the results.
class AlignmentProgramme {
 public:
  explicit AlignmentProgramme(const AlignmentScores& scores);

  void start(const StringPanels& strings, const StringPanels::Panel& panel, std::size_t length);
  void advance(std::span<const Symbol> part);
  /// One value a lane.
  void finish(double* values) const;

 private:
  template <class T>
  struct Rows {
    numerics::AlignedArray<T> best, gap, highest;
  };
  template <class T>
  void start_rows(Rows<T>& rows);
  void prepare_profile();

  const AlignmentScores& scores_;
  std::int32_t highest_pair_ = 0;
  const StringPanels* strings_ = nullptr;
  const StringPanels::Panel* panel_ = nullptr;
  bool narrow_ = true;  ///< the present pair is computed in 16 bits
  Rows<std::int16_t> narrow_rows_;
  Rows<std::int32_t> wide_rows_;
  numerics::AlignedArray<std::int8_t> profile_;
};

/// The data of run_alignment(); see AlignmentProgramme. Rows have one cell per symbol of the panel,
/// with StringPanels::width values each.
template <class T>
struct AlignmentRows {
  T* best;     ///< the best alignment that ends in a cell
  T* gap;      ///< the same, if it ends in a gap of the panel's string
  T* highest;  ///< of each lane's cells so far
  const Symbol* symbols;
  const std::int8_t* profile;  ///< symbol, position, lane: the pair's score; null: match or not
  std::size_t longest;
  std::size_t lanes;  ///< in use
  T match, mismatch, gap_first, gap_extend;
};

/// Advances the rows by the symbols of `part`.
void run_alignment(const AlignmentRows<std::int16_t>& rows, std::span<const Symbol> part);
void run_alignment(const AlignmentRows<std::int32_t>& rows, std::span<const Symbol> part);

}  // namespace semblance::strings
