// SPDX-License-Identifier: MIT
#include "sparse/projected_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "newton/gram.hpp"
#include "newton/newton_memory.hpp"
#include "sparse/free_rows_step.hpp"

namespace semblance::linear {
namespace {

/// The largest number of passes between evaluations. Each fourth of them visits all rows.
constexpr std::size_t passes_at_once = 24;
constexpr std::size_t passes_between_all = 4;
/// Passes between the gaps that show how fast descent is: both are of all rows.
constexpr std::size_t passes_of_estimate = 2 * passes_between_all;

/// A Newton step is made if descent would take more passes than this.
constexpr double passes_of_newton_step = 30;
constexpr int most_halvings = 12;

/// The damping of the first step, as a share of the rows' mean squared length, which is the
/// largest. It grows by the factor after a step of at most this length, and shrinks after a whole
/// one.
constexpr double first_damping = 0.1, damping_factor = 4, short_step = 0.25;
/// The least keeps the step's digits.
constexpr double least_damping = 1e-9;

/// Ends after this number of evaluations in which the gap has not shrunk to this share, nor, where
/// there are more rows than columns, the dual objective grown to this multiple, as if all rows were
/// nearly parallel: Newton's method in the primal is for those.
constexpr double worthwhile_gain = 0.9, worthwhile_growth = 1.01;
constexpr std::size_t most_idle = 6;

}  // namespace

ProjectedNewton::ProjectedNewton(const SparseTask& task, std::size_t problem, double cost,
                                 std::size_t tasks, Context& context)
    : task_(task),
      problem_(problem),
      cost_(cost),
      context_(context),
      products_(task, tasks, context),
      passes_(task, problem, cost, context),
      w_(products_.zero()) {
  for (std::size_t row = 0; row < task.rows(); ++row)
    if (task.row_weight(row) > 0) rows_.push_back(row);  // other variables are bound to 0
  for (const std::size_t row : rows_)
    mean_square_ += task.square(row) / static_cast<double>(rows_.size());
  by_columns_ = rows_.size() > task.cols();
  if (by_columns_) damping_ = first_damping * mean_square_;
}

ProjectedNewton::Result ProjectedNewton::solve(std::vector<double>& variables) {
  start(variables);
  bool complete = evaluate();
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t idle = 0; complete && open() && idle < most_idle;) {
    complete = (!slow() || newton_step()) && descend() && evaluate();
    const double gap = result_.outcome.primal - result_.outcome.dual;
    const bool grows = by_columns_ && dual_ > worthwhile_growth * most;
    const bool gained = gap < worthwhile_gain * least || grows;
    idle = gained ? 0 : idle + 1;
    if (gained) least = std::min(gap, least), most = std::max(dual_, most);
  }
  return end(variables, complete);
}

void ProjectedNewton::start(std::vector<double>& variables) {
  alpha_ = std::move(variables);
  result_ = Result();
  products_.reset_rows_read();
  for (const std::size_t row : rows_)
    result_.outcome.primal += cost_ * task_.row_weight(row) * task_.loss(row, problem_, 0);
  result_.weights.assign(task_.task().dimension(), 0.0);
}

/// With fewer rows than columns, exact steps by products of rows (newton/row_functions.hpp) follow
/// where these fit into memory; they cost about as much as rows / 16 passes.
std::size_t ProjectedNewton::most_passes() const noexcept {
  constexpr std::size_t rows_per_pass = 16, least = 200;
  const std::size_t n = task_.rows(), most = task_.task().max_iterations;
  const bool exact = !by_columns_ && square_bytes(n) <= hessian_allowance(n, task_.cols());
  return exact ? std::min(most, std::max(least, n / rows_per_pass)) : most;
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
  result_.rows_read += products_.rows_read();
  double norm = 0;
  if (complete && find_gradient(std::vector<double>(result_.weights.size()), result_.start_norm) &&
      find_gradient(result_.weights, norm) && result_.start_norm > 0)
    result_.outcome.gradient_norm = norm / result_.start_norm;
  return std::move(result_);
}

/// Recomputes the weights from the variables, and both objectives at them.
bool ProjectedNewton::evaluate() {
  std::vector<std::size_t> free;
  std::vector<double> factors;
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
  if (!products_.add_rows(free, factors, w_) || !products_.multiply(rows_, w_, scores_))
    return false;
  dual_ = dual_objective(alpha_, w_);
  accept(primal_objective());
  if (report_) report_(result_);
  return true;
}

/// |gradient| of the primal objective at these weights: w - sum of 2Cu y x times the rows' lost
/// margins. False if a stop was requested.
bool ProjectedNewton::find_gradient(const std::vector<double>& weights, double& norm) {
  Weights at = products_.zero(), pull = at;
  for (std::size_t j = 0; j < weights.size(); ++j) at.of(j)[0] = weights[j];
  std::vector<double> factors;
  if (!products_.multiply(rows_, at, factors)) return false;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const double y = task_.sign(rows_[k], problem_);
    factors[k] = y * std::max(1 - y * factors[k], 0.0) / task_.diagonal(cost_, rows_[k]);
  }
  if (!products_.add_rows(rows_, factors, pull)) return false;
  for (std::size_t j = 0; j < pull.columns(); ++j) pull.of(j)[0] -= at.of(j)[0];
  norm = std::sqrt(squared_norm(pull));
  return true;
}

/// At w_, with its scores.
double ProjectedNewton::primal_objective() const {
  double losses = 0;
  for (std::size_t k = 0; k < rows_.size(); ++k)
    losses += task_.row_weight(rows_[k]) * task_.loss(rows_[k], problem_, scores_[k]);
  return squared_norm(w_) / 2 + cost_ * losses;
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
  passes_.start(alpha_, w_, dual_);
  gaps_.clear();
  bool complete = true, ends = false;
  while (complete && !ends && gaps_.size() < passes_at_once && result_.passes < most_passes()) {
    const bool all = gaps_.size() % passes_between_all == 0;
    complete = passes_.pass(all, random_);
    result_.rows_read += static_cast<double>(passes_.visited());
    ++result_.passes;
    gaps_.push_back(passes_.gap());
    dual_ = passes_.dual();
    ends = gaps_.back() <= tolerance() * (dual_ + gaps_.back()) || (all && slow());
  }
  passes_.copy_variables(alpha_);
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

bool ProjectedNewton::newton_step() {
  FreeRows free;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const std::size_t row = rows_[k];
    if (!(alpha_[row] > 0)) continue;
    const double y = task_.sign(row, problem_), diagonal = task_.diagonal(cost_, row);
    free.rows.push_back(row);
    free.signs.push_back(y);
    free.slopes.push_back(1 - y * scores_[k] - diagonal * alpha_[row]);
    free.inverses.push_back(1 / (diagonal + damping_));
  }
  if (free.rows.empty()) return true;
  const double gap = result_.outcome.primal - result_.outcome.dual;
  std::vector<double> step;
  return (by_columns_ ? newton_step_by_columns(free, gap, products_, step)
                      : newton_step_by_rows(free, products_, step)) &&
         search(free, step);
}

/// Moves to the first of the ends t = 1, 1/2, ... with a larger dual objective, if there is one.
bool ProjectedNewton::search(const FreeRows& free, const std::vector<double>& step) {
  const double before = dual_objective(alpha_, w_);
  double t = 1, moved = 0;
  for (int i = 0; i <= most_halvings && moved == 0; ++i, t /= 2) {
    std::vector<double> alpha = alpha_, factors(free.rows.size());
    for (std::size_t k = 0; k < factors.size(); ++k) {
      double& end = alpha[free.rows[k]];
      end = std::max(end + t * step[k], 0.0);
      factors[k] = free.signs[k] * (end - alpha_[free.rows[k]]);
    }
    Weights w = w_;
    if (!products_.add_rows(free.rows, factors, w)) return false;
    const double after = dual_objective(alpha, w);
    if (!(after > before)) continue;
    alpha_ = std::move(alpha);
    w_ = std::move(w);
    dual_ = after;
    moved = t;
  }
  if (!by_columns_) return true;
  if (moved <= short_step)
    damping_ = std::min(damping_ * damping_factor, mean_square_);
  else if (moved == 1)
    damping_ = std::max(damping_ / damping_factor, least_damping * mean_square_);
  return true;
}

std::size_t ProjectedNewton::bytes(std::size_t rows, std::size_t dimension) noexcept {
  // Weights, their sums, trial weights, the solution, and those during passes and in two halves;
  // vectors of the rows, and their variables and steps during passes.
  return (12 * (dimension + 1) + 24 * rows) * sizeof(double);
}

}  // namespace semblance::linear
