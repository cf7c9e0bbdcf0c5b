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
  if (sum_.count() == 0) sum_ = Vectors<double>(dimension(), dimension());
  const Change change(active_, active);
  bool done = false;
  if (worth_changing(change.entered.size() + change.left.size(), active.size())) {
    done = add(change.entered, 1, context) && add(change.left, -1, context);
  } else {
    sum_.fill(0);
    done = add(active, 1, context);
  }
  active_ = std::move(active);
  return done;
}

bool update_together(std::span<ColumnGram* const> grams, std::vector<Indices> active,
                     Context& context) {
  Collectives& ranks = context.collectives();
  std::vector<Change> changes;
  std::vector<std::size_t> counts;  // of own rows: changing ones, and active ones
  for (std::size_t g = 0; g < grams.size(); ++g) {
    changes.emplace_back(grams[g]->active_, active[g]);
    counts.push_back(changes[g].entered.size() + changes[g].left.size());
    counts.push_back(active[g].size());
  }
  const std::vector<std::size_t> of_ranks = ranks.gather(counts);
  std::vector<std::size_t> totals(counts.size());
  for (std::size_t i = 0; i < of_ranks.size(); ++i) totals[i % counts.size()] += of_ranks[i];
  std::vector<GramTask> enter, leave;
  for (std::size_t g = 0; g < grams.size(); ++g) {
    ColumnGram& gram = *grams[g];
    const bool changing = worth_changing(totals[2 * g], totals[2 * g + 1]);
    if (gram.owner_ == ranks.rank()) {
      if (gram.sum_.count() == 0)
        gram.sum_ = Vectors<double>(gram.dimension(), gram.dimension());
      else if (!changing)
        gram.sum_.fill(0);
    }
    const GramColumns columns{gram.bias_, {}, gram.columns_, gram.centre_};
    enter.push_back({gram.owner_, gram.weighted(changing ? changes[g].entered : active[g], 1),
                     columns, &gram.sum_});
    leave.push_back({gram.owner_, gram.weighted(changing ? changes[g].left : Indices{}, -1),
                     columns, &gram.sum_});
    gram.active_ = std::move(active[g]);
  }
  if (grams.empty()) return context.stop_requested() == StopReason::none;
  const Rows& rows = grams.front()->rows_;
  return share_grams(rows, enter, context) && share_grams(rows, leave, context);
}

std::vector<WeightedRow> ColumnGram::weighted(std::span<const std::size_t> chosen,
                                              double sign) const {
  std::vector<WeightedRow> rows;
  rows.reserve(chosen.size());
  for (const std::size_t row : chosen) rows.push_back({row, sign * weights_(row)});
  return rows;
}

bool ColumnGram::add(std::span<const std::size_t> chosen, double sign, Context& context) {
  return add_gram(rows_, weighted(chosen, sign), {bias_, {}, columns_, centre_}, sum_, context);
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

ExactHessian::Change ExactHessian::change_to(const std::vector<std::size_t>& active) const {
  return {active.size(), column_gram_.changes(active), row_gram_.entering(active)};
}

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
  choose_form(change_to(active));
  return of_rows_ ? row_gram_.update(active, context)
                  : column_gram_.update(std::move(active), context);
}

bool update_together(std::span<ExactHessian* const> hessians,
                     std::vector<std::vector<std::size_t>> active, Context& context) {
  std::vector<std::size_t> own;
  for (std::size_t h = 0; h < hessians.size(); ++h) {
    const ExactHessian::Change change = hessians[h]->change_to(active[h]);
    own.insert(own.end(), {change.active, change.to_columns, change.to_rows});
  }
  std::vector<std::size_t> totals(own.size());
  const std::vector<std::size_t> of_ranks = context.collectives().gather(own);
  for (std::size_t i = 0; i < of_ranks.size(); ++i) totals[i % own.size()] += of_ranks[i];
  std::vector<ColumnGram*> grams;
  std::vector<RowGram*> row_grams;
  std::vector<std::vector<std::size_t>> of_grams, of_row_grams;
  for (std::size_t h = 0; h < hessians.size(); ++h) {
    ExactHessian& hessian = *hessians[h];
    hessian.choose_form({totals[3 * h], totals[3 * h + 1], totals[3 * h + 2]});
    if (hessian.of_rows_) {
      row_grams.push_back(&hessian.row_gram_);
      of_row_grams.push_back(std::move(active[h]));
    } else {
      grams.push_back(&hessian.column_gram_);
      of_grams.push_back(std::move(active[h]));
    }
  }
  return update_together(grams, std::move(of_grams), context) &&
         update_together(row_grams, std::move(of_row_grams), context);
}

bool ExactHessian::solve(double cost, const double* gradient, double* step, Context& context) {
  if (of_rows_) return row_gram_.solve(cost, gradient, step, context);
  Vectors<double> factor(dimension_, dimension_);
  const std::vector<double> ones(dimension_, 1.0);
  if (!raised_factor({column_gram_.sum(), 2 * cost, ones}, factor, context)) return false;
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
