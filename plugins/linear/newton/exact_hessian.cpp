// SPDX-License-Identifier: MIT
#include "newton/exact_hessian.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>

#include "newton/gram.hpp"
#include "semblance/collectives.hpp"
#include "semblance/error.hpp"
#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/cholesky.hpp"
#include "sparse/lanes.hpp"

namespace semblance::linear {
namespace {

namespace blas = numerics::blas;
using Indices = std::vector<std::size_t>;

/// The rows of `from` that are not in `without`; all ascending.
Indices difference(const Indices& from, const Indices& without) {
  Indices rest;
  std::ranges::set_difference(from, without, std::back_inserter(rest));
  return rest;
}

/// Whether adding and subtracting rows is cheaper than a new sum, by all ranks' own numbers.
bool worth_changing(std::size_t changes, std::size_t active, Context& context) {
  Indices totals{changes, active};
  if (context.collectives().ranks() > 1) {
    totals.assign(2, 0);
    const Indices of_ranks = context.collectives().gather(Indices{changes, active});
    for (std::size_t i = 0; i < of_ranks.size(); ++i) totals[i % 2] += of_ranks[i];
  }
  return totals[0] < totals[1];
}

/// The products of sparse rows, each laid out in turn.
Vectors<double> sparse_products(const Rows& rows, double bias, std::span<const double> m,
                                Context& context) {
  constexpr std::size_t rows_per_task = 32;
  const std::size_t n = rows.rows();
  const Centre centre(m);
  const double constant = bias * bias + centre.square;
  const auto row = [&](std::size_t i) { return entries_of(rows.view(i, 1), 0); };
  std::vector<double> at_centre(n);
  for (std::size_t i = 0; i < n; ++i) at_centre[i] = centre.product(row(i));
  Vectors<double> products(n, n);
  context.parallel_for((n + rows_per_task - 1) / rows_per_task, [&](std::size_t task) {
    std::vector<double> laid_out(rows.cols());
    const std::size_t first = task * rows_per_task, end = std::min(first + rows_per_task, n);
    for (std::size_t i = first; i < end && context.stop_requested() == StopReason::none; ++i) {
      const SparseRow x = row(i);
      for (std::size_t k = 0; k < x.size; ++k) laid_out[x.columns[k]] = x.values[k];
      for (std::size_t j = 0; j <= i; ++j)
        products.row(i)[j] =
            product(row(j), laid_out.data()) - at_centre[i] - at_centre[j] + constant;
      for (std::size_t k = 0; k < x.size; ++k) laid_out[x.columns[k]] = 0;
    }
  });
  rows.release(0, n);
  return context.stop_requested() != StopReason::none ? Vectors<double>() : std::move(products);
}

}  // namespace

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

bool for_each_at_once(std::size_t count, std::size_t at_once, Context& context,
                      const std::function<bool(std::size_t i)>& body) {
  std::atomic<bool> complete{true};
  std::atomic<std::size_t> next{0};
  context.parallel_for(std::min(at_once, count), [&](std::size_t) {
    for (std::size_t i = next++; i < count && complete; i = next++)
      if (!body(i)) complete = false;
  });
  return complete;
}

ColumnGram::ColumnGram(const Rows& rows, double bias, RowWeights weights, Indices columns,
                       std::span<const double> centre)
    : rows_(rows), bias_(bias), centre_(centre), weights_(weights), columns_(std::move(columns)) {}

std::size_t ColumnGram::dimension() const noexcept {
  return columns_.empty() ? rows_.cols() + (bias_ != 0 ? 1 : 0) : columns_.size();
}

bool ColumnGram::update(Indices active, Context& context) {
  const Indices entered = difference(active, active_), left = difference(active_, active);
  const bool changing = worth_changing(entered.size() + left.size(), active.size(), context);
  if (sum_.count() == 0)
    sum_ = Vectors<double>(dimension(), dimension());
  else if (!changing)
    sum_.fill(0);
  const bool done =
      add(changing ? entered : active, 1, context) && (!changing || add(left, -1, context));
  active_ = std::move(active);
  return done;
}

bool ColumnGram::add(std::span<const std::size_t> chosen, double sign, Context& context) {
  std::vector<WeightedRow> rows;
  rows.reserve(chosen.size());
  for (const std::size_t row : chosen) rows.push_back({row, sign * weights_(row)});
  return add_gram(rows_, rows, {bias_, columns_, centre_}, sum_, context);
}

bool ColumnGram::solve(double cost, const double* gradient, double* step, Context& context) const {
  const std::size_t d = sum_.count();
  Vectors<double> factor(d, d);
  const auto fill = [&](std::size_t i, double* to) {
    std::transform(sum_.row(i), sum_.row(i) + i + 1, to, [&](double x) { return 2 * cost * x; });
  };
  if (!raised_factor(std::vector<double>(d, 1.0), fill, factor, context)) return false;
  std::transform(gradient, gradient + d, step, [](double g) { return -g; });
  blas::solve(d, factor.row(0), factor.stride(), step);
  return true;
}

std::size_t ColumnGram::bytes(std::size_t rows, std::size_t columns) noexcept {
  return columns * padded(columns) * sizeof(double) + rows * sizeof(std::size_t);
}

std::size_t ColumnGram::scratch_bytes(std::size_t columns) noexcept {
  return columns * padded(columns) * sizeof(double) + gram_bytes(columns);
}

Vectors<double> row_products(const Rows& own, double bias, std::span<const double> centre,
                             Context& context) {
  if (own.rows() > 0 && own.view(0, 1).sparse()) return sparse_products(own, bias, centre, context);
  std::optional<MatrixRows> gathered;
  if (context.collectives().ranks() > 1) {
    std::vector<std::int64_t> all(own.rows());
    std::iota(all.begin(), all.end(), std::int64_t{0});
    gathered.emplace(gather_rows(own, all, context));
  }
  const Rows& rows = gathered ? static_cast<const Rows&>(*gathered) : own;
  return row_products<double>(
      rows.rows(), rows.cols() + (bias != 0 ? 1 : 0),
      [&](std::size_t first, std::size_t count, std::size_t column, std::size_t width, double* to,
          std::size_t stride) {
        const std::size_t values = std::min(width, rows.cols() - std::min(column, rows.cols()));
        for (std::size_t i = 0; i < count; ++i, to += stride) {
          std::copy_n(rows.view(first + i, 1).row(0) + column, values, to);
          if (values < width) to[values] = bias;
        }
        rows.release(first, count);
      },
      context);
}

}  // namespace semblance::linear
