// SPDX-License-Identifier: MIT
// Elastic measures: the dynamic programme of each pair of series, one thread per pair. A thread
// advances a strip of columns down all rows, cells and columns in registers; the last column of a
// strip is the border of the next, in memory. The threads of a warp have the same sample and
// different bases. A pair's result depends on its two series alone.
#pragma once

#include "elastic_cells.hpp"

namespace semblance::gpu::elastic {

/// The window of a pair, as in semblance_numerics/lanes_band.hpp: cell (i, j) is inside if
/// |2 i rise - 2 j run| <= reach.
struct Window {
  int rise, run, reach;

  ON_DEVICE Window(const float* radii, int rows, int columns) : rise(columns - 1), run(rows - 1) {
    const int shorter = rise < run ? rise : run, longer = rise < run ? run : rise;
    reach = 1 << 30;
    if (!radii) return;
    const int band = 2 * static_cast<int>(radii[longer + 1]) * shorter;
    reach = band > longer ? band : longer;
  }

  /// The first and the last row with a cell inside in the columns from `first` to `last`.
  ON_DEVICE int first_row(int first) const {
    const int over = 2 * first * run - reach;
    return over <= 0 ? 0 : (over + 2 * rise - 1) / (2 * rise);
  }
  ON_DEVICE int last_row(int last) const {
    const int most = rise == 0 ? run : (reach + 2 * last * run) / (2 * rise);
    return most < run ? most : run;
  }
};

/// A pair of series, the memory of its border, and its window.
struct Pair {
  const float *sample, *base;
  unsigned planes;
  unsigned long long plane_stride;  ///< of the base
  int rows, columns;
  float* border;
  Window window;

  ON_DEVICE SampleStep row(int i) const { return {sample + static_cast<unsigned>(i) * planes}; }
  ON_DEVICE BaseStep column(int j) const {
    return {base + static_cast<unsigned>(j) * elastic_lanes, plane_stride};
  }
};

/// Columns that advance together.
template <class Cells>
struct Strip {
  static constexpr int width = static_cast<int>(Cells::strip);
  int begin = -width;                ///< the first column
  int first_row = 0, last_row = -1;  ///< with cells inside of the window
  typename Cells::Column column[width];
  float cell[width];  ///< of the row above
};

/// The rows that the strip before computed.
struct RowRange {
  int first, last;
};

/// The cell to the left of the strip in row i.
template <class Cells>
ON_DEVICE float left_of(const ElasticPairs& given, const Pair& pair, int begin, RowRange before,
                        int i) {
  if (begin == 0) return Cells::border(given, pair.row(i), i);
  if (i < before.first || i > before.last) return Cells::outside(infinity(), infinity());
  return pair.border[static_cast<unsigned>(i) * elastic_threads];
}

/// The distances of row i from the strip's columns and the one before, if steps are vectors. Zeros
/// before the series.
template <class Cells>
struct Distances {
  static constexpr unsigned before = Cells::neighbours ? 1 : 0;
  float of[Cells::vectors ? Cells::strip + before : 1];

  ON_DEVICE Distances(const ElasticPairs& given, const Pair& pair, int begin, int i) {
    UNROLLED
    for (float& distance : of) distance = 0;
    if (!Cells::vectors || i < 0) return;
    const SampleStep x = pair.row(i);
    const float* values = pair.column(begin).values;
    const bool first = begin == 0;
    for (unsigned c = 0; c < given.channels; ++c, values += pair.plane_stride) {
      if (before > 0 && !first) of[0] = Cells::gathered(of[0], x[c], *(values - elastic_lanes));
      UNROLLED
      for (unsigned k = 0; k < Cells::strip && Cells::vectors; ++k)
        of[k + before] = Cells::gathered(of[k + before], x[c], values[k * elastic_lanes]);
    }
    UNROLLED
    for (float& distance : of) distance = Cells::distance(distance);
  }

  /// Those of column k, given those of the row above.
  ON_DEVICE Apart at(unsigned k, const Distances& above) const {
    if constexpr (Cells::neighbours)
      return {of[k + 1], above.of[k + 1], above.of[k], of[k]};
    else if constexpr (Cells::vectors)
      return {of[k]};
    else
      return {};
  }
};

/// One row of the strip; returns its last cell. `off` is 2 i rise - 2 j run of the first column.
template <class Cells>
ON_DEVICE float advance(const ElasticPairs& given, const Window& window,
                        const typename Cells::Row& row, const Distances<Cells>& apart,
                        const Distances<Cells>& apart_above, int off, int columns, float diagonal,
                        float left, Strip<Cells>& strip) {
  if (off <= window.reach && off - 2 * (columns - 1) * window.run >= -window.reach) {
    UNROLLED
    for (unsigned k = 0; k < Cells::strip; ++k) {
      const float above = strip.cell[k];
      left = Cells::cell(given, row, strip.column[k], k, apart.at(k, apart_above), above, diagonal,
                         left);
      strip.cell[k] = left;
      diagonal = above;
    }
    return left;
  }
  // With run = 0 all cells are inside.
  const int from = off <= window.reach ? 0 : (off - window.reach - 1) / (2 * window.run) + 1;
  const int to = off + window.reach < 0 ? -1 : (off + window.reach) / (2 * window.run);
  UNROLLED
  for (unsigned k = 0; k < Cells::strip; ++k) {
    const float above = strip.cell[k];
    const float value = Cells::cell(given, row, strip.column[k], k, apart.at(k, apart_above), above,
                                    diagonal, left);
    const bool inside = static_cast<int>(k) >= from && static_cast<int>(k) <= to;
    left = inside ? value : Cells::outside(above, left);
    strip.cell[k] = left;
    diagonal = above;
  }
  return left;
}

/// Moves to the next columns.
template <class Cells>
ON_DEVICE void begin_strip(const ElasticPairs& given, const Pair& pair, Strip<Cells>& strip) {
  typename Cells::Column last = {};
  if (strip.begin >= 0) last = strip.column[Cells::strip - 1];
  strip.begin += strip.width;
  strip.first_row = Cells::carries ? 0 : pair.window.first_row(strip.begin);
  strip.last_row =
      Cells::carries ? pair.rows - 1 : pair.window.last_row(strip.begin + strip.width - 1);
  UNROLLED
  for (unsigned k = 0; k < Cells::strip; ++k) {
    const int j = strip.begin + static_cast<int>(k);
    last = strip.column[k] = Cells::column(given, pair.column(j), last);
    strip.cell[k] = strip.first_row == 0 ? Cells::border(given, pair.column(j), j)
                                         : Cells::outside(infinity(), infinity());
  }
}

/// The cell to the upper left of the strip's first one.
template <class Cells>
ON_DEVICE float corner(const ElasticPairs& given, const Pair& pair, const Strip<Cells>& strip,
                       RowRange before) {
  if (strip.first_row > 0)
    return left_of<Cells>(given, pair, strip.begin, before, strip.first_row - 1);
  if (strip.begin == 0) return 0;
  return Cells::border(given, pair.column(strip.begin - 1), strip.begin - 1);
}

/// Advances the strip down all of its rows. Values of the next row are on their way meanwhile.
template <class Cells>
ON_DEVICE void finish_strip(const ElasticPairs& given, const Pair& pair, RowRange before,
                            Strip<Cells>& strip) {
  const Window& window = pair.window;
  const int left_columns = pair.columns - strip.begin;
  const int columns = left_columns < strip.width ? left_columns : strip.width;
  const bool more = left_columns > strip.width;
  float diagonal = corner(given, pair, strip, before);
  typename Cells::Row row = {};
  int i = strip.first_row;
  if (i > 0) row = Cells::row(given, pair.row(i - 1), row, i - 1, strip.begin);
  row = Cells::row(given, pair.row(i), row, i, strip.begin);
  float left = left_of<Cells>(given, pair, strip.begin, before, i);
  Distances<Cells> apart_above(given, pair, strip.begin, Cells::neighbours ? i - 1 : -1);
  int off = 2 * i * window.rise - 2 * strip.begin * window.run;
  for (; i <= strip.last_row; ++i, off += 2 * window.rise) {
    const int next = i < strip.last_row ? i + 1 : i;
    const auto next_row = Cells::row(given, pair.row(next), row, next, strip.begin);
    const float next_left = left_of<Cells>(given, pair, strip.begin, before, next);
    const Distances<Cells> apart(given, pair, strip.begin, i);
    const float right =
        advance(given, window, row, apart, apart_above, off, columns, diagonal, left, strip);
    apart_above = apart;
    if (more) pair.border[static_cast<unsigned>(i) * elastic_threads] = right;
    diagonal = left;
    left = next_left;
    row = next_row;
  }
}

/// The result of the pair: its last cell.
template <class Cells>
ON_DEVICE float programme(const ElasticPairs& given, const Pair& pair) {
  Strip<Cells> strip;
  do {
    const RowRange before = {strip.first_row, strip.last_row};
    begin_strip(given, pair, strip);
    finish_strip(given, pair, before, strip);
  } while (strip.begin + strip.width < pair.columns);
  float result = 0;
  UNROLLED
  for (unsigned k = 0; k < Cells::strip; ++k)
    if (strip.begin + static_cast<int>(k) == pair.columns - 1) result = strip.cell[k];
  return result;
}

/// The pair of a sample and the basis at a place.
ON_DEVICE Pair pair_of(const ElasticPairs& given, unsigned sample, unsigned place, float* border) {
  const int rows = static_cast<int>(given.sample_steps[sample]);
  const int columns = static_cast<int>(given.base_steps[place]);
  const unsigned long long plane =
      static_cast<unsigned long long>(given.base_steps_most) * elastic_lanes;
  return {given.samples + sample * given.samples_stride,
          given.bases + (place / elastic_lanes * (given.planes * plane) + place % elastic_lanes),
          given.planes,
          plane,
          rows,
          columns,
          border,
          Window(given.radii, rows, columns)};
}

/// Tiles of 4 samples and 32 bases are dealt to the blocks in turn.
template <class Cells>
ON_DEVICE void compare(const ElasticPairs& given) {
  const unsigned row_tiles = (given.samples_count + elastic_rows - 1) / elastic_rows;
  const unsigned groups = (given.count + elastic_lanes - 1) / elastic_lanes;
  EACH_THREAD(elastic_threads) {
    const unsigned long long rows_before =
        static_cast<unsigned long long>(block_column()) * given.border_steps;
    float* const border = given.border + (rows_before * elastic_threads + thread);
    for (unsigned tile = block_column(); tile < row_tiles * groups; tile += given.blocks) {
      const unsigned sample = tile % row_tiles * elastic_rows + thread / elastic_lanes;
      const unsigned lane = tile / row_tiles * elastic_lanes + thread % elastic_lanes;
      if (sample >= given.samples_count || lane >= given.count) continue;
      const unsigned place = given.places[lane];
      given.out[sample * given.out_stride + (given.base_at[place] - given.first)] =
          programme<Cells>(given, pair_of(given, sample, place, border));
    }
  }
}

}  // namespace semblance::gpu::elastic
