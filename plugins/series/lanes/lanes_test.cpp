// SPDX-License-Identifier: MIT
#include "lanes/lanes.hpp"

#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lanes/lanes_test.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include <limits>

#include "hwy/highway.h"
#include "lanes/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {

// The sum of absolute differences along the best path, with bands.
struct Warping {
  using Tag = hn::CappedTag<float, 16>;
  using Vec = hn::Vec<Tag>;
  using State = Vec;
  static constexpr std::size_t rows = 4, planes = 1;
  struct Row {
    Vec x;
  };
  struct Column {
    Vec b;
  };
  const float* x;
  const float* b;

  Row row(std::size_t i) const { return {hn::Set(Tag(), x[i])}; }
  Column column(std::size_t j) const { return {hn::Load(Tag(), b + 16 * j)}; }
  State corner() const { return hn::Zero(Tag()); }
  State outside() const { return hn::Set(Tag(), std::numeric_limits<float>::infinity()); }
  State before(std::size_t) const { return outside(); }
  State above(std::size_t) const { return outside(); }
  HWY_INLINE State cell(const Row& row, const Column& column, State above, State diagonal,
                        State left) {
    return hn::Add(hn::Abs(hn::Sub(row.x, column.b)), hn::Min(hn::Min(above, diagonal), left));
  }
};

// The edit distance in 16 bits, as in lanes-inl.hpp, and the number of cells visited.
struct Edit {
  using Tag = hn::CappedTag<std::int16_t, 32>;
  using Vec = hn::Vec<Tag>;
  static constexpr std::size_t rows = 3, planes = 2;
  struct State {
    Vec plane[2];
  };
  struct Row {
    Vec symbol;
  };
  struct Column {
    Vec symbol;
  };
  const std::int16_t* x;
  const std::int16_t* b;
  std::size_t cells = 0;

  static State border(std::size_t operations) {
    return {{hn::Set(Tag(), static_cast<std::int16_t>(operations)), hn::Zero(Tag())}};
  }
  Row row(std::size_t i) const { return {hn::Set(Tag(), x[i])}; }
  Column column(std::size_t j) const { return {hn::Load(Tag(), b + 32 * j)}; }
  State corner() const { return border(0); }
  State outside() const { return border(30000); }
  State before(std::size_t i) const { return border(i + 1); }
  State above(std::size_t j) const { return border(j + 1); }
  HWY_INLINE State cell(const Row& row, const Column& column, const State& above,
                        const State& diagonal, const State& left) {
    ++cells;
    const Vec one = hn::Set(Tag(), 1);
    const Vec other = hn::IfThenZeroElse(hn::Eq(row.symbol, column.symbol), one);
    const Vec best = hn::Min(hn::Add(diagonal.plane[0], other),
                             hn::Add(hn::Min(above.plane[0], left.plane[0]), one));
    return {{best, hn::Add(above.plane[1], one)}};  // the second plane counts rows
  }
};

template <class F, class Band>
std::size_t against_group(F& f, const typename PackedLanes<LaneValue<F>>::Group& group,
                          std::size_t rows, const Band& band, std::size_t part, std::size_t plane,
                          LaneValue<F>* results) {
  numerics::AlignedArray<LaneValue<F>> table(table_size<F>(group.steps));
  start(f, group.steps, band, part, table.data());
  // In two pieces: the position of an interruption must not matter.
  advance(f, 0, rows / 3, band, part, table.data());
  advance(f, rows / 3, rows, band, part, table.data());
  LaneValue<F> answers[PackedLanes<LaneValue<F>>::width];
  last_column<F>(group, part, table.data(), plane, answers);
  for (std::size_t k = part; k < part + lanes_at_once<F> && k < group.count; ++k)
    results[group.sequences[k]] = answers[k];
  return 0;
}

void warp(const PackedLanes<float>& bases, std::span<const float> x, double window,
          float* results) {
  numerics::LaneBand band;
  for (const auto& group : bases.groups()) {
    band.update(x.size(), group.lengths, window);
    for (std::size_t part = 0; part < group.count; part += lanes_at_once<Warping>) {
      Warping f{x.data(), group.values + part};
      against_group(f, group, x.size(), band, part, 0, results);
    }
  }
}

std::size_t edit(const PackedLanes<std::int16_t>& bases, std::span<const std::int16_t> x,
                 std::size_t plane, std::int16_t* results) {
  std::size_t cells = 0;
  for (const auto& group : bases.groups())
    for (std::size_t part = 0; part < group.count; part += lanes_at_once<Edit>) {
      Edit f{x.data(), group.values + part};
      against_group(f, group, x.size(), EveryColumn{group.steps}, part, plane, results);
      if (part == 0) cells += f.cells;
    }
  return cells;
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "semblance/random.hpp"
#include "semblance_numerics/lesser_targets.hpp"

namespace semblance::series {
namespace {

HWY_EXPORT(warp);
HWY_EXPORT(edit);

// Runs `check` on every SIMD target of this CPU.
void on_all_targets(const std::function<void()>& check) {
  check();
  numerics::on_lesser_targets([&](const char* target) {
    CAPTURE(target);
    check();
  });
}

bool in_band(std::size_t i, std::size_t j, std::size_t rows, std::size_t columns, double window) {
  if (window >= 100) return true;
  const double longer = double(std::max(rows, columns)) - 1;
  const double shorter = double(std::min(rows, columns)) - 1;
  const double radius = std::ceil(window * (longer + 1) / 100 - 1e-9);
  const double off = std::abs(double(i) * (double(columns) - 1) - double(j) * (double(rows) - 1));
  return 2 * off <= std::max(2 * radius * shorter, longer);
}

// The definition in double precision.
double warped(std::span<const float> x, std::span<const float> b, double window) {
  const std::size_t n = x.size(), m = b.size();
  std::vector<double> cells((n + 1) * (m + 1), INFINITY);
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return cells[i * (m + 1) + j]; };
  at(0, 0) = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j)
      if (in_band(i, j, n, m, window))
        at(i + 1, j + 1) =
            std::abs(double(x[i]) - b[j]) + std::min({at(i, j), at(i, j + 1), at(i + 1, j)});
  return at(n, m);
}

int edited(std::span<const std::int16_t> x, std::span<const std::int16_t> b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = int(j);
  for (std::size_t i = 0; i < x.size(); ++i) {
    int diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int value = std::min(diagonal + (x[i] != b[j]), std::min(row[j + 1], row[j]) + 1);
      diagonal = row[j + 1];
      row[j + 1] = value;
    }
  }
  return row.back();
}

template <class T>
struct Sequences {
  std::vector<std::uint32_t> lengths;
  std::vector<std::vector<T>> values;
  PackedLanes<T> packed;
};

template <class T>
Sequences<T> random_sequences(std::size_t count, bool equal, Random& random) {
  Sequences<T> made;
  const auto common = static_cast<std::uint32_t>(1 + random.below(40));
  for (std::size_t k = 0; k < count; ++k) {
    made.lengths.push_back(equal ? common : static_cast<std::uint32_t>(1 + random.below(40)));
    auto& values = made.values.emplace_back(made.lengths.back());
    for (T& x : values) x = static_cast<T>(random.uniform(0, 4));
  }
  made.packed = PackedLanes<T>(made.lengths, 1);
  for (std::size_t k = 0; k < count; ++k) made.packed.set(k, made.values[k].data());
  return made;
}

TEST_CASE("lanes: all lengths, windows and SIMD targets give the definition's values") {
  on_all_targets([] {
    Random random(1);
    for (int trial = 0; trial < 100; ++trial) {
      const auto bases = random_sequences<float>(1 + random.below(40), trial % 2 == 0, random);
      const auto x = random_sequences<float>(1, true, random).values[0];
      const double window = trial % 3 == 0 ? 100 : random.uniform(0, 60);
      std::vector<float> results(bases.values.size());
      HWY_DYNAMIC_DISPATCH(warp)(bases.packed, x, window, results.data());
      for (std::size_t k = 0; k < results.size(); ++k) {
        CAPTURE(x.size());
        CAPTURE(bases.lengths[k]);
        CAPTURE(window);
        REQUIRE(results[k] == doctest::Approx(warped(x, bases.values[k], window)).epsilon(1e-5));
      }
    }
  });
}

TEST_CASE("lanes: 16-bit cells, states of two planes, and members that add up") {
  on_all_targets([] {
    Random random(2);
    for (int trial = 0; trial < 50; ++trial) {
      const auto bases = random_sequences<std::int16_t>(1 + random.below(70), false, random);
      const auto x = random_sequences<std::int16_t>(1, true, random).values[0];
      std::vector<std::int16_t> results(bases.values.size()), rows(bases.values.size());
      const std::size_t cells = HWY_DYNAMIC_DISPATCH(edit)(bases.packed, x, 0, results.data());
      HWY_DYNAMIC_DISPATCH(edit)(bases.packed, x, 1, rows.data());
      std::size_t expected = 0;
      for (const auto& group : bases.packed.groups()) expected += group.steps * x.size();
      CHECK(cells == expected);
      for (std::size_t k = 0; k < results.size(); ++k) {
        REQUIRE(results[k] == edited(x, bases.values[k]));
        REQUIRE(rows[k] == std::int16_t(x.size()));
      }
    }
  });
}

TEST_CASE("packed lanes are sorted by length, and equal lengths keep their order") {
  const std::vector<std::uint32_t> lengths = {3, 1, 3, 2, 1};
  const PackedLanes<float> packed(lengths, 2);
  REQUIRE(packed.groups().size() == 1);
  const auto& group = packed.groups()[0];
  CHECK(group.count == 5);
  CHECK(group.steps == 3);
  CHECK_FALSE(group.equal());
  CHECK(std::vector(group.sequences.begin(), group.sequences.begin() + 5) ==
        std::vector<std::uint32_t>{1, 4, 3, 0, 2});
  CHECK(PackedLanes<float>({}, 1).groups().empty());
}

TEST_CASE("a band's rows hold the cells of its definition, and neither end ever moves back") {
  for (std::uint32_t rows = 1; rows < 14; ++rows)
    for (std::uint32_t columns = 1; columns < 14; ++columns)
      for (const double window : {0.0, 7.0, 10.0, 25.0, 50.0, 99.0, 100.0}) {
        numerics::LaneBand band;
        band.update(rows, std::vector<std::uint32_t>(16, columns), window);
        for (std::size_t i = 0; i < rows; ++i) {
          for (std::size_t j = 0; j < columns; ++j)
            REQUIRE((band.first(i) <= j && j <= band.last(i)) ==
                    in_band(i, j, rows, columns, window));
          if (i == 0) continue;
          REQUIRE(band.first(i) >= band.first(i - 1));
          REQUIRE(band.last(i) >= band.last(i - 1));
          REQUIRE(band.first(i) <= band.last(i - 1) + 1);  // the path continues
        }
        REQUIRE(band.first(0) == 0);
        REQUIRE(band.last(rows - 1) == columns - 1);
      }
}

TEST_CASE("7 per cent of 100 steps are 7") {
  for (int k = 0; k <= 100; ++k) CHECK(numerics::band_radius(k, 100, 50) == std::uint32_t(k));
  CHECK(numerics::band_radius(10, 24, 19) == 3);
}

}  // namespace
}  // namespace semblance::series
#endif
