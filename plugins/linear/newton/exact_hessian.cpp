// SPDX-License-Identifier: MIT
#include "newton/exact_hessian.hpp"

#include <algorithm>
#include <iterator>

#include "newton/gram.hpp"
#include "newton/row_gram.hpp"
#include "semblance_numerics/blas.hpp"

namespace semblance::linear {
namespace {

using Indices = std::vector<std::size_t>;

Indices difference(const Indices& from, const Indices& without) {
  Indices rest;
  std::set_difference(from.begin(), from.end(), without.begin(), without.end(),
                      std::back_inserter(rest));
  return rest;
}

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

/// Whether K and copies of its rows need no more memory than the products of columns.
bool fits_rows(double active, double d) { return active <= 0.75 * d; }

}  // namespace

ActiveGram::ActiveGram(const Rows& rows, double bias, RowWeights weights, Indices columns,
                       std::size_t keeper)
    : rows_(rows), bias_(bias), weights_(weights), columns_(std::move(columns)), keeper_(keeper) {}

std::size_t ActiveGram::dimension() const noexcept {
  return columns_.empty() ? rows_.cols() + (bias_ != 0 ? 1 : 0) : columns_.size();
}

std::size_t ActiveGram::changes(std::span<const std::size_t> active) const {
  const Change change(active_, {active.begin(), active.end()});
  return change.entered.size() + change.left.size();
}

void ActiveGram::forget() {
  sum_ = {};
  active_.clear();
}

bool ActiveGram::update(Indices active, Context& context) {
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

bool update_together(std::span<ActiveGram* const> grams, std::vector<Indices> active,
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
    ActiveGram& gram = *grams[g];
    const bool changing = worth_changing(totals[2 * g], totals[2 * g + 1]);
    if (gram.keeper_ == ranks.rank()) {
      if (gram.sum_.count() == 0)
        gram.sum_ = Vectors<double>(gram.dimension(), gram.dimension());
      else if (!changing)
        gram.sum_.fill(0);
    }
    const GramColumns columns{gram.bias_, {}, gram.columns_};
    enter.push_back({gram.keeper_, gram.weighted(changing ? changes[g].entered : active[g], 1),
                     columns, &gram.sum_});
    leave.push_back({gram.keeper_, gram.weighted(changing ? changes[g].left : Indices{}, -1),
                     columns, &gram.sum_});
    gram.active_ = std::move(active[g]);
  }
  if (grams.empty()) return context.stop_requested() == StopReason::none;
  const Rows& rows = grams.front()->rows_;
  return share_grams(rows, enter, context) && share_grams(rows, leave, context);
}

std::vector<WeightedRow> ActiveGram::weighted(std::span<const std::size_t> chosen,
                                              double sign) const {
  std::vector<WeightedRow> rows;
  rows.reserve(chosen.size());
  for (const std::size_t row : chosen) rows.push_back({row, sign * weights_(row)});
  return rows;
}

bool ActiveGram::add(std::span<const std::size_t> chosen, double sign, Context& context) {
  return add_gram(rows_, weighted(chosen, sign), {bias_, {}, columns_}, sum_, context);
}

void ActiveGram::note(const std::string& name, Notes& notes) const {
  const std::size_t d = dimension();
  std::vector<double> triangle;
  if (notes.context().collectives().rank() == keeper_)
    for (std::size_t i = 0; i < d; ++i)
      triangle.insert(triangle.end(), sum_.row(i), sum_.row(i) + i + 1);
  triangle.resize(d * (d + 1) / 2);
  notes.of_rank(keeper_, name + "_sum", std::move(triangle));
  notes.rows(name + "_active", active_);
}

void ActiveGram::go_on(const std::string& name, const NotesReader& kept, const OwnParts& own,
                       bool keeps) {
  const std::size_t d = dimension();
  const std::vector<double> triangle = kept.doubles(name + "_sum", d * (d + 1) / 2);
  active_ = kept.rows(name + "_active", own);
  if (!keeps) return;
  sum_ = Vectors<double>(d, d);
  const double* from = triangle.data();
  for (std::size_t i = 0; i < d; from += ++i) std::copy_n(from, i + 1, sum_.row(i));
}

std::size_t ActiveGram::bytes(std::size_t rows, std::size_t columns) noexcept {
  return columns * padded(columns) * sizeof(double) + rows * sizeof(std::size_t);
}

std::size_t ActiveGram::scratch_bytes(std::size_t columns) noexcept {
  return gram_bytes(columns, sizeof(double));
}

ExactHessian::ExactHessian(const Rows& rows, double bias, RowWeights weights, std::size_t keeper)
    : gram_(rows, bias, weights, {}, keeper),
      kernel_(rows, bias, weights, keeper),
      dimension_(rows.cols() + (bias != 0 ? 1 : 0)) {}

ExactHessian::Change ExactHessian::change_to(const std::vector<std::size_t>& active) const {
  return {active.size(), gram_.changes(active), kernel_.entering(active)};
}

void ExactHessian::choose_form(const Change& change) {
  const auto d = double(dimension_), active = double(change.active);
  of_rows_ = fits_rows(active, d) &&
             cost_by_rows(active, double(change.to_rows), d) <
                 cost_by_columns(double(std::min(change.to_columns, change.active)), d);
  if (of_rows_)
    gram_.forget();
  else
    kernel_.forget();
}

bool ExactHessian::update(std::vector<std::size_t> active, Context& context) {
  choose_form(change_to(active));
  return of_rows_ ? kernel_.update(active, context) : gram_.update(std::move(active), context);
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
  std::vector<ActiveGram*> grams;
  std::vector<ActiveKernel*> kernels;
  std::vector<std::vector<std::size_t>> of_grams, of_kernels;
  for (std::size_t h = 0; h < hessians.size(); ++h) {
    ExactHessian& hessian = *hessians[h];
    hessian.choose_form({totals[3 * h], totals[3 * h + 1], totals[3 * h + 2]});
    if (hessian.of_rows_) {
      kernels.push_back(&hessian.kernel_);
      of_kernels.push_back(std::move(active[h]));
    } else {
      grams.push_back(&hessian.gram_);
      of_grams.push_back(std::move(active[h]));
    }
  }
  return update_together(grams, std::move(of_grams), context) &&
         update_together(kernels, std::move(of_kernels), context);
}

bool ExactHessian::solve(double cost, const double* gradient, double* step,
                         Context& context) const {
  if (of_rows_) return kernel_.solve(cost, gradient, step, context);
  Vectors<double> factor(dimension_, dimension_);
  const std::vector<double> ones(dimension_, 1.0);
  if (!raised_factor({gram_.sum(), 2 * cost, ones}, factor, context)) return false;
  std::transform(gradient, gradient + dimension_, step, [](double g) { return -g; });
  numerics::blas::solve(dimension_, factor.row(0), factor.stride(), step);
  return true;
}

void ExactHessian::note(const std::string& name, Notes& notes) const {
  notes.integer(name + "_of_rows", of_rows_ ? 1 : 0);
  if (of_rows_)
    kernel_.note(name, notes);
  else
    gram_.note(name, notes);
}

void ExactHessian::go_on(const std::string& name, const NotesReader& kept, const OwnParts& own,
                         bool keeps) {
  of_rows_ = kept.integer(name + "_of_rows") != 0;
  if (of_rows_)
    kernel_.go_on(name, kept, own, keeps);
  else
    gram_.go_on(name, kept, own, keeps);
}

std::size_t ExactHessian::bytes(std::size_t rows, std::size_t dimension) noexcept {
  return ActiveGram::bytes(rows, dimension);
}

std::size_t ExactHessian::scratch_bytes(std::size_t dimension) noexcept {
  return dimension * padded(dimension) * sizeof(double) + ActiveGram::scratch_bytes(dimension);
}

double ExactHessian::cost(double active, double d) noexcept {
  const double by_columns = cost_by_columns(active, d);
  return fits_rows(active, d) ? std::min(by_columns, cost_by_rows(active, active, d)) : by_columns;
}

}  // namespace semblance::linear
