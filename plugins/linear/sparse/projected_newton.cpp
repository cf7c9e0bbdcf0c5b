// SPDX-License-Identifier: MIT
#include "sparse/projected_newton.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
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
/// Conjugate gradients end when their residual is this share of the first, or, by columns, when it
/// matters no more than these shares.
constexpr double residual_share = 0.01;
constexpr double share_of_gain = 0.3, share_of_gap = 0.01;
constexpr int most_halvings = 12;

/// The damping of the first step, as a share of the rows' mean squared length, which is the
/// largest. It grows by the factor after a step of at most this length, and shrinks after a whole
/// one.
constexpr double first_damping = 0.1, damping_factor = 4, short_step = 0.25;
/// The least keeps the step's digits.
constexpr double least_damping = 1e-9;

/// Ends where in so many evaluations the gap has not shrunk to this share, nor, where rows are
/// more than columns, the dual objective grown to this multiple, as if all rows are nearly
/// parallel: Newton's method in the primal is for those.
constexpr double worthwhile_gain = 0.9, worthwhile_growth = 1.01;
constexpr std::size_t most_idle = 6;

/// Passes that seem to meet the tolerance, but do not, may be at the limits of float.
constexpr std::size_t most_misjudged = 2;

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
  for (const std::size_t row : rows_)
    mean_square_ += task.square(row) / static_cast<double>(rows_.size());
  by_columns_ = rows_.size() > task.cols();
  if (by_columns_) damping_ = first_damping * mean_square_;
}

ProjectedNewton::Result ProjectedNewton::solve(std::vector<double>& variables) {
  start(variables);
  return iterate(variables);
}

ProjectedNewton::Result ProjectedNewton::solve_from(std::span<const double> weights,
                                                    std::vector<double>& variables) {
  start(variables);
  if (!evaluate()) return end(variables, false);
  const double before = dual_;
  std::vector<double> kept = alpha_;
  for (std::size_t j = 0; j < weights.size(); ++j) w_.of(j)[0] = weights[j];
  if (!multiply(rows_, w_, scores_)) return end(variables, false);
  accept(primal_objective());
  for (std::size_t k = 0; k < rows_.size(); ++k)
    alpha_[rows_[k]] = std::max(1 - task_.sign(rows_[k], problem_) * scores_[k], 0.0) /
                       task_.diagonal(cost_, rows_[k]);
  if (!evaluate() || !descend() || !evaluate()) return end(variables, false);
  if (dual_ < before) {
    alpha_ = std::move(kept);
    gaps_.clear();
  }
  return iterate(variables);
}

ProjectedNewton::Result ProjectedNewton::iterate(std::vector<double>& variables) {
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
  if (!add_rows(free, factors, w_) || !multiply(rows_, w_, scores_)) return false;
  dual_ = dual_objective(alpha_, w_);
  accept(primal_objective());
  if (report_) report_(result_);
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
  std::vector<double> step;
  if (free.rows.empty()) return true;
  return (by_columns_ ? solve(free, step) : solve_by_rows(free, step)) && search(free, step);
}

/// Solves (Q + D + damping) step = slopes, where Q holds the products y_i y_j <x_i, x_j> of the
/// free rows. With E = D + damping, u = sum_k y_k step_k x_k is the solution of
/// (I + X^T E^-1 X) u = X^T y E^-1 slopes, and step = E^-1 (slopes - y X u). The diagonal of this
/// matrix, by columns, is a good preconditioner where some columns have most of the values.
bool ProjectedNewton::solve(const FreeRows& free, std::vector<double>& step) {
  const std::size_t n = free.rows.size();
  std::vector<double> factors(n), products;
  double gain = 0;  // of the dual objective, without its damped part: an upper bound at first
  for (std::size_t k = 0; k < n; ++k) {
    factors[k] = free.signs[k] * free.slopes[k] * free.inverses[k];
    gain += free.slopes[k] * free.slopes[k] * free.inverses[k] / 2;
  }
  Weights residual(task_.cols(), task_.bias(), 1), change = residual, diagonal = residual;
  if (!add_rows(free.rows, factors, residual) || !measure_diagonal(free, diagonal) ||
      !conjugate_gradients(free, diagonal, gain, residual, change) ||
      !multiply(free.rows, change, products))
    return false;
  step.resize(n);
  for (std::size_t k = 0; k < n; ++k)
    step[k] = (free.slopes[k] - free.signs[k] * products[k]) * free.inverses[k];
  return true;
}

/// The same by conjugate gradients on the step itself: `sums` is sum_k y_k direction_k x_k.
bool ProjectedNewton::solve_by_rows(const FreeRows& free, std::vector<double>& step) {
  const std::size_t n = free.rows.size();
  std::vector<double> residual = free.slopes, direction(n), signed_residual(n), products;
  step.assign(n, 0.0);
  Weights sums(task_.cols(), task_.bias(), 1);
  const auto square = [](const std::vector<double>& v) {
    return std::inner_product(v.begin(), v.end(), v.begin(), 0.0);
  };
  const double start = square(residual);
  double size = start, share = 0;  // of the last direction
  for (std::size_t i = 0; i < most_products && size > residual_share * residual_share * start;
       ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      direction[k] = residual[k] + share * direction[k];
      signed_residual[k] = free.signs[k] * residual[k];
    }
    for (std::size_t j = 0; j < sums.columns(); ++j) sums.of(j)[0] *= share;
    if (!add_rows(free.rows, signed_residual, sums) || !multiply(free.rows, sums, products))
      return false;
    double curvature = squared_norm(sums);
    for (std::size_t k = 0; k < n; ++k) curvature += direction[k] * direction[k] / free.inverses[k];
    const double length = size / curvature;
    for (std::size_t k = 0; k < n; ++k) {
      step[k] += length * direction[k];
      residual[k] -= length * (free.signs[k] * products[k] + direction[k] / free.inverses[k]);
    }
    const double next = square(residual);
    share = next / size;
    size = next;
  }
  return true;
}

/// Half of the squared residual bounds what an approximate solution lacks of the gain.
bool ProjectedNewton::conjugate_gradients(const FreeRows& free, const Weights& diagonal,
                                          double gain, Weights& residual, Weights& change) {
  const double gap = result_.outcome.primal - result_.outcome.dual;
  Weights direction(task_.cols(), task_.bias(), 1), product = direction;
  double size = squared_norm(residual), rho = 0;
  for (std::size_t i = 0; i < most_products; ++i) {
    if (size / 2 <= std::min(share_of_gain * gain, share_of_gap * gap)) break;
    double next = 0;
    for (std::size_t j = 0; j < residual.columns(); ++j)
      next += residual.of(j)[0] * residual.of(j)[0] / diagonal.of(j)[0];
    for (std::size_t j = 0; j < residual.columns(); ++j) {
      double& d = direction.of(j)[0];
      d = residual.of(j)[0] / diagonal.of(j)[0] + (i == 0 ? 0 : next / rho * d);
    }
    rho = next;
    if (!multiply_hessian(free, direction, product)) return false;
    double curvature = 0;
    for (std::size_t j = 0; j < residual.columns(); ++j)
      curvature += direction.of(j)[0] * product.of(j)[0];
    const double length = rho / curvature;
    gain -= length * rho / 2;
    for (std::size_t j = 0; j < residual.columns(); ++j) {
      change.of(j)[0] += length * direction.of(j)[0];
      residual.of(j)[0] -= length * product.of(j)[0];
    }
    size = squared_norm(residual);
  }
  return true;
}

/// out = (I + X^T E^-1 X) w.
bool ProjectedNewton::multiply_hessian(const FreeRows& free, const Weights& w, Weights& out) {
  out.fill(0);
  if (bounds_.size() == 2) {
    result_.rows_read += static_cast<double>(free.rows.size());
    if (!visit(free.rows, [&](std::size_t k, const SparseRow& entries) {
          const double factor = w.score(entries) * free.inverses[k];
          out.add(entries, &factor);
        }))
      return false;
  } else {
    std::vector<double> products;
    if (!multiply(free.rows, w, products)) return false;
    for (std::size_t k = 0; k < products.size(); ++k) products[k] *= free.inverses[k];
    if (!add_rows(free.rows, products, out)) return false;
  }
  for (std::size_t j = 0; j < out.columns(); ++j) out.of(j)[0] += w.of(j)[0];
  return true;
}

/// The diagonal of I + X^T E^-1 X.
bool ProjectedNewton::measure_diagonal(const FreeRows& free, Weights& out) {
  out.fill(1);
  result_.rows_read += static_cast<double>(free.rows.size()) / 2;
  return visit(free.rows, [&](std::size_t k, const SparseRow& entries) {
    for (std::size_t i = 0; i < entries.size; ++i)
      out.of(entries.columns[i])[0] +=
          free.inverses[k] * double{entries.values[i]} * double{entries.values[i]};
    out.of(task_.cols())[0] += free.inverses[k] * task_.bias() * task_.bias();
  });
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
    if (!add_rows(free.rows, factors, w)) return false;
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
  return (10 * (dimension + 1) + 22 * rows) * sizeof(double);
}

}  // namespace semblance::linear
