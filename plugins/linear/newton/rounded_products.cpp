// SPDX-License-Identifier: MIT
#include "newton/rounded_products.hpp"

#include <algorithm>
#include <cmath>

#include "newton/row_gram.hpp"
#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/cholesky.hpp"
#include "semblance_numerics/product.hpp"

namespace semblance::linear {
namespace {

// Columns per sum in float32: the sums of all strips together have less rounding than one.
constexpr std::size_t rounded_strip = 512;

/// Rows of one tile, packed by strips of columns.
class PackedTile {
 public:
  PackedTile(std::span<const float* const> rows, std::size_t cols) : rows_(rows.size()) {
    for (std::size_t first = 0; first < cols; first += rounded_strip) {
      FloatMatrix strip(rows.size(), std::min(rounded_strip, cols - first));
      for (std::size_t r = 0; r < rows.size(); ++r)
        std::copy_n(rows[r] + first, strip.cols, &strip.values[r * strip.cols]);
      strips_.emplace_back(strip.view());
    }
  }

  /// to[j * stride + i] += left row i . packed row j.
  void add_products(std::span<const float* const> left, float* to, std::size_t stride) const {
    std::vector<float> products(left.size() * rows_);
    std::vector<const float*> begins(left.begin(), left.end());
    std::vector<float*> out(left.size());
    for (std::size_t i = 0; i < left.size(); ++i) out[i] = &products[i * rows_];
    for (const numerics::PackedRows& strip : strips_) {
      numerics::multiply(begins, strip, out);
      for (std::size_t j = 0; j < rows_; ++j)
        for (std::size_t i = 0; i < left.size(); ++i) to[j * stride + i] += products[i * rows_ + j];
      for (const float*& begin : begins) begin += strip.cols();
    }
  }

 private:
  std::size_t rows_;
  std::vector<numerics::PackedRows> strips_;
};

/// (L L^T)^-1 r for the factor L, in float32.
std::vector<double> solved(const Vectors<float>& factor, const std::vector<double>& r) {
  double size = 0;
  for (const double x : r) size = std::max(size, std::abs(x));
  if (size == 0) size = 1;
  std::vector<float> x(r.size());
  std::ranges::transform(r, x.begin(), [&](double v) { return static_cast<float>(v / size); });
  numerics::blas::solve(x.size(), factor.row(0), factor.stride(), x.data());
  std::vector<double> out(r.size());
  std::ranges::transform(x, out.begin(), [&](float v) { return size * double{v}; });
  return out;
}

}  // namespace

bool RoundedProducts::change(std::span<const std::size_t> places,
                             std::span<const float* const> rows, std::size_t cols, double bias,
                             Context& context) {
  const std::size_t stay = places.size(), n = rows.size();
  Vectors<float> next(n, n);
  for (std::size_t i = 0; i < stay; ++i)
    for (std::size_t j = 0; j <= i; ++j) next.row(i)[j] = products_.row(places[i])[places[j]];
  products_ = std::move(next);
  for (std::size_t first = stay; first < n; first += tile_rows) {
    if (context.stop_requested() != StopReason::none) return false;
    const std::size_t count = std::min(tile_rows, n - first), end = first + count;
    const PackedTile tile(rows.subspan(first, count), cols);
    context.parallel_for((end + tile_rows - 1) / tile_rows, [&](std::size_t other) {
      const std::size_t begin = other * tile_rows, others = std::min(tile_rows, end - begin);
      float* to = products_.row(first) + begin;
      for (std::size_t r = 0; r < count; ++r)
        std::fill_n(to + r * products_.stride(), others, static_cast<float>(bias * bias));
      tile.add_products(rows.subspan(begin, others), to, products_.stride());
    });
  }
  return context.stop_requested() == StopReason::none;
}

/// The Cholesky factor of K + D. If rounding makes it indefinite, its diagonal is raised a little.
/// False if that does not help or a stop was requested.
bool RoundedProducts::factorise(std::span<const double> shifts, Vectors<float>& factor,
                                Context& context) const {
  constexpr float least_raise = 1e-7F, most_raise = 1e-4F;
  for (float raise = 0; raise <= most_raise; raise = std::max(least_raise, 10 * raise)) {
    for (std::size_t i = 0; i < products_.cols(); ++i) {
      std::copy_n(products_.row(i), i + 1, factor.row(i));
      factor.row(i)[i] = (factor.row(i)[i] + static_cast<float>(shifts[i])) * (1 + raise);
    }
    const numerics::Factorisation result = numerics::factorise(factor, context);
    if (result != numerics::Factorisation::indefinite)
      return result == numerics::Factorisation::done;
  }
  return false;
}

bool RoundedProducts::solve(std::span<const double> shifts, const Product& product,
                            std::vector<double>& z, Context& context) const {
  // The slacks of the rows err by at most the residual; z is at first as large as the gradient.
  constexpr double reduction = 1e-13;
  constexpr int most_iterations = 40;
  const std::size_t n = z.size();
  Vectors<float> factor(n, n);
  if (!factorise(shifts, factor, context)) return false;
  std::vector<double> r = std::move(z), preconditioned = solved(factor, r), p = preconditioned;
  z.assign(n, 0);
  double rho = dot(r.data(), p.data(), n);
  const double goal = reduction * reduction * dot(r.data(), r.data(), n);
  for (int i = 0; i < most_iterations; ++i) {
    if (dot(r.data(), r.data(), n) <= goal) return true;
    if (context.stop_requested() != StopReason::none) return false;
    const std::vector<double> kp = product(p);
    double curvature = 0;
    for (std::size_t k = 0; k < n; ++k) curvature += p[k] * (kp[k] + shifts[k] * p[k]);
    const double alpha = rho / curvature;
    for (std::size_t k = 0; k < n; ++k) {
      z[k] += alpha * p[k];
      r[k] -= alpha * (kp[k] + shifts[k] * p[k]);
    }
    preconditioned = solved(factor, r);
    const double next = dot(r.data(), preconditioned.data(), n);
    for (std::size_t k = 0; k < n; ++k) p[k] = preconditioned[k] + next / rho * p[k];
    rho = next;
  }
  return false;
}

}  // namespace semblance::linear
