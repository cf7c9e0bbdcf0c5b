// SPDX-License-Identifier: MIT
#include "newton/row_gram.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/cholesky.hpp"
#include "semblance_numerics/padded_vectors.hpp"
#include "skinny_product.hpp"

namespace semblance::linear {
namespace {

using numerics::Vectors;

/// Rows of a tile of products: enough for BLAS to reach full speed, and few enough for a few
/// hundred rows to keep several threads busy.
constexpr std::size_t tile_rows = 128;

/// Columns converted to double at once, 1 MiB per side of a tile.
constexpr std::size_t strip_columns = 1024;

/// Converts `width` columns of the rows to double; the bias is the last column.
void widen(std::span<const float* const> rows, std::size_t cols, double bias, std::size_t first,
           std::size_t width, Vectors<double>& to) {
  const std::size_t values = std::min(width, cols - std::min(first, cols));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::copy_n(rows[r] + first, values, to.row(r));
    if (values < width) to.row(r)[values] = bias;
  }
}

using Indices = std::vector<std::size_t>;

Indices sorted(Indices values) {
  std::ranges::sort(values);
  return values;
}

Indices all_places(std::size_t count) {
  Indices places(count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  return places;
}

/// to[i * stride + j] += left_i . right_j in double, in the order of the columns, for rows with
/// `cols` values followed by `bias` unless it is 0.
void add_tile_products(std::span<const float* const> left, std::span<const float* const> right,
                       std::size_t cols, double bias, double* to, std::size_t stride) {
  const std::size_t all = cols + (bias != 0 ? 1 : 0);
  Vectors<double> a(left.size(), std::min(strip_columns, all)),
      b(right.size(), std::min(strip_columns, all));
  for (std::size_t first = 0; first < all; first += strip_columns) {
    const std::size_t width = std::min(strip_columns, all - first);
    widen(left, cols, bias, first, width, a);
    widen(right, cols, bias, first, width, b);
    numerics::blas::add_product(left.size(), right.size(), width, a.row(0), b.row(0), b.stride(),
                                to, stride);
  }
}

}  // namespace

Indices difference(std::span<const std::size_t> from, std::span<const std::size_t> without) {
  Indices rest;
  std::ranges::set_difference(from, without, std::back_inserter(rest));
  return rest;
}

bool raised_factor(std::span<const double> shifts,
                   const std::function<void(std::size_t i, double* to)>& fill,
                   Vectors<double>& factor, Context& context) {
  for (double raise = 0; raise < 1; raise = std::max(1e-14, 100 * raise)) {
    for (std::size_t i = 0; i < shifts.size(); ++i) {
      fill(i, factor.row(i));
      factor.row(i)[i] = (shifts[i] + factor.row(i)[i]) * (1 + raise);
    }
    const numerics::Factorisation result = factorise(factor, context);
    if (result != numerics::Factorisation::indefinite)
      return result == numerics::Factorisation::done;
  }
  throw Error("the Hessian cannot be factorized; scale the columns alike");
}

RowGram::RowGram(const Rows& rows, double bias, RowWeights weights, std::size_t owner,
                 std::span<const double> centre)
    : rows_(rows), bias_(bias), centre_(centre), weights_(weights), owner_(owner) {}

std::size_t RowGram::tiles() const noexcept { return (order_.size() + tile_rows - 1) / tile_rows; }

std::size_t RowGram::entering(std::span<const std::size_t> rows) const {
  return difference(rows, own_).size();
}

void RowGram::reset() {
  own_.clear();
  order_.clear();
  products_ = {};
  copies_.clear();
}

bool RowGram::update(std::span<const std::size_t> rows, Context& context) {
  Collectives& ranks = context.collectives();
  Indices own(rows.begin(), rows.end());
  if (ranks.ranks() == 1) {
    own_ = std::move(own);
    const bool done = change(rows, nullptr, context);
    if (!rows.empty()) rows_.release(rows.front(), rows.back() + 1 - rows.front());
    return done;
  }
  const Indices all = ranks.gather(own);
  Sent sent{ranks.gather(difference(own, own_)), {}};
  sent.values = gather_rows(
      rows_, std::vector<std::int64_t>(sent.numbers.begin(), sent.numbers.end()), context);
  own_ = std::move(own);
  const bool stopped = context.stop_requested() != StopReason::none;
  return ranks.all(!stopped && (owner_ != ranks.rank() || change(all, &sent, context)));
}

/// Changes K from its present rows to these; `sent` are the rows that this process lacks.
bool RowGram::change(std::span<const std::size_t> rows, const Sent* sent, Context& context) {
  const Indices entered = difference(rows, sorted(order_));
  Indices places;  // in K, of the rows that stay
  for (std::size_t p = 0; p < order_.size(); ++p)
    if (std::ranges::binary_search(rows, order_[p])) places.push_back(p);
  Indices order;
  for (const std::size_t p : places) order.push_back(order_[p]);
  order.insert(order.end(), entered.begin(), entered.end());
  order_ = std::move(order);
  if (sent != nullptr || sparse()) copy_rows(places, sent);
  Vectors<double> next(rows.size(), rows.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) next.row(i)[j] = products_.row(places[i])[places[j]];
  products_ = std::move(next);
  for (std::size_t tile = places.size() / tile_rows; tile < tiles(); ++tile) {
    if (context.stop_requested() != StopReason::none) return false;
    context.parallel_for(tile + 1,
                         [&](std::size_t other) { add_products(tile, other, places.size()); });
  }
  return context.stop_requested() == StopReason::none;
}

/// Copies the values of the rows that stay from these places.
void RowGram::copy_rows(std::span<const std::size_t> places, const Sent* sent) {
  std::vector<std::vector<float>> copies(order_.size());
  for (std::size_t i = 0; i < copies.size(); ++i) {
    if (i < places.size() && places[i] < copies_.size()) {
      copies[i] = std::move(copies_[places[i]]);
    } else if (sent == nullptr) {
      copies[i] = laid_out(order_[i]);
    } else {
      const auto found = std::ranges::lower_bound(sent->numbers, order_[i]);
      const auto row =
          sent->values.view().row_span(static_cast<std::size_t>(found - sent->numbers.begin()));
      copies[i].assign(row.begin(), row.end());
    }
  }
  copies_ = std::move(copies);
}

/// A sparse row in dense form, about the centre.
std::vector<float> RowGram::laid_out(std::size_t row) const {
  const MatrixView sparse = rows_.view(row, 1);
  std::vector<float> values(rows_.cols());
  for (std::size_t k = 0; k < sparse.size(0); ++k)
    values[sparse.columns_of(0)[k]] = sparse.row(0)[k];
  for (std::size_t j = 0; j < centre_.size(); ++j)
    values[j] = static_cast<float>(double{values[j]} - centre_[j]);
  return values;
}

/// The values of rows in K, without the bias.
std::vector<const float*> RowGram::rows_at(std::span<const std::size_t> places) const {
  std::vector<const float*> rows;
  rows.reserve(places.size());
  for (const std::size_t p : places)
    rows.push_back(copies_.empty() ? rows_.view(order_[p], 1).row(0) : copies_[p].data());
  return rows;
}

/// Adds the products of a tile's new rows with those of another tile up to it. Tiles are counted
/// from the first row of K, so the origin of rows does not matter.
void RowGram::add_products(std::size_t tile, std::size_t other, std::size_t first_new) {
  const auto end = [&](std::size_t t) { return std::min((t + 1) * tile_rows, order_.size()); };
  const std::size_t first = std::max(tile * tile_rows, first_new), count = end(tile) - first,
                    first_other = other * tile_rows, others = end(other) - first_other;
  const Indices all = all_places(order_.size());
  const std::span<const std::size_t> places(all);
  double* to = products_.row(first) + first_other;
  for (std::size_t c = 0; c < count; ++c) std::fill_n(to + c * products_.stride(), others, 0.0);
  add_tile_products(rows_at(places.subspan(first, count)),
                    rows_at(places.subspan(first_other, others)), rows_.cols(), bias_, to,
                    products_.stride());
}

/// A v.
std::vector<double> RowGram::products_with(const std::vector<const float*>& rows,
                                           const Vectors<double>& v, Context& context) const {
  std::vector<double> products(rows.size());
  context.parallel_for((rows.size() + tile_rows - 1) / tile_rows, [&](std::size_t tile) {
    const std::size_t first = tile * tile_rows, count = std::min(tile_rows, rows.size() - first);
    Vectors<double> scratch(1, common::multiply_scratch(count, 1));
    common::multiply({&rows[first], count, rows_.cols()}, v.row(0), v.stride(), 1, scratch.row(0),
                     &products[first]);
    if (bias_ == 0) return;
    for (std::size_t r = 0; r < count; ++r) products[first + r] += bias_ * v.row(0)[rows_.cols()];
  });
  return products;
}

/// to += A^T factors.
void RowGram::add_sum(const std::vector<const float*>& rows, const std::vector<double>& factors,
                      Vectors<double>& to, Context& context) const {
  context.parallel_for((rows_.cols() + strip_columns - 1) / strip_columns, [&](std::size_t part) {
    const std::size_t first = part * strip_columns,
                      width = std::min(strip_columns, rows_.cols() - first);
    std::vector<const float*> begins(rows);
    for (const float*& row : begins) row += first;
    common::multiply_transposed({begins.data(), begins.size(), width}, factors.data(), 1,
                                to.row(0) + first, padded(width));
  });
  if (bias_ == 0) return;
  for (const double factor : factors) to.row(0)[rows_.cols()] += factor * bias_;
}

bool RowGram::solve(double cost, const double* gradient, double* step, Context& context) const {
  return solve_at(all_places(order_.size()), cost, gradient, step, context);
}

bool RowGram::solve(std::span<const std::size_t> rows, double cost, const double* gradient,
                    double* step, Context& context) const {
  Indices places;
  for (std::size_t p = 0; p < order_.size(); ++p)
    if (std::ranges::binary_search(rows, order_[p])) places.push_back(p);
  return solve_at(places, cost, gradient, step, context);
}

bool RowGram::solve_at(const Indices& places, double cost, const double* gradient, double* step,
                       Context& context) const {
  const std::size_t n = places.size(), d = cols();
  const std::vector<const float*> rows = rows_at(places);
  std::vector<double> shifts(n);
  for (std::size_t i = 0; i < n; ++i) shifts[i] = 1 / (2 * cost * weights_(order_[places[i]]));
  Vectors<double> factor(n, n), found(1, d), left(1, d), correction(1, d);
  std::transform(gradient, gradient + d, left.row(0), [](double g) { return -g; });
  if (n == 0) {
    std::copy_n(left.row(0), d, step);
    return true;
  }
  const auto fill = [&](std::size_t i, double* to) {
    for (std::size_t j = 0; j <= i; ++j) to[j] = products_.row(places[i])[places[j]];
  };
  if (!raised_factor(shifts, fill, factor, context)) return false;
  // The second time corrects the rounding in the first one's differences of large terms.
  for (int turn = 0;; ++turn) {
    std::vector<double> z = products_with(rows, left, context);
    numerics::blas::solve(n, factor.row(0), factor.stride(), z.data());
    for (double& value : z) value = -value;
    std::copy_n(left.row(0), d, correction.row(0));
    add_sum(rows, z, correction, context);
    for (std::size_t j = 0; j < d; ++j) found.row(0)[j] += correction.row(0)[j];
    if (turn == 1) break;
    for (std::size_t j = 0; j < d; ++j) left.row(0)[j] -= correction.row(0)[j];
    std::vector<double> pull = products_with(rows, correction, context);
    for (std::size_t i = 0; i < n; ++i) pull[i] /= -shifts[i];
    add_sum(rows, pull, left, context);
  }
  std::copy_n(found.row(0), d, step);
  return context.stop_requested() == StopReason::none;
}

std::size_t RowGram::bytes(std::size_t active, std::size_t dimension) noexcept {
  return active * (numerics::padded(active) * sizeof(double) + dimension * sizeof(float) +
                   sizeof(std::vector<float>) + 2 * sizeof(std::size_t));
}

/// The factor, and one tile's rows.
std::size_t RowGram::scratch_bytes(std::size_t active, std::size_t dimension) noexcept {
  return (active * numerics::padded(active) + 2 * tile_rows * strip_columns) * sizeof(double) +
         std::min(tile_rows, active) * dimension * sizeof(float);
}

}  // namespace semblance::linear
