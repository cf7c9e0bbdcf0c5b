// SPDX-License-Identifier: MIT
// Sums over pairs of rows: products and squared distances. A block of 256 threads computes 128 x
// 128 pairs, each thread 8 x 8 of them, 8 values of each row at a time, while the next 8 are on
// their way. A pair's sum depends on its two rows alone.
#include "device_code.hpp"
#include "row_pairs.hpp"

namespace semblance::gpu {
namespace {

constexpr unsigned tile = row_pair_tile, threads = row_pair_threads;
constexpr unsigned depth = row_pair_depth;
constexpr unsigned fours = depth / 4;  // of a row at a time: one for each thread
static_assert(tile * fours == threads);
constexpr unsigned width = tile + 4;  // so that stores hit different banks
// Sums of more values are added up in parts, so that the error grows with their number's root.
constexpr unsigned part = 2048 / depth;

struct Product {
  ON_DEVICE static float add(float sum, float b, float x) { return fused(b, x, sum); }
};
struct SquaredDifference {
  ON_DEVICE static float add(float sum, float b, float x) {
    const float d = b - x;
    return fused(d, d, sum);
  }
};
struct Sums {
  float of[8][8];
};

/// The thread's values of the tile that begins at `first_row`, from column `col` on. Those of rows
/// after the last are of no use.
ON_DEVICE Four fetch(const float* from, unsigned long long stride, unsigned count,
                     unsigned first_row, unsigned col, unsigned thread) {
  const unsigned row = first_row + thread / fours;
  return *reinterpret_cast<const Four*>(from + (row < count ? row : count - 1) * stride + col +
                                        thread % fours * 4);
}

ON_DEVICE void keep(const Four& values, float (*to)[width], unsigned thread) {
  UNROLLED
  for (unsigned k = 0; k < 4; ++k) to[thread % fours * 4 + k][thread / fours] = values[k];
}

template <class Pair>
ON_DEVICE void accumulate(const float (*rows)[width], const float (*bases)[width], unsigned thread,
                          Sums& sums) {
  const unsigned i = thread / 16 * 4, j = thread % 16 * 4;
  UNROLLED
  for (unsigned k = 0; k < depth; ++k) {
    const Four x[2] = {*reinterpret_cast<const Four*>(&rows[k][i]),
                       *reinterpret_cast<const Four*>(&rows[k][i + tile / 2])};
    const Four b[2] = {*reinterpret_cast<const Four*>(&bases[k][j]),
                       *reinterpret_cast<const Four*>(&bases[k][j + tile / 2])};
    UNROLLED
    for (unsigned r = 0; r < 8; ++r) UNROLLED
    for (unsigned c = 0; c < 8; ++c)
      sums.of[r][c] = Pair::add(sums.of[r][c], b[c / 4][c % 4], x[r / 4][r % 4]);
  }
}

ON_DEVICE float finished(const RowPairs& given, float sum) {
  if (given.finish == Finish::exponential) return exponential(given.factor * sum);
  if (given.finish != Finish::power) return sum;
  const float base = given.factor * sum + given.offset;
  float power = base;
  for (int p = 1; p < given.degree; ++p) power *= base;
  return power;
}

/// Adds the sums to what `out` has of earlier parts, if there are any.
ON_DEVICE void give(const RowPairs& given, Sums& sums, unsigned thread, bool first, bool last) {
  UNROLLED
  for (unsigned r = 0; r < 8; ++r) {
    const unsigned i = block_row() * tile + thread / 16 * 4 + r / 4 * (tile / 2) + r % 4;
    UNROLLED
    for (unsigned c = 0; c < 8; ++c) {
      const unsigned j = block_column() * tile + thread % 16 * 4 + c / 4 * (tile / 2) + c % 4;
      if (i >= given.rows_count || j >= given.count) continue;
      float& out = given.out[i * given.out_stride + j];
      const float sum = first ? sums.of[r][c] : out + sums.of[r][c];
      out = last ? finished(given, sum) : sum;
    }
  }
}

template <class Pair>
ON_DEVICE void compare(const RowPairs& given) {
  SHARED(float, rows, [2][depth][width]);
  SHARED(float, bases, [2][depth][width]);
  PRIVATE(Sums, sums, threads);
  const unsigned first_row = block_row() * tile, first_base = block_column() * tile;
  const unsigned steps = (given.cols + depth - 1) / depth;
  const auto of_rows = [&](unsigned step, unsigned thread) {
    return fetch(given.rows, given.rows_stride, given.rows_count, first_row, step * depth, thread);
  };
  const auto of_bases = [&](unsigned step, unsigned thread) {
    return fetch(given.bases, given.bases_stride, given.count, first_base, step * depth, thread);
  };
  EACH_THREAD(threads) {
    MINE(sums) = Sums{};
    keep(of_rows(0, thread), rows[0], thread);
    keep(of_bases(0, thread), bases[0], thread);
  }
  for (unsigned begin = 0; begin < steps; begin += part) {
    const unsigned end = begin + part < steps ? begin + part : steps;
    for (unsigned step = begin; step < end; ++step) {
      const unsigned now = step % 2, next = 1 - now;
      EACH_THREAD(threads) {
        const bool more = step + 1 < steps;
        Four next_rows = {}, next_bases = {};
        if (more) {
          next_rows = of_rows(step + 1, thread);
          next_bases = of_bases(step + 1, thread);
        }
        // Threads without pairs only fetch.
        if (first_row + thread / 16 * 4 < given.rows_count &&
            first_base + thread % 16 * 4 < given.count)
          accumulate<Pair>(rows[now], bases[now], thread, MINE(sums));
        if (more) {
          keep(next_rows, rows[next], thread);
          keep(next_bases, bases[next], thread);
        }
      }
    }
    EACH_THREAD(threads) {
      give(given, MINE(sums), thread, begin == 0, end == steps);
      MINE(sums) = Sums{};
    }
  }
}

}  // namespace

KERNEL(products, RowPairs, threads, 2) { compare<Product>(given); }
KERNEL(squared_distances, RowPairs, threads, 2) { compare<SquaredDifference>(given); }

}  // namespace semblance::gpu
