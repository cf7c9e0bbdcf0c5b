// SPDX-License-Identifier: MIT
#include "semblance_numerics/cholesky.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/triangle.hpp"

namespace semblance::numerics {
namespace {

/// The lower triangle of a square matrix, seen as tiles.
template <class T>
class Tiles {
 public:
  explicit Tiles(Vectors<T>& m) : m_(m) {}
  std::size_t count() const { return (m_.cols() + factor_tile - 1) / factor_tile; }

  bool factorise(std::size_t k) const { return blas::factorise(size(k), at(k, k), m_.stride()); }
  /// Computes tile (i, k) of the factor; the diagonal tile of k must be done.
  void divide(std::size_t i, std::size_t k) const {
    blas::divide_right(size(i), size(k), at(k, k), at(i, k), m_.stride());
  }
  /// Subtracts the contribution of column k of the factor from tile (i, j).
  void subtract(std::size_t i, std::size_t j, std::size_t k) const {
    if (i == j)
      blas::add_square(size(i), size(k), at(i, k), m_.stride(), at(i, i), m_.stride(), -1);
    else
      blas::add_product(size(i), size(j), size(k), at(i, k), at(j, k), m_.stride(), at(i, j),
                        m_.stride(), -1);
  }

 private:
  std::size_t size(std::size_t i) const {
    return std::min(factor_tile, m_.cols() - i * factor_tile);
  }
  T* at(std::size_t i, std::size_t j) const { return m_.row(i * factor_tile) + j * factor_tile; }

  Vectors<T>& m_;
};

}  // namespace

template <class T>
Factorisation factorise(Vectors<T>& matrix, Context& context) {
  const Tiles<T> tiles(matrix);
  for (std::size_t k = 0; k < tiles.count(); ++k) {
    if (context.stop_requested() != StopReason::none) return Factorisation::stopped;
    if (!tiles.factorise(k)) return Factorisation::indefinite;
    const std::size_t next = k + 1, rest = tiles.count() - next;
    if (rest == 0) break;
    // A column of many tiles takes seconds.
    const auto stopped = [&] { return context.stop_requested() != StopReason::none; };
    context.parallel_for(rest, [&](std::size_t i) {
      if (!stopped()) tiles.divide(next + i, k);
    });
    context.parallel_for(triangle_size(rest), [&](std::size_t task) {
      if (stopped()) return;
      const TrianglePlace place = triangle_place(task);
      tiles.subtract(next + place.row, next + place.col, k);
    });
  }
  return Factorisation::done;
}

template Factorisation factorise(Vectors<float>&, Context&);
template Factorisation factorise(Vectors<double>&, Context&);

bool invert_factor(const Vectors<float>& factor, Vectors<float>& inverse, Context& context) {
  const std::size_t d = factor.cols();
  std::atomic<bool> complete{true};
  // One tile width of columns at a time; they are zero above the diagonal.
  context.parallel_for((d + factor_tile - 1) / factor_tile, [&](std::size_t i) {
    if (context.stop_requested() != StopReason::none) complete = false;
    if (!complete) return;
    const std::size_t first = i * factor_tile, rows = d - first,
                      width = std::min(factor_tile, rows);
    std::vector<float> x(rows * width);
    for (std::size_t j = 0; j < width; ++j) x[j * width + j] = 1;
    // For large matrices, some columns at a time: all would take seconds.
    constexpr std::size_t large = 8192;
    const std::size_t columns = rows < large ? width : 64;
    for (std::size_t j = 0; j < width && complete; j += columns) {
      if (context.stop_requested() != StopReason::none) complete = false;
      blas::divide_left(rows, std::min(columns, width - j), factor.row(first) + first,
                        factor.stride(), x.data() + j, width);
    }
    for (std::size_t r = 0; r < rows; ++r)
      std::copy_n(&x[r * width], width, inverse.row(first + r) + first);
  });
  return complete;
}

std::size_t invert_factor_bytes(std::size_t dimension, std::size_t threads) noexcept {
  return threads * std::min(factor_tile, dimension) * dimension * sizeof(float);
}

}  // namespace semblance::numerics
