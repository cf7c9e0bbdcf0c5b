// SPDX-License-Identifier: MIT
// The recurrences of the elastic measures. Each has the operations of the CPU's in the same order
// (plugins/series/measures), and the same prepared steps.
#pragma once

#include "device_code.hpp"
#include "elastic_pairs.hpp"

namespace semblance::gpu::elastic {

ON_DEVICE float infinity() { return bits_as_float(0x7f800000U); }
ON_DEVICE float magnitude(float x) { return __builtin_fabsf(x); }

/// The prepared values of a step.
struct SampleStep {
  const float* values;
  ON_DEVICE float operator[](unsigned plane) const { return values[plane]; }
};
struct BaseStep {
  const float* values;
  unsigned long long plane_stride;
  ON_DEVICE float operator[](unsigned plane) const { return values[plane * plane_stride]; }
};

/// What a row or a column is if its cells need no more than the value of its step.
struct Value {
  float value;
};

/// If steps are vectors: the distances of the two steps of a cell, and of its neighbours' steps.
struct Apart {
  float own = 0;
  float above = 0, diagonal = 0, left = 0;  ///< if the cells need their neighbours'; 0 outside
};

/// A cell is the least cost of a path; cells outside of the window or before the series are
/// infinite. A distance of vectors is distance() of what gathered() accumulates over the channels.
struct LeastCost {
  static constexpr bool vectors = false;     ///< whether steps have several channels
  static constexpr bool neighbours = false;  ///< whether cells need their neighbours' distances
  static constexpr bool carries = false;     ///< whether the window limits matches only, not paths
  using Row = Value;
  using Column = Value;
  ON_DEVICE static Row row(const ElasticPairs&, SampleStep step, const Row&, int, int) {
    return {step[0]};
  }
  ON_DEVICE static Column column(const ElasticPairs&, BaseStep step, const Column&) {
    return {step[0]};
  }
  template <class Step>
  ON_DEVICE static float border(const ElasticPairs&, Step, int) {  ///< cells (i, -1) and (-1, i)
    return infinity();
  }
  ON_DEVICE static float outside(float, float) { return infinity(); }
  ON_DEVICE static float gathered(float apart, float x, float b) {
    const float difference = x - b;
    return fused(difference, difference, apart);
  }
  ON_DEVICE static float distance(float gathered) { return gathered; }
};

template <bool kVectors>
struct Dtw : LeastCost {
  static constexpr bool vectors = kVectors;
  static constexpr unsigned strip = vectors ? 16 : 32;
  ON_DEVICE static float cell(const ElasticPairs&, Value row, Value column, unsigned,
                              const Apart& apart, float above, float diagonal, float left) {
    const float least = smaller(smaller(above, diagonal), left);
    if constexpr (vectors) return least + apart.own;
    const float difference = row.value - column.value;
    return fused(difference, difference, least);
  }
};

template <bool kVectors>
struct Wdtw : LeastCost {
  static constexpr bool vectors = kVectors;
  static constexpr unsigned strip = vectors ? 16 : 32;
  struct Row {
    float value;
    const float* weights;  ///< of the strip's first column
  };
  ON_DEVICE static Row row(const ElasticPairs& given, SampleStep step, const Row&, int i,
                           int first_column) {
    return {step[0], given.weights + (given.longest + first_column - i)};
  }
  ON_DEVICE static float cell(const ElasticPairs&, const Row& row, Value column, unsigned k,
                              const Apart& apart, float above, float diagonal, float left) {
    const float difference = row.value - column.value;
    return fused(vectors ? apart.own : difference * difference, row.weights[k],
                 smaller(smaller(above, diagonal), left));
  }
};

/// A prepared step: its channels, its distance to the gap value, and the sum of these so far.
template <bool kVectors>
struct Erp : LeastCost {
  static constexpr bool vectors = kVectors;
  static constexpr unsigned strip = 16;
  struct Row {
    float value, gap;
  };
  using Column = Row;
  ON_DEVICE static float distance(float gathered) { return root(gathered); }
  template <class Step>
  ON_DEVICE static float border(const ElasticPairs& given, Step step, int) {
    return step[given.channels + 1];
  }
  ON_DEVICE static Row row(const ElasticPairs& given, SampleStep step, const Row&, int, int) {
    return {step[0], step[given.channels]};
  }
  ON_DEVICE static Column column(const ElasticPairs& given, BaseStep step, const Column&) {
    return {step[0], step[given.channels]};
  }
  ON_DEVICE static float cell(const ElasticPairs&, const Row& row, const Column& column, unsigned,
                              const Apart& apart, float above, float diagonal, float left) {
    const float gaps = smaller(above + row.gap, left + column.gap);
    const float distance = vectors ? apart.own : magnitude(row.value - column.value);
    return smaller(diagonal + distance, gaps);
  }
};

/// A prepared step: its value, and the ends between which a difference is clamped.
struct Msm : LeastCost {
  static constexpr unsigned strip = 16;
  struct Row {
    float value, low, high;
  };
  using Column = Row;
  ON_DEVICE static Row row(const ElasticPairs&, SampleStep step, const Row&, int, int) {
    return {step[0], step[1], step[2]};
  }
  ON_DEVICE static Column column(const ElasticPairs&, BaseStep step, const Column&) {
    return {step[0], step[1], step[2]};
  }
  ON_DEVICE static float clamped(float difference, const Row& step) {
    return magnitude(smaller(larger(difference, step.low), step.high));
  }
  ON_DEVICE static float cell(const ElasticPairs& given, const Row& row, const Column& column,
                              unsigned, const Apart&, float above, float diagonal, float left) {
    const float difference = row.value - column.value;
    const float down = above + clamped(difference, row), right = left + clamped(difference, column);
    return smaller(diagonal + magnitude(difference), smaller(down, right) + given.setting);
  }
};

/// Move-split-merge of vectors. A prepared step: its channels, and its distance from the step
/// before. Distances of steps are squared.
struct MsmOfVectors : LeastCost {
  static constexpr bool vectors = true, neighbours = true;
  static constexpr unsigned strip = 16;
  struct Row {
    float move, squared;
  };
  using Column = Row;
  ON_DEVICE static Row row(const ElasticPairs& given, SampleStep step, const Row&, int, int) {
    return {step[given.channels], step[given.channels] * step[given.channels]};
  }
  ON_DEVICE static Column column(const ElasticPairs& given, BaseStep step, const Column&) {
    return {step[given.channels], step[given.channels] * step[given.channels]};
  }
  ON_DEVICE static float split(float cost, const Row& step, float squared, float distance,
                               float other) {
    const bool between = step.squared + squared <= other;
    return cost + (between ? 0 : smaller(step.move, distance));
  }
  ON_DEVICE static float cell(const ElasticPairs& given, const Row& row, const Column& column,
                              unsigned, const Apart& apart, float above, float diagonal,
                              float left) {
    const float distance = root(apart.own);
    const float down = split(given.setting, row, apart.own, distance, apart.above);
    const float right = split(given.setting, column, apart.own, distance, apart.left);
    return smaller(diagonal + distance, smaller(above + down, left + right));
  }
};

/// A prepared step: its channels, and the cost of leaving it out.
template <bool kVectors>
struct Twe : LeastCost {
  static constexpr bool vectors = kVectors, neighbours = kVectors;
  static constexpr unsigned strip = 16;
  struct Row {
    float value, removal, last;  ///< and the value of the step before
    const float* stiffness;      ///< of the strip's first column
  };
  struct Column {
    float value, removal, last;
  };
  ON_DEVICE static float distance(float gathered) { return root(gathered); }
  ON_DEVICE static Row row(const ElasticPairs& given, SampleStep step, const Row& row, int i,
                           int first_column) {
    return {step[0], step[given.channels], row.value,
            given.weights + (given.longest + first_column - i)};
  }
  ON_DEVICE static Column column(const ElasticPairs& given, BaseStep step, const Column& column) {
    return {step[0], step[given.channels], column.value};
  }
  ON_DEVICE static float cell(const ElasticPairs&, const Row& row, const Column& column, unsigned k,
                              const Apart& apart, float above, float diagonal, float left) {
    const float own = vectors ? apart.own : magnitude(row.value - column.value);
    const float last = vectors ? apart.diagonal : magnitude(row.last - column.last);
    const float match = own + last + row.stiffness[k];
    return smaller(diagonal + match, smaller(above + row.removal, left + column.removal));
  }
};

/// Two steps match if no channel differs by more than the setting.
template <bool kVectors>
struct Matching : LeastCost {
  static constexpr bool vectors = kVectors;
  static constexpr unsigned strip = vectors ? 16 : 32;
  ON_DEVICE static float gathered(float apart, float x, float b) {
    return larger(apart, magnitude(x - b));
  }
  ON_DEVICE static bool match(const ElasticPairs& given, Value row, Value column, float apart) {
    return (vectors ? apart : magnitude(row.value - column.value)) <= given.setting;
  }
};

/// The number of edits.
template <bool kVectors>
struct Edr : Matching<kVectors> {
  template <class Step>
  ON_DEVICE static float border(const ElasticPairs&, Step, int t) {
    return static_cast<float>(t + 1);
  }
  ON_DEVICE static float cell(const ElasticPairs& given, Value row, Value column, unsigned,
                              const Apart& apart, float above, float diagonal, float left) {
    const float replaced = Matching<kVectors>::match(given, row, column, apart.own) ? 0.0F : 1.0F;
    return smaller(diagonal + replaced, smaller(above, left) + 1);
  }
};

/// The number of matches.
template <bool kVectors>
struct Lcss : Matching<kVectors> {
  static constexpr bool carries = true;
  template <class Step>
  ON_DEVICE static float border(const ElasticPairs&, Step, int) {
    return 0;
  }
  ON_DEVICE static float outside(float above, float left) { return larger(above, left); }
  ON_DEVICE static float cell(const ElasticPairs& given, Value row, Value column, unsigned,
                              const Apart& apart, float above, float diagonal, float left) {
    const bool match = Matching<kVectors>::match(given, row, column, apart.own);
    return larger(match ? diagonal + 1 : 0, larger(above, left));
  }
};

}  // namespace semblance::gpu::elastic
