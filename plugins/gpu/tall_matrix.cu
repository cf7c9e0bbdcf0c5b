// SPDX-License-Identifier: MIT
// Products of a tall matrix with a few vectors, and sums of its rows with a few factors each: both
// read the matrix once for up to 16 vectors (8 in double), and are bound by the memory. In
// products, a warp has 4 rows, its lanes 4 columns each of every 128; their sums are added lane by
// lane. In sums, a thread has 4 columns of 256 rows.
#include "device_code.hpp"
#include "tall_products.hpp"

namespace semblance::gpu {
namespace {

constexpr unsigned lanes = 32, warps = tall_threads / lanes, warp_rows = tall_rows / warps;

template <class T>
struct Most;
template <>
struct Most<float> {
  static constexpr unsigned vectors = tall_vectors_float;
};
template <>
struct Most<double> {
  static constexpr unsigned vectors = tall_vectors_double;
};

template <class T, unsigned rows, unsigned cols>
struct OwnSums {
  T of[rows][cols];
};

/// Values that are loaded together.
template <class T, unsigned count>
struct alignas(16) Some {
  T of[count];
};

/// Four values of a row; 0 after its end.
ON_DEVICE Four four(const float* row, unsigned col, unsigned cols) {
  Four values = *reinterpret_cast<const Four*>(row + col);
  UNROLLED
  for (unsigned k = 1; k < 4; ++k)
    if (col + k >= cols) values[k] = 0;
  return values;
}

template <class T>
ON_DEVICE void multiply_rows(const TallProducts& given) {
  constexpr unsigned most = Most<T>::vectors;
  using Own = OwnSums<T, warp_rows, most>;
  SHARED(T, parts, [warps * warp_rows * most][lanes + 1]);
  EACH_THREAD(tall_threads) {
    const unsigned lane = thread % lanes, warp = thread / lanes;
    const unsigned row = block_column() * tall_rows + warp * warp_rows;
    Own sums = {};
    for (unsigned col = lane * 4; col < given.cols; col += lanes * 4) {
      Four x[warp_rows];
      UNROLLED
      for (unsigned r = 0; r < warp_rows; ++r)
        x[r] = row + r < given.rows ? four(given.x + (row + r) * given.x_stride, col, given.cols)
                                    : Four{0, 0, 0, 0};
      UNROLLED
      for (unsigned a = 0; a < most; ++a) {
        if (a >= given.count) continue;
        const auto vector = *reinterpret_cast<const Some<T, 4>*>(
            static_cast<const T*>(given.in) + (given.first + a) * given.stride + col);
        UNROLLED
        for (unsigned k = 0; k < 4; ++k) {
          const T v = vector.of[k];
          UNROLLED
          for (unsigned r = 0; r < warp_rows; ++r)
            sums.of[r][a] = fused(static_cast<T>(x[r][k]), v, sums.of[r][a]);
        }
      }
    }
    UNROLLED
    for (unsigned r = 0; r < warp_rows; ++r) UNROLLED
    for (unsigned a = 0; a < most; ++a)
      parts[(warp * warp_rows + r) * most + a][lane] = sums.of[r][a];
  }
  EACH_THREAD(tall_threads) {
    for (unsigned s = thread; s < tall_rows * most; s += tall_threads) {
      const unsigned row = block_column() * tall_rows + s / most, a = s % most;
      if (row >= given.rows || a >= given.count) continue;
      T sum = 0;
      for (unsigned lane = 0; lane < lanes; ++lane) sum += parts[s][lane];
      static_cast<T*>(
          given.out)[static_cast<unsigned long long>(row) * given.all + given.first + a] = sum;
    }
  }
}

/// The sums of part block_row() of the rows, after those of the parts before.
template <class T>
ON_DEVICE void sum_rows(const TallProducts& given) {
  constexpr unsigned most = Most<T>::vectors;
  using Factors = Some<T, most>;
  SHARED(Factors, factors, [tall_part]);
  const unsigned first = block_row() * tall_part;
  const unsigned rows = given.rows - first < tall_part ? given.rows - first : tall_part;
  EACH_THREAD(tall_threads) {
    for (unsigned s = thread; s < rows * most; s += tall_threads) {
      const unsigned r = s / most, a = s % most;
      factors[r].of[a] =
          a < given.count ? static_cast<const T*>(
                                given.in)[static_cast<unsigned long long>(first + r) * given.all +
                                          given.first + a]
                          : T{0};
    }
  }
  EACH_THREAD(tall_threads) {
    const unsigned col = block_column() * tall_cols + thread * 4;
    if (col < given.cols) {
      OwnSums<T, most, 4> own = {};
      const float* from = given.x + first * given.x_stride;
      UNROLLED_BY_4
      for (unsigned r = 0; r < rows; ++r, from += given.x_stride) {
        const Four x = *reinterpret_cast<const Four*>(from + col);
        const Factors row = factors[r];
        UNROLLED
        for (unsigned a = 0; a < most; ++a) {
          const T factor = row.of[a];
          UNROLLED
          for (unsigned k = 0; k < 4; ++k)
            own.of[a][k] = fused(factor, static_cast<T>(x[k]), own.of[a][k]);
        }
      }
      T* const out = static_cast<T*>(given.out) +
                     static_cast<unsigned long long>(block_row()) * given.count * given.stride +
                     col;
      UNROLLED
      for (unsigned a = 0; a < most; ++a) {
        if (a >= given.count) continue;
        UNROLLED
        for (unsigned k = 0; k < 4; ++k)
          if (col + k < given.cols) out[a * given.stride + k] = own.of[a][k];
      }
    }
  }
}

template <class T>
ON_DEVICE void sum_parts(const TallTotals& given) {
  EACH_THREAD(tall_threads) {
    const unsigned long long i =
        static_cast<unsigned long long>(block_column()) * tall_threads + thread;
    if (i < given.values) {
      double sum = 0;
      for (unsigned part = 0; part < given.count; ++part)
        sum += static_cast<const T*>(given.parts)[part * given.values + i];
      given.out[i] = sum;
    }
  }
}

}  // namespace

KERNEL(tall_products_float, TallProducts, tall_threads) { multiply_rows<float>(given); }
KERNEL(tall_products_double, TallProducts, tall_threads) { multiply_rows<double>(given); }
KERNEL(tall_sums_float, TallProducts, tall_threads) { sum_rows<float>(given); }
KERNEL(tall_sums_double, TallProducts, tall_threads) { sum_rows<double>(given); }
KERNEL(tall_totals_float, TallTotals, tall_threads) { sum_parts<float>(given); }
KERNEL(tall_totals_double, TallTotals, tall_threads) { sum_parts<double>(given); }

}  // namespace semblance::gpu
