// SPDX-License-Identifier: MIT
// Dynamic programmes over two sequences, with one sequence of a group per SIMD lane: see lanes.hpp.
// Compiled once per SIMD target: include after hwy/foreach_target.h.
//
// The computation is defined by a class, the recurrence, which is inlined entirely:
//
//     struct Edit {                                     // the edit distance, as an example
//       using Tag = hn::CappedTag<std::int16_t, 32>;    // PackedLanes<int16_t>::width
//       using Vec = hn::Vec<Tag>;
//       static constexpr std::size_t rows = 4;          // advanced together, in registers
//       static constexpr std::size_t planes = 1;        // vectors of a cell's state
//       using State = Vec;                              // a struct with `Vec plane[planes]` if > 1
//       struct Row { Vec symbol; };                     // what a cell needs of its row,
//       struct Column { Vec symbol; };                  // and of its column
//
//       Row row(std::size_t i) const { return {hn::Set(Tag(), x[i])}; }
//       Column column(std::size_t j) const { return {hn::Load(Tag(), bases + 32 * j)}; }
//       State corner() const { return hn::Zero(Tag()); }                 // cell (-1, -1)
//       State before(std::size_t i) const { return set(i + 1); }         // cell (i, -1)
//       State above(std::size_t j) const { return set(j + 1); }          // cell (-1, j)
//       State outside() const;                          // a cell that the band leaves out,
//       // or instead, where the band limits what a cell adds and not where paths go:
//       State carry(const State& above, const State& left) const;
//       State cell(const Row&, const Column&, const State& above, const State& diagonal,
//                  const State& left);
//     };
//
// start() writes the row above the first into a table, advance() moves the table down by some rows,
// and last_row() is the table: a lane's result is in its own last column. cell() may accumulate
// values in members (a largest cell). While the table advances, a copy of the recurrence is held in
// registers and then written back.
//
// `rows` rows are computed in one pass over the columns, so that the table is read and written once
// per `rows` cells, and the cells of one column wait for each other but not for later columns. Four
// rows are best for DTW on AVX-512 and AVX2; eight exceed the registers.

#if defined(SEMBLANCE_SERIES_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SEMBLANCE_SERIES_LANES_INL_HPP
#undef SEMBLANCE_SERIES_LANES_INL_HPP
#else
#define SEMBLANCE_SERIES_LANES_INL_HPP
#endif

#include <cstddef>
#include <type_traits>
#include <utility>

#include "hwy/highway.h"
#include "lanes/lanes.hpp"
#include "semblance_numerics/lanes_band.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::series {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The band of a programme without a band: all cells count.
struct EveryColumn {
  std::size_t columns;
  static constexpr bool full() noexcept { return true; }
  std::size_t first(std::size_t) const noexcept { return 0; }
  std::size_t last(std::size_t) const noexcept { return columns - 1; }
};

/// Whether cells outside of the band carry over their upper and left neighbours.
template <class F>
concept Carries = requires(const F& f, const typename F::State& state) {
  f.carry(state, state);
};

template <class F>
using LaneValue = hn::TFromD<typename F::Tag>;

/// Lanes of a vector, and values of a table's column.
template <class F>
inline constexpr std::size_t lanes_at_once = hn::MaxLanes(typename F::Tag());
template <class F>
inline constexpr std::size_t column_size = F::planes* lanes_at_once<F>;

template <class F>
HWY_INLINE typename F::State load_state(const LaneValue<F>* HWY_RESTRICT from) {
  const typename F::Tag d;
  if constexpr (F::planes == 1) {
    return hn::Load(d, from);
  } else {
    typename F::State state;
    for (std::size_t p = 0; p < F::planes; ++p)
      state.plane[p] = hn::Load(d, from + p * lanes_at_once<F>);
    return state;
  }
}

template <class F>
HWY_INLINE void store_state(const typename F::State& state, LaneValue<F>* HWY_RESTRICT to) {
  const typename F::Tag d;
  if constexpr (F::planes == 1) {
    hn::Store(state, d, to);
  } else {
    for (std::size_t p = 0; p < F::planes; ++p)
      hn::Store(state.plane[p], d, to + p * lanes_at_once<F>);
  }
}

template <class F, class Mask>
HWY_INLINE typename F::State choose_state(Mask mask, const typename F::State& yes,
                                          const typename F::State& no) {
  if constexpr (F::planes == 1) {
    return hn::IfThenElse(mask, yes, no);
  } else {
    typename F::State state;
    for (std::size_t p = 0; p < F::planes; ++p)
      state.plane[p] = hn::IfThenElse(mask, yes.plane[p], no.plane[p]);
    return state;
  }
}

/// The columns of a row inside the band, per lane.
template <class F>
struct LaneRange {
  hn::Vec<typename F::Tag> first, last;
};

template <class F>
HWY_INLINE LaneRange<F> lane_range(const numerics::LaneBand& band, std::size_t i,
                                   std::size_t part) {
  const typename F::Tag d;
  static_assert(std::is_same_v<LaneValue<F>, float>, "only programmes in float32 have bands");
  if (band.mixed())
    return {hn::LoadU(d, band.lane_first(i) + part), hn::LoadU(d, band.lane_last(i) + part)};
  return {hn::Set(d, static_cast<float>(band.first(i))),
          hn::Set(d, static_cast<float>(band.last(i)))};
}

/// Rows that advance together, and the data of their cells.
template <class F, std::size_t kRows>
struct Sweep {
  typename F::Row rows[kRows];
  typename F::State left[kRows];
  typename F::State diagonal;  // to the upper left of the first row's next cell
};

template <class F, std::size_t R, class Rows, class Range>
HWY_INLINE void advance_cell(F& f, const typename F::Column& column, std::size_t j, Rows& sweep,
                             const Range& ranges, typename F::State& above,
                             typename F::State& diagonal) {
  typename F::State value = f.cell(sweep.rows[R], column, above, diagonal, sweep.left[R]);
  if constexpr (!std::is_same_v<Range, std::nullptr_t>) {
    const auto at = hn::Set(typename F::Tag(), static_cast<LaneValue<F>>(j));
    const auto inside = hn::And(hn::Ge(at, ranges[R].first), hn::Le(at, ranges[R].last));
    if constexpr (Carries<F>)
      value = choose_state<F>(inside, value, f.carry(above, sweep.left[R]));
    else
      value = choose_state<F>(inside, value, f.outside());
  }
  diagonal = sweep.left[R];
  sweep.left[R] = value;
  above = value;
}

/// `ranges` is null if all cells of the columns [begin, end) count, else the range of each row.
template <class F, class Rows, class Range, std::size_t... R>
HWY_INLINE void advance_columns(F& f, std::size_t begin, std::size_t end, Rows& sweep,
                                const Range& ranges, LaneValue<F>* HWY_RESTRICT table,
                                std::index_sequence<R...>) {
  for (std::size_t j = begin; j < end; ++j) {
    LaneValue<F>* HWY_RESTRICT cell = table + j * column_size<F>;
    const typename F::Column column = f.column(j);
    typename F::State above = load_state<F>(cell);
    typename F::State diagonal = sweep.diagonal;
    sweep.diagonal = above;
    (advance_cell<F, R>(f, column, j, sweep, ranges, above, diagonal), ...);
    store_state<F>(above, cell);
  }
}

/// Fills the columns that the band has reached since the row above with the value of the last
/// column before them, the only one that can be carried there.
template <class F, class Band>
HWY_INLINE void carry_columns(std::size_t i, std::size_t end, const Band& band,
                              LaneValue<F>* HWY_RESTRICT table) {
  const std::size_t reached = i == 0 ? end : band.last(i - 1) + 1;
  for (std::size_t j = reached; j < end; ++j)
    store_state<F>(load_state<F>(table + (reached - 1) * column_size<F>),
                   table + j * column_size<F>);
}

template <class F, class Band, std::size_t... R>
HWY_INLINE void advance_rows(F& f, std::size_t i, const Band& band, std::size_t part,
                             LaneValue<F>* HWY_RESTRICT table, std::index_sequence<R...> rows) {
  constexpr std::size_t last = sizeof...(R) - 1;
  const std::size_t begin = band.first(i);
  const std::size_t end = band.last(i + last) + 1;
  Sweep<F, sizeof...(R)> sweep;
  ((sweep.rows[R] = f.row(i + R)), ...);
  if constexpr (Carries<F>) carry_columns<F>(i, end, band, table);
  if (begin == 0) {
    sweep.diagonal = i == 0 ? f.corner() : f.before(i - 1);
    ((sweep.left[R] = f.before(i + R)), ...);
  } else {
    LaneValue<F>* HWY_RESTRICT cell = table + (begin - 1) * column_size<F>;
    sweep.diagonal = load_state<F>(cell);
    if constexpr (Carries<F>) {
      ((sweep.left[R] = sweep.diagonal), ...);
    } else {
      store_state<F>(f.outside(), cell);  // the row below may begin here as well
      ((sweep.left[R] = f.outside()), ...);
    }
  }
  if constexpr (std::is_same_v<Band, EveryColumn>) {
    advance_columns(f, begin, end, sweep, nullptr, table, rows);
  } else {
    const LaneRange<F> ranges[] = {lane_range<F>(band, i + R, part)...};
    // Between these, all rows of the sweep count.
    std::size_t core = band.first(i + last);
    std::size_t core_end = band.last(i) + 1;
    if (band.mixed() || core >= core_end) core = core_end = end;
    // A loop, so that either way is compiled once.
    for (std::size_t at = begin;; at = core_end, core = end) {
      advance_columns(f, at, core, sweep, ranges, table, rows);
      if (core == end) break;
      advance_columns(f, core, core_end, sweep, nullptr, table, rows);
    }
  }
}

/// The number of values of a table with `columns` columns.
template <class F>
constexpr std::size_t table_size(std::size_t columns) {
  return columns * column_size<F>;
}

/// One recurrence on two groups of lanes at a time. Cells of one group do not wait for those of the
/// other, which hides latencies if a cell takes few operations (DTW: 30 % more cells per second).
/// Both have the same rows, and a cell's row data come from the first. Without a band the groups
/// may differ in length: the shorter group's columns are then read beyond its end, up to the length
/// of the longer one, so it must come first in its PackedLanes and the longer one follow it. The
/// second group's values are the planes from F::planes on.
template <class F>
struct Twice {
  using Tag = typename F::Tag;
  using Vec = typename F::Vec;
  static constexpr std::size_t rows = F::rows;
  static constexpr std::size_t planes = 2 * F::planes;
  struct State {
    Vec plane[planes];
  };
  using Row = typename F::Row;
  struct Column {
    typename F::Column first, second;
  };

  static HWY_INLINE State both(const typename F::State& a, const typename F::State& b) {
    State state;
    if constexpr (F::planes == 1) {
      state.plane[0] = a;
      state.plane[1] = b;
    } else {
      for (std::size_t p = 0; p < F::planes; ++p) {
        state.plane[p] = a.plane[p];
        state.plane[F::planes + p] = b.plane[p];
      }
    }
    return state;
  }
  template <std::size_t kHalf>
  static HWY_INLINE typename F::State half(const State& state) {
    if constexpr (F::planes == 1) {
      return state.plane[kHalf];
    } else {
      typename F::State part;
      for (std::size_t p = 0; p < F::planes; ++p)
        part.plane[p] = state.plane[kHalf * F::planes + p];
      return part;
    }
  }

  Row row(std::size_t i) const { return first.row(i); }
  Column column(std::size_t j) const { return {first.column(j), second.column(j)}; }
  State corner() const { return both(first.corner(), second.corner()); }
  State outside() const requires(!Carries<F>) { return both(first.outside(), second.outside()); }
  State carry(const State& above, const State& left) const requires Carries<F> {
    return both(first.carry(half<0>(above), half<0>(left)),
                second.carry(half<1>(above), half<1>(left)));
  }
  State before(std::size_t i) const { return both(first.before(i), second.before(i)); }
  State above(std::size_t j) const { return both(first.above(j), second.above(j)); }
  HWY_INLINE State cell(const Row& row, const Column& column, const State& above,
                        const State& diagonal, const State& left) {
    return both(first.cell(row, column.first, half<0>(above), half<0>(diagonal), half<0>(left)),
                second.cell(row, column.second, half<1>(above), half<1>(diagonal), half<1>(left)));
  }

  F first, second;
};

/// Sets `table`, which is aligned to a cache line, to the row above the first one. `part` is the
/// first lane of the group in the vectors.
template <class F, class Band>
HWY_INLINE void start(F& f, std::size_t columns, const Band& band, std::size_t part,
                      LaneValue<F>* HWY_RESTRICT table) {
  if constexpr (std::is_same_v<Band, EveryColumn> || Carries<F>) {
    for (std::size_t j = 0; j < columns; ++j)
      store_state<F>(f.above(j), table + j * column_size<F>);
  } else {
    if (band.full()) return start(f, columns, EveryColumn{columns}, part, table);
    const LaneRange<F> range = lane_range<F>(band, 0, part);
    const std::size_t counted = band.last(0) + 1;
    for (std::size_t j = 0; j < counted; ++j) {
      const auto at = hn::Set(typename F::Tag(), static_cast<LaneValue<F>>(j));
      store_state<F>(choose_state<F>(hn::Le(at, range.last), f.above(j), f.outside()),
                     table + j * column_size<F>);
    }
    for (std::size_t j = counted; j < columns; ++j)
      store_state<F>(f.outside(), table + j * column_size<F>);
  }
}

/// Advances the table from the row above `begin` to row `end` - 1. A band must be that of all rows.
template <class F, class Band>
HWY_INLINE void advance(F& recurrence, std::size_t begin, std::size_t end, const Band& band,
                        std::size_t part, LaneValue<F>* HWY_RESTRICT table) {
  F f = recurrence;
  std::size_t i = begin;
  for (; i + F::rows <= end; i += F::rows)
    advance_rows(f, i, band, part, table, std::make_index_sequence<F::rows>());
  if constexpr (F::rows > 1)
    for (; i < end; ++i) advance_rows(f, i, band, part, table, std::make_index_sequence<1>());
  recurrence = f;
}

/// The value of `plane` in the last column of each lane in the vectors: answers[lane] for the lanes
/// [part, part + lanes_at_once<F>) that the group uses.
template <class F>
HWY_INLINE void last_column(const typename PackedLanes<LaneValue<F>>::Group& group,
                            std::size_t part, const LaneValue<F>* HWY_RESTRICT table,
                            std::size_t plane, LaneValue<F>* HWY_RESTRICT answers) {
  for (std::size_t k = 0; k < lanes_at_once<F> && part + k < group.count; ++k)
    answers[part + k] = table[(group.lengths[part + k] - std::size_t{1}) * column_size<F> +
                              plane * lanes_at_once<F> + k];
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::series
HWY_AFTER_NAMESPACE();

#endif
