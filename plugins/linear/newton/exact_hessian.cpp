// SPDX-License-Identifier: MIT
#include "newton/exact_hessian.hpp"

#include <algorithm>

#include "newton/gram.hpp"
#include "newton/row_gram.hpp"
#include "semblance_numerics/blas.hpp"

namespace semblance::linear {
namespace {

using Indices = std::vector<std::size_t>;

/// The rows of an update.
struct Change {
  Change(const Indices& before, const Indices& after)
      : entered(difference(after, before)), left(difference(before, after)) {}
  Indices entered, left;
};

/// Sums over the ranks of their own numbers. Collective on several ranks.
Indices over_ranks(const Indices& own, Context& context) {
  if (context.collectives().ranks() == 1) return own;
  Indices totals(own.size());
  const Indices of_ranks = context.collectives().gather(own);
  for (std::size_t i = 0; i < of_ranks.size(); ++i) totals[i % own.size()] += of_ranks[i];
  return totals;
}

/// Whether adding and subtracting rows is cheaper than a new sum.
bool worth_changing(std::size_t changes, std::size_t active) { return changes < active; }

/// Multiply-adds of a step by the products of columns after this number of row changes.
double cost_by_columns(double changes, double d) { return changes * d * d / 2 + d * d * d / 6; }

/// The same by the products of rows, with this number of new rows.
double cost_by_rows(double active, double entered, double d) {
  return entered * (active - entered / 2) * d + active * active * active / 6 + 8 * active * d;
}

/// Whether the products of rows are cheaper whichever rows are active: even where all are new, and
/// the products of columns would not change.
bool always_of_rows(std::size_t rows, std::size_t dimension) {
  const auto n = static_cast<double>(rows), d = static_cast<double>(dimension);
  return ExactHessian::fits_rows(n, d) && cost_by_rows(n, n, d) < cost_by_columns(0, d);
}

}  // namespace

ColumnGram::ColumnGram(const Rows& rows, double bias, RowWeights weights, Indices columns,
                       std::size_t owner, std::span<const double> centre)
    : rows_(rows),
      bias_(bias),
      centre_(centre),
      weights_(weights),
      columns_(std::move(columns)),
      owner_(owner) {}

std::size_t ColumnGram::dimension() const noexcept {
  return columns_.empty() ? rows_.cols() + (bias_ != 0 ? 1 : 0) : columns_.size();
}

std::size_t ColumnGram::changes(std::span<const std::size_t> active) const {
  const Change change(active_, {active.begin(), active.end()});
  return change.entered.size() + change.left.size();
}

void ColumnGram::reset() {
  sum_ = {};
  active_.clear();
}

bool ColumnGram::update(Indices active, Context& context) {
  const Change change(active_, active);
  const std::vector<std::size_t> totals =
      over_ranks({change.entered.size() + change.left.size(), active.size()}, context);
  const bool changing = worth_changing(totals[0], totals[1]);
  if (owner_ == context.collectives().rank()) {
    if (sum_.count() == 0)
      sum_ = Vectors<double>(dimension(), dimension());
    else if (!changing)
      sum_.fill(0);
  }
  const bool done = add(changing ? change.entered : active, 1, context) &&
                    add(changing ? change.left : Indices(), -1, context);
  active_ = std::move(active);
  return done;
}

bool ColumnGram::add(std::span<const std::size_t> chosen, double sign, Context& context) {
  std::vector<WeightedRow> rows;
  rows.reserve(chosen.size());
  for (const std::size_t row : chosen) rows.push_back({row, sign * weights_(row)});
  return share_gram(rows_, rows, {bias_, {}, columns_, centre_}, sum_, context, owner_);
}

std::size_t ColumnGram::bytes(std::size_t rows, std::size_t columns) noexcept {
  return columns * padded(columns) * sizeof(double) + rows * sizeof(std::size_t);
}

std::size_t ColumnGram::scratch_bytes(std::size_t columns) noexcept {
  return gram_bytes(columns, sizeof(double));
}

ExactHessian::ExactHessian(const Rows& rows, double bias, RowWeights weights, std::size_t owner,
                           std::span<const double> centre)
    : column_gram_(rows, bias, weights, {}, owner, centre),
      row_gram_(rows, bias, weights, owner, centre),
      dimension_(rows.cols() + (bias != 0 ? 1 : 0)) {}

void ExactHessian::choose_form(const Change& change) {
  const auto d = double(dimension_), active = double(change.active);
  of_rows_ = fits_rows(active, d) &&
             cost_by_rows(active, double(change.to_rows), d) <
                 cost_by_columns(double(std::min(change.to_columns, change.active)), d);
  if (of_rows_)
    column_gram_.reset();
  else
    row_gram_.reset();
}

bool ExactHessian::update(std::vector<std::size_t> active, Context& context) {
  const std::vector<std::size_t> totals = over_ranks(
      {active.size(), column_gram_.changes(active), row_gram_.entering(active)}, context);
  choose_form({totals[0], totals[1], totals[2]});
  return of_rows_ ? row_gram_.update(active, context)
                  : column_gram_.update(std::move(active), context);
}

bool ExactHessian::solve(double cost, const double* gradient, double* step, Context& context) {
  if (of_rows_) return row_gram_.solve(cost, gradient, step, context);
  Vectors<double> factor(dimension_, dimension_);
  const std::vector<double> ones(dimension_, 1.0);
  const auto fill = [&](std::size_t i, double* to) {
    const double* from = column_gram_.sum().row(i);
    std::transform(from, from + i + 1, to, [&](double x) { return 2 * cost * x; });
  };
  if (!raised_factor(ones, fill, factor, context)) return false;
  std::transform(gradient, gradient + dimension_, step, [](double g) { return -g; });
  numerics::blas::solve(dimension_, factor.row(0), factor.stride(), step);
  return true;
}

std::size_t ExactHessian::bytes(std::size_t rows, std::size_t dimension) noexcept {
  return always_of_rows(rows, dimension) ? RowGram::bytes(rows, dimension)
                                         : ColumnGram::bytes(rows, dimension);
}

std::size_t ExactHessian::scratch_bytes(std::size_t rows, std::size_t dimension) noexcept {
  if (always_of_rows(rows, dimension)) return RowGram::scratch_bytes(rows, dimension);
  return dimension * padded(dimension) * sizeof(double) + ColumnGram::scratch_bytes(dimension);
}

bool ExactHessian::fits_rows(double active, double d) noexcept { return active <= 0.75 * d; }

double ExactHessian::cost(double active, double d) noexcept {
  const double by_columns = cost_by_columns(active, d);
  return fits_rows(active, d) ? std::min(by_columns, cost_by_rows(active, active, d)) : by_columns;
}

}  // namespace semblance::linear
