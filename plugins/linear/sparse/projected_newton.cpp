// SPDX-License-Identifier: MIT
#include "sparse/projected_newton.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "sparse/sparse_sweep.hpp"

namespace semblance::linear {
namespace {

/// The largest number of passes between evaluations. Each fourth of them visits all rows.
constexpr std::size_t passes_at_once = 24;
constexpr std::size_t passes_between_all = 4;
/// Passes between the gaps that show how fast descent is: both are of all rows.
constexpr std::size_t passes_of_estimate = 2 * passes_between_all;

/// A Newton step is made if descent would take more passes than this.
constexpr double passes_of_newton_step = 30;
constexpr std::size_t most_products = 100;
constexpr double residual_share = 0.01;
constexpr int most_halvings = 12;

/// Ends where the gap has not shrunk to this share in so many evaluations, as if all rows are
/// nearly parallel: Newton's method in the primal is for those.
constexpr double worthwhile_gain = 0.9;
constexpr std::size_t most_idle = 6;

/// Passes that seem to meet the tolerance, but do not, may be at the limits of float.
constexpr std::size_t most_misjudged = 2;

double squared_norm(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return sum;
}

double squared_norm(const LaneWeights<double>& w) {
  double sum = 0;
  for (std::size_t j = 0; j < w.columns(); ++j) sum += w.of(j)[0] * w.of(j)[0];
  return sum;
}

}  // namespace

ProjectedNewton::ProjectedNewton(const SparseTask& task, std::size_t problem, double cost,
                                 std::size_t tasks, Context& context)
    : task_(task),
      problem_(problem),
      cost_(cost),
      context_(context),
      bounds_(balanced_columns(task.task().training.rows, tasks)),
      in_double_(!task.fits_float()),
      w_(task.cols(), task.bias(), 1) {
  for (std::size_t row = 0; row < task.rows(); ++row)
    if (task.row_weight(row) > 0) rows_.push_back(row);  // other variables are bound to 0
}

ProjectedNewton::Result ProjectedNewton::solve(std::vector<double>& variables) {
  start(variables);
  bool complete = evaluate();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t idle = 0; complete && open() && idle < most_idle;) {
    complete = (!slow() || newton_step()) && descend() && evaluate();
    const double gap = result_.outcome.primal - result_.outcome.dual;
    idle = gap < worthwhile_gain * least ? 0 : idle + 1;
    if (idle == 0) least = gap;
  }
  return end(variables, complete);
}

ProjectedNewton::Result ProjectedNewton::begin(std::vector<double>& variables, bool passes) {
  start(variables);
  bool complete = evaluate();
  while (passes && complete && open() && !slow()) complete = descend() && evaluate();
  return end(variables, complete);
}

void ProjectedNewton::start(std::vector<double>& variables) {
  alpha_ = std::move(variables);
  result_ = Result();
  for (const std::size_t row : rows_)
    result_.outcome.primal += cost_ * task_.row_weight(row) * task_.loss(row, problem_, 0);
  result_.weights.assign(task_.task().dimension(), 0.0);
}

/// Whether neither the tolerance nor the limit of passes is reached.
bool ProjectedNewton::open() const {
  return !proved(result_.outcome, tolerance()) && result_.passes < most_passes();
}

ProjectedNewton::Result ProjectedNewton::end(std::vector<double>& variables, bool complete) {
  if (!complete)
    result_.certificate = stop_certificate(context_);
  else if (!proved(result_.outcome, tolerance()))
    result_.certificate = Certificate::iteration_limit;
  variables = std::move(alpha_);
  if (complete) measure_gradient();
  return std::move(result_);
}

/// Recomputes the weights from the variables, and both objectives at them.
bool ProjectedNewton::evaluate() {
  std::vector<std::size_t> free;
  std::vector<double> factors, f;
  for (const std::size_t row : rows_)
    if (alpha_[row] > 0) {
      free.push_back(row);
      factors.push_back(task_.sign(row, problem_) * alpha_[row]);
    }
  w_.fill(0);
  dual_ = 0;
  if (free.empty()) {
    if (report_) report_(result_);
    return true;
  }
  if (!add_rows(free, factors, w_) || !multiply(rows_, w_, f)) return false;
  double losses = 0;
  for (std::size_t k = 0; k < rows_.size(); ++k)
    losses += task_.row_weight(rows_[k]) * task_.loss(rows_[k], problem_, f[k]);
  dual_ = dual_objective(alpha_, w_);
  accept(squared_norm(w_) / 2 + cost_ * losses);
  if (report_) report_(result_);
  return true;
}

void ProjectedNewton::accept(double primal) {
  if (!std::isfinite(primal) || !std::isfinite(dual_))
    throw Error("the objective overflows; lower C, or scale the rows (normalizer/unit_length)");
  Outcome& outcome = result_.outcome;
  outcome.dual = std::max(outcome.dual, dual_);
  if (primal > outcome.primal) return;
  outcome.primal = primal;
  for (std::size_t j = 0; j < result_.weights.size(); ++j) result_.weights[j] = w_.of(j)[0];
}

double ProjectedNewton::dual_objective(const std::vector<double>& variables,
                                       const Weights& w) const {
  double sum = 0;
  for (const std::size_t row : rows_) {
    const double v = variables[row];
    sum += v - task_.diagonal(cost_, row) * v * v / 2;
  }
  return sum - squared_norm(w) / 2;
}

/// Some passes, until the tolerance seems to be met, or until descent turns out to be slow.
bool ProjectedNewton::descend() {
  if (!in_double_) return descend_with(passes_);
  passes_.reset();
  return descend_with(precise_passes_);
}

template <class T>
bool ProjectedNewton::descend_with(std::optional<HingePasses<T>>& passes) {
  if (!passes) passes.emplace(task_, problem_, cost_, context_);
  passes->start(alpha_, w_, dual_);
  gaps_.clear();
  bool complete = true, met = false, ends = false;
  while (complete && !ends && gaps_.size() < passes_at_once && result_.passes < most_passes()) {
    const bool all = gaps_.size() % passes_between_all == 0;
    complete = passes->pass(all, random_);
    result_.rows_read += static_cast<double>(passes->visited());
    ++result_.passes;
    gaps_.push_back(passes->gap());
    dual_ = passes->dual();
    met = gaps_.back() <= tolerance() * (dual_ + gaps_.back());
    ends = met || (all && slow());
  }
  passes->copy_variables(alpha_);
  if (met && ++misjudged_ > most_misjudged) in_double_ = true;
  return complete;
}

bool ProjectedNewton::slow() const {
  if (gaps_.size() <= passes_of_estimate) return false;
  const std::size_t last = (gaps_.size() - 1) / passes_between_all * passes_between_all;
  const double now = gaps_[last], before = gaps_[last - passes_of_estimate];
  const double rate = std::log(now / before) / double{passes_of_estimate};
  const double wanted = std::log(tolerance() * (dual_ + now) / now);
  return !(rate < 0) || wanted / rate > passes_of_newton_step;
}

/// Of the primal objective at the returned weights.
bool ProjectedNewton::measure_gradient() {
  const double rows_read = result_.rows_read;
  std::vector<double> f;
  for (std::size_t j = 0; j < result_.weights.size(); ++j) w_.of(j)[0] = result_.weights[j];
  if (!multiply(rows_, w_, f)) return false;
  std::vector<double> pulls(rows_.size()), pulls_at_zero(rows_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const double u = 2 * cost_ * task_.row_weight(rows_[k]);
    pulls[k] = -u * task_.half_pull(rows_[k], problem_, f[k]);
    pulls_at_zero[k] = u * task_.half_pull(rows_[k], problem_, 0);
  }
  Weights at_zero(task_.cols(), task_.bias(), 1);
  if (!add_rows(rows_, pulls, w_) || !add_rows(rows_, pulls_at_zero, at_zero)) return false;
  result_.gradient_at_zero = std::sqrt(squared_norm(at_zero));
  result_.outcome.gradient_norm =
      result_.gradient_at_zero > 0 ? std::sqrt(squared_norm(w_)) / result_.gradient_at_zero : 0;
  result_.rows_read = rows_read;
  return true;
}

bool ProjectedNewton::newton_step() {
  std::vector<std::size_t> free;
  for (const std::size_t row : rows_)
    if (alpha_[row] > 0) free.push_back(row);
  std::vector<double> step(free.size());
  return free.empty() || (conjugate_gradients(free, step) && search(free, step));
}

/// Solves (Q + D) step = -gradient, where Q holds the products y_i y_j <x_i, x_j> of the free rows:
/// `sums` is sum_k y_k direction_k x_k.
bool ProjectedNewton::conjugate_gradients(const std::vector<std::size_t>& free,
                                          std::vector<double>& step) {
  const std::size_t n = free.size();
  std::vector<double> y(n), diagonal(n), residual(n), direction(n), signed_residual(n), products;
  if (!multiply(free, w_, products)) return false;
  for (std::size_t k = 0; k < n; ++k) {
    y[k] = task_.sign(free[k], problem_);
    diagonal[k] = task_.diagonal(cost_, free[k]);
    residual[k] = 1 - y[k] * products[k] - diagonal[k] * alpha_[free[k]];
  }
  Weights sums(task_.cols(), task_.bias(), 1);
  const double start = squared_norm(residual);
  double size = start, share = 0;  // of the last direction
  for (std::size_t i = 0; i < most_products && size > residual_share * residual_share * start;
       ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      direction[k] = residual[k] + share * direction[k];
      signed_residual[k] = y[k] * residual[k];
    }
    for (std::size_t j = 0; j < sums.columns(); ++j) sums.of(j)[0] *= share;
    if (!add_rows(free, signed_residual, sums) || !multiply(free, sums, products)) return false;
    double curvature = squared_norm(sums);
    for (std::size_t k = 0; k < n; ++k) curvature += diagonal[k] * direction[k] * direction[k];
    const double length = size / curvature;
    for (std::size_t k = 0; k < n; ++k) {
      step[k] += length * direction[k];
      residual[k] -= length * (y[k] * products[k] + diagonal[k] * direction[k]);
    }
    const double next = squared_norm(residual);
    share = next / size;
    size = next;
  }
  return true;
}

/// Moves to the first of the ends t = 1, 1/2, ... with a larger dual objective, if there is one.
bool ProjectedNewton::search(const std::vector<std::size_t>& free,
                             const std::vector<double>& step) {
  const double before = dual_objective(alpha_, w_);
  double t = 1;
  for (int i = 0; i <= most_halvings; ++i, t /= 2) {
    std::vector<double> alpha = alpha_, factors(free.size());
    for (std::size_t k = 0; k < free.size(); ++k) {
      double& end = alpha[free[k]];
      end = std::max(end + t * step[k], 0.0);
      factors[k] = task_.sign(free[k], problem_) * (end - alpha_[free[k]]);
    }
    Weights w = w_;
    if (!add_rows(free, factors, w)) return false;
    const double after = dual_objective(alpha, w);
    if (!(after > before)) continue;
    alpha_ = std::move(alpha);
    w_ = std::move(w);
    dual_ = after;
    break;
  }
  return true;
}

bool ProjectedNewton::add_rows(std::span<const std::size_t> rows,
                               const std::vector<double>& factors, Weights& out) {
  result_.rows_read += static_cast<double>(rows.size()) / 2;
  if (bounds_.size() == 2)
    return visit(rows, [&](std::size_t k, const SparseRow& entries) {
      if (factors[k] != 0) out.add(entries, &factors[k]);
    });
  for (std::size_t k = 0; k < rows.size(); ++k)
    out.of(task_.cols())[0] += task_.bias() * factors[k];
  std::atomic<bool> complete{true};
  context_.parallel_for(bounds_.size() - 1, [&](std::size_t task) {
    if (!visit(rows, [&](std::size_t k, const SparseRow& entries) {
          if (factors[k] == 0) return;
          add_row(entries_within(entries, bounds_[task], bounds_[task + 1]), &factors[k], 1,
                  out.of(0));
        }))
      complete = false;
  });
  return complete;
}

bool ProjectedNewton::multiply(std::span<const std::size_t> rows, const Weights& w,
                               std::vector<double>& out) {
  result_.rows_read += static_cast<double>(rows.size()) / 2;
  out.resize(rows.size());
  const std::size_t tasks = bounds_.size() - 1;
  std::atomic<bool> complete{true};
  context_.parallel_for(tasks, [&](std::size_t task) {
    const std::size_t first = rows.size() * task / tasks;
    const std::size_t count = rows.size() * (task + 1) / tasks - first;
    if (!visit(rows.subspan(first, count),
               [&](std::size_t k, const SparseRow& entries) { out[first + k] = w.score(entries); }))
      complete = false;
  });
  return complete;
}

bool ProjectedNewton::visit(std::span<const std::size_t> rows, const Visit& body) const {
  if (rows.empty()) return true;
  std::size_t k = 0;
  return task_.visit(context_, rows,
                     [&](std::size_t, const SparseRow& entries) { body(k++, entries); });
}

std::size_t ProjectedNewton::bytes(std::size_t rows, std::size_t dimension) noexcept {
  // Weights, their sums, trial weights, the solution, and those during passes; vectors of the rows,
  // and their variables during passes.
  return (9 * (dimension + 1) + 20 * rows) * sizeof(double);
}

}  // namespace semblance::linear
