// SPDX-License-Identifier: MIT
#include "newton/exact_hessian.hpp"

#include <algorithm>

#include "newton/raised_factor.hpp"
#include "semblance_numerics/blas.hpp"

namespace semblance::linear {
namespace {

/// Multiply-adds of a step by the products of columns after this number of row changes.
double cost_by_columns(double changes, double d) { return changes * d * d / 2 + d * d * d / 6; }

/// The same by the products of rows, with this number of new rows.
double cost_by_rows(double active, double entered, double d) {
  return entered * (active - entered / 2) * d + active * active * active / 6 + 8 * active * d;
}

/// Whether K and copies of its rows need no more memory than the products of columns.
bool fits_rows(double active, double d) { return active <= 0.75 * d; }

}  // namespace

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
