// SPDX-License-Identifier: MIT
#include "newton/row_gram.hpp"

#include <algorithm>
#include <iterator>

#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/cholesky.hpp"
#include "semblance_numerics/padded_vectors.hpp"
#include "skinny_product.hpp"

namespace semblance::linear {
namespace {

using numerics::Vectors;

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

}  // namespace

Indices difference(std::span<const std::size_t> from, std::span<const std::size_t> without) {
  Indices rest;
  std::ranges::set_difference(from, without, std::back_inserter(rest));
  return rest;
}

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

bool raised_factor(const ShiftedMatrix& matrix, Vectors<double>& factor, Context& context) {
  for (double raise = 0; raise < 1; raise = std::max(1e-14, 100 * raise)) {
    for (std::size_t i = 0; i < matrix.triangle.cols(); ++i) {
      for (std::size_t j = 0; j <= i; ++j)
        factor.row(i)[j] = matrix.scale * matrix.triangle.row(i)[j];
      factor.row(i)[i] = (matrix.shifts[i] + factor.row(i)[i]) * (1 + raise);
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

std::size_t RowGram::entering(std::span<const std::size_t> active) const {
  return difference(active, own_).size();
}

void RowGram::reset() {
  own_.clear();
  order_.clear();
  products_ = {};
  sent_ = false;
  copies_.clear();
}

bool RowGram::update(std::span<const std::size_t> active, Context& context) {
  own_.assign(active.begin(), active.end());
  const bool done = change(active, nullptr, context);
  if (!active.empty()) rows_.release(active.front(), active.back() + 1 - active.front());
  return done;
}

bool update_together(std::span<RowGram* const> grams, std::vector<Indices> active,
                     Context& context) {
  Collectives& ranks = context.collectives();
  struct Received {
    RowGram* gram;
    Indices active;
    RowGram::Sent sent;
  };
  std::vector<Received> received;
  for (std::size_t k = 0; k < grams.size(); ++k) {
    RowGram& gram = *grams[k];
    Indices all = ranks.gather(active[k]);
    Indices numbers = ranks.gather(gram.sent_ ? difference(active[k], gram.own_) : active[k]);
    const std::vector<std::int64_t> positions(numbers.begin(), numbers.end());
    FloatMatrix values = gather_rows(gram.rows_, positions, context);
    gram.own_ = std::move(active[k]);
    gram.sent_ = true;
    if (gram.owner_ == ranks.rank())
      received.push_back({&gram, std::move(all), {std::move(numbers), std::move(values)}});
  }
  bool done = context.stop_requested() == StopReason::none;
  for (const Received& r : received) done = done && r.gram->change(r.active, &r.sent, context);
  return ranks.all(done);
}

/// Changes K from its present rows to these; `sent` are the rows that this process lacks.
bool RowGram::change(std::span<const std::size_t> active, const Sent* sent, Context& context) {
  const Indices entered = difference(active, sorted(order_));
  Indices places;  // in K, of the rows that stay
  for (std::size_t p = 0; p < order_.size(); ++p)
    if (std::ranges::binary_search(active, order_[p])) places.push_back(p);
  Indices order;
  for (const std::size_t p : places) order.push_back(order_[p]);
  order.insert(order.end(), entered.begin(), entered.end());
  order_ = std::move(order);
  if (sent != nullptr || sparse()) copy_rows(places, sent);
  Vectors<double> next(active.size(), active.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) next.row(i)[j] = products_.row(places[i])[places[j]];
  products_ = std::move(next);
  return compute_products(places.size(), context);
}

/// Computes the products of the rows from `first_new` on. False if a stop was requested.
bool RowGram::compute_products(std::size_t first_new, Context& context) {
  for (std::size_t tile = first_new / tile_rows; tile < tiles(); ++tile) {
    if (context.stop_requested() != StopReason::none) return false;
    context.parallel_for(tile + 1,
                         [&](std::size_t other) { add_products(tile, other, first_new); });
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
std::vector<const float*> RowGram::rows_at(std::size_t first, std::size_t count) const {
  std::vector<const float*> rows(count);
  for (std::size_t r = 0; r < count; ++r)
    rows[r] = copies_.empty() ? rows_.view(order_[first + r], 1).row(0) : copies_[first + r].data();
  return rows;
}

/// Adds the products of a tile's new rows with those of another tile up to it. Tiles are counted
/// from the first row of K, so the origin of rows does not matter.
void RowGram::add_products(std::size_t tile, std::size_t other, std::size_t first_new) {
  const auto end = [&](std::size_t t) { return std::min((t + 1) * tile_rows, order_.size()); };
  const std::size_t first = std::max(tile * tile_rows, first_new), count = end(tile) - first,
                    first_other = other * tile_rows, others = end(other) - first_other;
  const std::vector<const float*> rows = rows_at(first, count),
                                  other_rows = rows_at(first_other, others);
  double* to = products_.row(first) + first_other;
  for (std::size_t c = 0; c < count; ++c) std::fill_n(to + c * products_.stride(), others, 0.0);
  add_tile_products(rows, other_rows, rows_.cols(), bias_, to, products_.stride());
}

/// A v.
std::vector<double> RowGram::products_with(const Vectors<double>& v, Context& context) const {
  std::vector<double> products(order_.size());
  context.parallel_for(tiles(), [&](std::size_t tile) {
    const std::size_t first = tile * tile_rows, count = std::min(tile_rows, order_.size() - first);
    const std::vector<const float*> rows = rows_at(first, count);
    Vectors<double> scratch(1, common::multiply_scratch(count, 1));
    common::multiply({rows.data(), count, rows_.cols()}, v.row(0), v.stride(), 1, scratch.row(0),
                     &products[first]);
    if (bias_ == 0) return;
    for (std::size_t r = 0; r < count; ++r) products[first + r] += bias_ * v.row(0)[rows_.cols()];
  });
  return products;
}

/// to += A^T factors.
void RowGram::add_sum(const std::vector<double>& factors, Vectors<double>& to,
                      Context& context) const {
  const std::vector<const float*> rows = rows_at(0, order_.size());
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
  const std::size_t n = order_.size(), d = cols();
  std::vector<double> shifts(n);
  for (std::size_t i = 0; i < n; ++i) shifts[i] = 1 / (2 * cost * weights_(order_[i]));
  Vectors<double> factor(n, n), found(1, d), left(1, d), correction(1, d);
  std::transform(gradient, gradient + d, left.row(0), [](double g) { return -g; });
  if (n == 0) {
    std::copy_n(left.row(0), d, step);
    return true;
  }
  if (!raised_factor({products_, 1, shifts}, factor, context)) return false;
  // The second time corrects the rounding in the first one's differences of large terms.
  for (int turn = 0;; ++turn) {
    std::vector<double> z = products_with(left, context);
    numerics::blas::solve(n, factor.row(0), factor.stride(), z.data());
    for (double& value : z) value = -value;
    std::copy_n(left.row(0), d, correction.row(0));
    add_sum(z, correction, context);
    for (std::size_t j = 0; j < d; ++j) found.row(0)[j] += correction.row(0)[j];
    if (turn == 1) break;
    for (std::size_t j = 0; j < d; ++j) left.row(0)[j] -= correction.row(0)[j];
    std::vector<double> pull = products_with(correction, context);
    for (std::size_t i = 0; i < n; ++i) pull[i] /= -shifts[i];
    add_sum(pull, left, context);
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
