// SPDX-License-Identifier: MIT
// The recurrences of the elastic measures for series of one channel. Each has the operations of the
// CPU's in the same order (plugins/series/measures), and the same prepared steps.
#pragma once

#include "device_code.hpp"
#include "elastic_pairs.hpp"

namespace semblance::gpu::elastic {

ON_DEVICE float infinity() { return bits_as_float(0x7f800000U); }
ON_DEVICE float magnitude(float x) { return __builtin_fabsf(x); }

/// A cell is the least cost of a path; cells outside of the window or before the series are
/// infinite.
struct LeastCost {
  static constexpr bool carries = false;  ///< whether the window limits matches only, not paths
  ON_DEVICE static float before(const float*, int) { return infinity(); }  ///< cell (i, -1)
  ON_DEVICE static float above(const float*, int) { return infinity(); }   ///< cell (-1, j)
  ON_DEVICE static float outside(float, float) { return infinity(); }
};

struct Dtw : LeastCost {
  static constexpr unsigned strip = 32, planes = 1;
  struct Row {
    float x;
  };
  struct Column {
    float b;
  };
  ON_DEVICE static Row row(const ElasticPairs&, const float* step, const Row&, int, int) {
    return {step[0]};
  }
  ON_DEVICE static Column column(const float* step, const Column&) { return {step[0]}; }
  ON_DEVICE static float cell(const ElasticPairs&, const Row& row, const Column& column, unsigned,
                              float above, float diagonal, float left) {
    const float difference = row.x - column.b;
    return fused(difference, difference, smaller(smaller(above, diagonal), left));
  }
};

struct Wdtw : LeastCost {
  static constexpr unsigned strip = 32, planes = 1;
  struct Row {
    float x;
    const float* weights;  ///< of the strip's first column
  };
  using Column = Dtw::Column;
  ON_DEVICE static Row row(const ElasticPairs& given, const float* step, const Row&, int i,
                           int first_column) {
    return {step[0], given.weights + (given.longest + first_column - i)};
  }
  ON_DEVICE static Column column(const float* step, const Column&) { return {step[0]}; }
  ON_DEVICE static float cell(const ElasticPairs&, const Row& row, const Column& column, unsigned k,
                              float above, float diagonal, float left) {
    const float difference = row.x - column.b;
    return fused(difference * difference, row.weights[k], smaller(smaller(above, diagonal), left));
  }
};

/// A prepared step: its value, its distance to the gap value, and the sum of these so far.
struct Erp : LeastCost {
  static constexpr unsigned strip = 16, planes = 3;
  struct Step {
    float value, gap;
  };
  using Row = Step;
  using Column = Step;
  ON_DEVICE static float before(const float* step, int) { return step[2]; }
  ON_DEVICE static float above(const float* step, int) { return step[2]; }
  ON_DEVICE static Row row(const ElasticPairs&, const float* step, const Row&, int, int) {
    return {step[0], step[1]};
  }
  ON_DEVICE static Column column(const float* step, const Column&) { return {step[0], step[1]}; }
  ON_DEVICE static float cell(const ElasticPairs&, const Row& row, const Column& column, unsigned,
                              float above, float diagonal, float left) {
    const float gaps = smaller(above + row.gap, left + column.gap);
    return smaller(diagonal + magnitude(row.value - column.value), gaps);
  }
};

/// A prepared step: its value, and the ends between which a difference is clamped.
struct Msm : LeastCost {
  static constexpr unsigned strip = 16, planes = 3;
  struct Step {
    float value, low, high;
  };
  using Row = Step;
  using Column = Step;
  ON_DEVICE static Row row(const ElasticPairs&, const float* step, const Row&, int, int) {
    return {step[0], step[1], step[2]};
  }
  ON_DEVICE static Column column(const float* step, const Column&) {
    return {step[0], step[1], step[2]};
  }
  ON_DEVICE static float clamped(float difference, const Step& step) {
    return magnitude(smaller(larger(difference, step.low), step.high));
  }
  ON_DEVICE static float cell(const ElasticPairs& given, const Row& row, const Column& column,
                              unsigned, float above, float diagonal, float left) {
    const float difference = row.value - column.value;
    const float down = above + clamped(difference, row), right = left + clamped(difference, column);
    return smaller(diagonal + magnitude(difference), smaller(down, right) + given.setting);
  }
};

/// A prepared step: its value, and the cost of leaving it out.
struct Twe : LeastCost {
  static constexpr unsigned strip = 16, planes = 2;
  struct Row {
    float value, removal, last;  ///< and the value of the step before
    const float* stiffness;      ///< of the strip's first column
  };
  struct Column {
    float value, removal, last;
  };
  ON_DEVICE static Row row(const ElasticPairs& given, const float* step, const Row& row, int i,
                           int first_column) {
    return {step[0], step[1], row.value, given.weights + (given.longest + first_column - i)};
  }
  ON_DEVICE static Column column(const float* step, const Column& column) {
    return {step[0], step[1], column.value};
  }
  ON_DEVICE static float cell(const ElasticPairs&, const Row& row, const Column& column, unsigned k,
                              float above, float diagonal, float left) {
    const float own = magnitude(row.value - column.value);
    const float match = own + magnitude(row.last - column.last) + row.stiffness[k];
    return smaller(diagonal + match, smaller(above + row.removal, left + column.removal));
  }
};

/// The number of edits.
struct Edr : LeastCost {
  static constexpr unsigned strip = 32, planes = 1;
  using Row = Dtw::Row;
  using Column = Dtw::Column;
  ON_DEVICE static float before(const float*, int i) { return static_cast<float>(i + 1); }
  ON_DEVICE static float above(const float*, int j) { return static_cast<float>(j + 1); }
  ON_DEVICE static Row row(const ElasticPairs&, const float* step, const Row&, int, int) {
    return {step[0]};
  }
  ON_DEVICE static Column column(const float* step, const Column&) { return {step[0]}; }
  ON_DEVICE static float cell(const ElasticPairs& given, const Row& row, const Column& column,
                              unsigned, float above, float diagonal, float left) {
    const float replaced = magnitude(row.x - column.b) <= given.setting ? 0.0F : 1.0F;
    return smaller(diagonal + replaced, smaller(above, left) + 1);
  }
};

/// The number of matches.
struct Lcss {
  static constexpr unsigned strip = 32, planes = 1;
  static constexpr bool carries = true;
  using Row = Dtw::Row;
  using Column = Dtw::Column;
  ON_DEVICE static float before(const float*, int) { return 0; }
  ON_DEVICE static float above(const float*, int) { return 0; }
  ON_DEVICE static float outside(float above, float left) { return larger(above, left); }
  ON_DEVICE static Row row(const ElasticPairs&, const float* step, const Row&, int, int) {
    return {step[0]};
  }
  ON_DEVICE static Column column(const float* step, const Column&) { return {step[0]}; }
  ON_DEVICE static float cell(const ElasticPairs& given, const Row& row, const Column& column,
                              unsigned, float above, float diagonal, float left) {
    const float matched = magnitude(row.x - column.b) <= given.setting ? diagonal + 1 : 0;
    return larger(matched, larger(above, left));
  }
};

}  // namespace semblance::gpu::elastic
