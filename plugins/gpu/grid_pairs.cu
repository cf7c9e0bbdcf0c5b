// SPDX-License-Identifier: MIT
// Similarities of pairs of grids of cells whose cells move. A block of 128 threads compares 128
// bases with 64 rows, each thread 8 x 8 of them: for a cell that stays and a cell that moves there,
// the products are a product of matrices, 8 values of the cells at a time, while the next 8 are on
// their way. Only cells inside of the grid are multiplied. A value depends on its two grids alone.
#include "device_code.hpp"
#include "grid_pairs.hpp"

namespace semblance::gpu::grids {
namespace {

constexpr unsigned threads = grid_pair_threads, slice = grid_pair_slice;
constexpr unsigned tile_bases = grid_pair_bases, tile_rows = grid_pair_rows;

struct Values {
  float of[8][8];
};

struct Span {
  int first, last;
};

/// In one direction: the cells that stay and have, displaced by z, cells of the grid in reach.
ON_DEVICE Span staying(int cells, int z, int local) {
  const int first = -z - local, last = cells - 1 - z + local;
  return {first > 0 ? first : 0, last < cells - 1 ? last : cells - 1};
}

/// In one direction: the cells of the grid in reach of `at`.
ON_DEVICE Span nearby(int cells, int at, int local) {
  const int first = at - local, last = at + local;
  return {first > 0 ? first : 0, last < cells - 1 ? last : cells - 1};
}

/// Displacement z of the grid, a cell that stays, and the cell (y, x) that moves there.
struct Place {
  int zy, zx;
  int row, col;
  int y, x;
};

/// What ends with a pair of cells; each includes those before.
enum class End { pair, cell, row, displacement, all };

ON_DEVICE void begin_cell(const GridPairs& given, Place& place) {
  place.y = nearby(given.height, place.row + place.zy, given.local).first;
  place.x = nearby(given.width, place.col + place.zx, given.local).first;
}

ON_DEVICE void begin_displacement(const GridPairs& given, Place& place) {
  place.row = staying(given.height, place.zy, given.local).first;
  place.col = staying(given.width, place.zx, given.local).first;
  begin_cell(given, place);
}

ON_DEVICE Place first_place(const GridPairs& given) {
  Place place = {};
  place.zy = -given.reach_rows;
  place.zx = -given.reach_cols;
  begin_displacement(given, place);
  return place;
}

/// Goes to the next pair of cells, if there is one.
ON_DEVICE End advance(const GridPairs& given, Place& place) {
  const Span x = nearby(given.width, place.col + place.zx, given.local);
  if (place.x < x.last) return ++place.x, End::pair;
  place.x = x.first;
  if (place.y < nearby(given.height, place.row + place.zy, given.local).last)
    return ++place.y, End::pair;
  const Span cols = staying(given.width, place.zx, given.local);
  End end = End::cell;
  if (place.col < cols.last) {
    ++place.col;
  } else {
    end = End::row;
    place.col = cols.first;
    if (place.row < staying(given.height, place.zy, given.local).last) {
      ++place.row;
    } else {
      end = End::displacement;
      if (place.zx < given.reach_cols) {
        ++place.zx;
      } else if (place.zy < given.reach_rows) {
        place.zx = -given.reach_cols;
        ++place.zy;
      } else {
        return End::all;
      }
      begin_displacement(given, place);
      return end;
    }
  }
  begin_cell(given, place);
  return end;
}

/// Minus the cost of this local displacement.
ON_DEVICE float less_cost(const GridPairs& given, const Place& place) {
  const int ly = place.y - place.row - place.zy, lx = place.x - place.col - place.zx;
  return -(given.local_penalty * static_cast<float>(ly * ly + lx * lx));
}

/// In one direction: the least local displacement that leaves the grid; 0 if none does.
ON_DEVICE int way_out(int cells, int at, int local) {
  const int up = at + 1, down = cells - at;
  const int least = up < down ? up : down;
  return least <= local ? least : 0;
}

/// The best of the zero products of a staying cell with cells outside of the grid; -inf: all are
/// inside.
ON_DEVICE float outside(const GridPairs& given, const Place& place) {
  const int y = place.row + place.zy, x = place.col + place.zx;
  if (y < 0 || y >= given.height || x < 0 || x >= given.width) return 0;
  const int down = way_out(given.height, y, given.local);
  const int across = way_out(given.width, x, given.local);
  if (down == 0 && across == 0) return bits_as_float(0xff800000U);
  const int least = down == 0 || (across != 0 && across < down) ? across : down;
  return -(given.local_penalty * static_cast<float>(least * least));
}

/// The cells of a place, by their numbers.
struct Cells {
  unsigned of_row, of_basis;
};

ON_DEVICE Cells cells_at(const GridPairs& given, const Place& place) {
  const auto stays = static_cast<unsigned>(place.row * given.width + place.col);
  const auto moves = static_cast<unsigned>(place.y * given.width + place.x);
  Cells cells = {moves, stays};
  if (given.basis_moves != 0) cells = {stays, moves};
  return cells;
}

/// A thread's values on their way to shared memory.
struct Fetched {
  Four rows;
  Four bases[2];
};

/// A value of 4 grids, the first of which is `first`.
ON_DEVICE Four four_of(const float* grids, unsigned width, unsigned long long value,
                       unsigned first) {
  return *reinterpret_cast<const Four*>(grids + value * width + first);
}

ON_DEVICE Fetched fetch(const GridPairs& given, const Cells& cells, unsigned part,
                        unsigned thread) {
  const auto first_value = [&](unsigned cell) {
    return (static_cast<unsigned long long>(cell) * given.slices + part) * slice;
  };
  const unsigned first_row = block_row() * tile_rows + thread % 16 * 4;
  const unsigned first_basis =
      (given.first / tile_bases + block_column()) * tile_bases + thread % 32 * 4;
  Fetched values;
  values.rows =
      four_of(given.rows, given.rows_width, first_value(cells.of_row) + thread / 16, first_row);
  UNROLLED
  for (unsigned h = 0; h < 2; ++h) {
    const unsigned k = thread / 32 + h * 4;
    values.bases[h] =
        four_of(given.bases, given.bases_width, first_value(cells.of_basis) + k, first_basis);
  }
  return values;
}

ON_DEVICE void keep(const Fetched& values, float (*rows)[tile_rows], float (*bases)[tile_bases],
                    unsigned thread) {
  const unsigned row = thread % 16 * 4, basis = thread % 32 * 4;
  *reinterpret_cast<Four*>(&rows[thread / 16][row]) = values.rows;
  UNROLLED
  for (unsigned h = 0; h < 2; ++h)
    *reinterpret_cast<Four*>(&bases[thread / 32 + h * 4][basis]) = values.bases[h];
}

/// The thread's first row and basis in the tile; it has three more of each, and four at a distance
/// of 16 rows and 32 bases. Neighbouring lanes read the same bases, so that a warp's load of 16
/// bytes a lane takes two accesses.
ON_DEVICE unsigned first_row(unsigned thread) {
  return thread / 64 * 32 + (thread % 32 / 16 * 2 + thread % 2) * 4;
}
ON_DEVICE unsigned first_basis(unsigned thread) {
  return thread / 32 % 2 * 64 + thread % 16 / 2 * 4;
}

ON_DEVICE void accumulate(const float (*rows)[tile_rows], const float (*bases)[tile_bases],
                          unsigned thread, Values& products) {
  const unsigned i = first_row(thread), j = first_basis(thread);
  UNROLLED
  for (unsigned k = 0; k < slice; ++k) {
    const Four x[2] = {*reinterpret_cast<const Four*>(&rows[k][i]),
                       *reinterpret_cast<const Four*>(&rows[k][i + 16])};
    const Four b[2] = {*reinterpret_cast<const Four*>(&bases[k][j]),
                       *reinterpret_cast<const Four*>(&bases[k][j + 32])};
    UNROLLED
    for (unsigned r = 0; r < 8; ++r) UNROLLED
    for (unsigned c = 0; c < 8; ++c)
      products.of[r][c] = fused(b[c / 4][c % 4], x[r / 4][r % 4], products.of[r][c]);
  }
}

/// For all values of a thread.
template <class Change>
ON_DEVICE void each(const Change& change) {
  UNROLLED
  for (unsigned r = 0; r < 8; ++r) UNROLLED
  for (unsigned c = 0; c < 8; ++c) change(r, c);
}

/// The larger one; NaN if one of them is.
ON_DEVICE float better(float best, float value) {
  return value <= best || !(best == best) ? best : value;
}

/// Gives the sums over cells of the displacement that ends at `place`, if they are better.
ON_DEVICE void give(const GridPairs& given, const Place& place, const Values& sums,
                    unsigned thread) {
  const bool first = place.zy == -given.reach_rows && place.zx == -given.reach_cols;
  const float cost = given.penalty * static_cast<float>(place.zy * place.zy + place.zx * place.zx);
  const unsigned row = block_row() * tile_rows + first_row(thread);
  // Of the bases to compare; wraps around before the first.
  const unsigned basis =
      block_column() * tile_bases + first_basis(thread) - given.first % tile_bases;
  const float floor = given.floor;
  each([&](unsigned r, unsigned c) {
    const unsigned i = row + r / 4 * 16 + r % 4, j = basis + c / 4 * 32 + c % 4;
    if (i >= given.rows_count || j >= given.count) return;
    float* const out = given.out + i * given.out_stride + j;
    float value = better(floor, sums.of[r][c] - cost);
    if (!first) value = better(*out, value);
    *out = value;
  });
}

/// Sums over cells of the largest products nearby.
class Deformable {
 public:
  ON_DEVICE void begin(const GridPairs& given, const Place& place) {
    const float none = outside(given, place), less = less_cost(given, place);
    each([&](unsigned r, unsigned c) {
      products.of[r][c] = less;
      best_.of[r][c] = none;
      sums_.of[r][c] = 0;
    });
  }

  ON_DEVICE void end(const GridPairs& given, const Place& place, End end, const Place& next,
                     unsigned thread) {
    const float less = less_cost(given, next);
    each([&](unsigned r, unsigned c) {
      const float product = products.of[r][c];
      best_.of[r][c] = larger(best_.of[r][c], product);
      sums_.of[r][c] = fused(product, 0, sums_.of[r][c]);  // NaN, which a maximum would lose
      products.of[r][c] = less;
    });
    if (end == End::pair) return;
    const float none = outside(given, next);
    each([&](unsigned r, unsigned c) {
      sums_.of[r][c] += best_.of[r][c];
      best_.of[r][c] = none;
    });
    if (end < End::displacement) return;
    give(given, place, sums_, thread);
    each([&](unsigned r, unsigned c) { sums_.of[r][c] = 0; });
  }

  Values products;  ///< of the cells

 private:
  Values best_, sums_;
};

/// Sums over cells of the products, which are summed up over each row of cells first.
class Rigid {
 public:
  ON_DEVICE void begin(const GridPairs&, const Place&) {
    each([&](unsigned r, unsigned c) { products.of[r][c] = sums_.of[r][c] = 0; });
  }

  ON_DEVICE void end(const GridPairs& given, const Place& place, End end, const Place&,
                     unsigned thread) {
    if (end < End::row) return;
    each([&](unsigned r, unsigned c) {
      sums_.of[r][c] += products.of[r][c];
      products.of[r][c] = 0;
    });
    if (end < End::displacement) return;
    give(given, place, sums_, thread);
    each([&](unsigned r, unsigned c) { sums_.of[r][c] = 0; });
  }

  Values products;

 private:
  Values sums_;
};

template <class Measure>
ON_DEVICE void compare_grids(const GridPairs& given) {
  SHARED(float, rows, [2][slice][tile_rows]);
  SHARED(float, bases, [2][slice][tile_bases]);
  PRIVATE(Measure, measure, threads);
  Place place = first_place(given);
  EACH_THREAD(threads) {
    MINE(measure).begin(given, place);
    keep(fetch(given, cells_at(given, place), 0, thread), rows[0], bases[0], thread);
  }
  unsigned now = 0;
  for (bool more = true; more;) {
    Place next = place;
    const End end = advance(given, next);
    Cells cells = cells_at(given, place);
    for (unsigned part = 0; part < given.slices; ++part) {
      const bool last = part + 1 == given.slices;
      if (last) cells = cells_at(given, next);
      more = !last || end != End::all;
      EACH_THREAD(threads) {
        Fetched values = {};
        if (more) values = fetch(given, cells, last ? 0 : part + 1, thread);
        accumulate(rows[now], bases[now], thread, MINE(measure).products);
        if (more) keep(values, rows[1 - now], bases[1 - now], thread);
        if (last) MINE(measure).end(given, place, end, next, thread);
      }
      now = 1 - now;
    }
    place = next;
  }
}

}  // namespace

KERNEL(deformable_grids, GridPairs, threads) { compare_grids<Deformable>(given); }
KERNEL(rigid_grids, GridPairs, threads) { compare_grids<Rigid>(given); }

KERNEL(packed_grids, PackedGrids, packing_threads) {
  SHARED(float, values, [packing_tile][packing_tile + 1]);
  const unsigned first_value = block_column() * packing_tile;
  const unsigned first_row = block_row() * packing_tile;
  const unsigned cell = given.slices * slice, all = given.cells * cell;
  EACH_THREAD(packing_threads) {
    const unsigned value = first_value + thread % packing_tile, k = value % cell;
    const unsigned from = value / cell * given.depth + k;
    for (unsigned r = thread / packing_tile; r < packing_tile;
         r += packing_threads / packing_tile) {
      const bool inside = value < all && k < given.depth && first_row + r < given.count;
      values[r][thread % packing_tile] =
          inside ? given.from[(first_row + r) * given.stride + from] : 0;
    }
  }
  EACH_THREAD(packing_threads) {
    const unsigned row = first_row + thread % packing_tile;
    for (unsigned v = thread / packing_tile; v < packing_tile; v += packing_threads / packing_tile)
      if (first_value + v < all && row < given.width)
        given.to[static_cast<unsigned long long>(first_value + v) * given.width + row] =
            values[thread % packing_tile][v];
  }
}

}  // namespace semblance::gpu::grids
