// SPDX-License-Identifier: MIT
#include "crammer_singer/crammer_singer.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <string>

#include "crammer_singer/class_vectors.hpp"
#include "problem/sweep.hpp"
#include "semblance/parameters.hpp"
#include "semblance/random.hpp"
#include "sparse/lanes.hpp"

namespace semblance::linear {
namespace {

// A sample unchanged in this number of visits is omitted.
constexpr int idle_visits = 3;
// The largest number of passes over the active samples before the objective is computed again, even
// if violations are still large.
constexpr std::size_t most_passes = 20;
constexpr double first_violation = 0.1;
constexpr double negligible_violation = 1e-12;

/// Throws Error unless the machine fits.
void check_memory(const LinearTask& task, std::size_t budget) {
  const std::size_t rows = task.training.rows.rows(), k = task.classes(), d = task.dimension();
  const std::size_t needed =
      rows * (k + 2) * sizeof(double) + ClassVectors::bytes(d, k) + k * padded(d) * sizeof(double);
  if (needed > budget)
    throw MemoryError("the Crammer-Singer machine takes " + std::to_string((needed >> 20) + 1) +
                      " MiB: 8 bytes x " + std::to_string(rows) + " rows x " + std::to_string(k) +
                      " classes for its variables, and two sets of weights; " +
                      std::to_string(budget >> 20) +
                      " MiB are left. Raise --memory or train on fewer rows");
}

/// |x|^2 of each row, about the centre, with the appended constant. A sample's step divides the
/// amount shared by its classes, at most about C |x|^2, by it. Beyond the limit, slopes of about 1
/// lose most digits in double.
std::vector<double> squared_lengths(const LinearTask& task, Context& context) {
  constexpr double most = 1e12;
  const Rows& rows = task.training.rows;
  const Centre centre(task.centre);
  std::vector<double> squares(rows.rows());
  for_each_block(rows, context, [&](std::size_t, std::size_t first, MatrixView x) {
    for (std::size_t i = 0; i < x.rows; ++i) {
      double square = task.bias * task.bias + centre.square;
      for (const float value : x.row_span(i)) square += double{value} * value;
      if (task.sparse()) square -= 2 * centre.product(entries_of(x, i));
      squares[first + i] = square;
    }
  });
  const double square = *std::ranges::max_element(squares);
  const double cost = task.largest_cost();
  if (cost * square <= most) return squares;
  throw Error("C = " + to_text(Value(cost)) + " and rows of squared length " +
              to_text(Value(square)) +
              " are too large together: sums in double lose the margin if their product exceeds "
              "1e12. Lower C, or scale the rows (normalizer/zscore)");
}

class CrammerSinger {
 public:
  CrammerSinger(const LinearTask& task, Context& context)
      : task_(task),
        context_(context),
        rows_(task.training.rows),
        k_(task.classes()),
        squares_(squared_lengths(task, context)),
        w_(ClassVectors::of(task)),
        best_(k_, task.dimension()),
        alpha_(rows_.rows() * k_),
        step_(k_),
        slope_(k_),
        change_(k_),
        idle_(rows_.rows()) {}

  Solution solve(double cost) {
    begin(cost);
    if (!iterate()) result_.certificate = stop_certificate(context_);
    result_.outcomes = {best_outcome_};
    result_.outcomes.front().dual = std::max(best_outcome_.dual, dual());
    result_.weights = Vectors<double>(k_, best_.cols());
    for (std::size_t m = 0; m < k_; ++m)
      std::copy_n(best_.row(m), best_.cols(), result_.weights.row(m));
    return std::move(result_);
  }

 private:
  std::size_t own(std::size_t row) const {
    return static_cast<std::size_t>(task_.training.labels[row]);
  }
  double row_cost(std::size_t row) const { return cost_ * task_.row_weight(row); }
  std::span<double> alpha(std::size_t row) { return {alpha_.data() + row * k_, k_}; }

  /// Starts from the alphas of a smaller cost, which are feasible for this one.
  void begin(double cost) {
    // At w = 0 every sample has the loss 1; the vectors of a smaller cost have a known loss.
    double total = 0;
    cost_ = 1;
    for (std::size_t i = 0; i < rows_.rows(); ++i) total += row_cost(i);
    best_outcome_ = {cost * (loss_ < 0 ? total : loss_) + norm(best_) / 2, 0, 1};
    cost_ = cost;
    result_ = Solution();
    for (std::size_t i = 0; i < rows_.rows(); ++i)
      idle_[i] = task_.row_weight(i) > 0 ? 0 : idle_visits;
  }

  /// False if a stop was requested.
  bool iterate() {
    double aim = first_violation;  // of the active samples
    for (;;) {
      if (!evaluate(aim)) return false;
      if (proved(best_outcome_, task_.tolerance)) return true;
      if (result_.iterations == task_.max_iterations) {
        result_.certificate = Certificate::iteration_limit;
        return true;
      }
      double largest = 2 * aim;
      for (std::size_t pass = 0; pass < most_passes && largest > aim; ++pass)
        if (!visit_active(largest)) return false;
      ++result_.iterations;
      if (largest <= aim) aim *= 0.3;
    }
  }

  /// A pass over the active samples, in a random order. False if a stop was requested.
  bool visit_active(double& largest) {
    largest = 0;
    constexpr std::size_t rows_per_poll = 32;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < rows_.rows(); ++i)
      if (idle_[i] < idle_visits) order.push_back(i);
    random_.shuffle(std::span(order));
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i % rows_per_poll == 0 && context_.stop_requested() != StopReason::none) return false;
      visit(order[i], largest);
    }
    rows_.release(0, rows_.rows());
    add_sweep(2 * order.size());
    return true;
  }

  /// Solves the subproblem of a sample.
  void visit(std::size_t row, double& largest) {
    const std::span<double> a = alpha(row);
    w_->products(row, slope_.data());
    for (std::size_t m = 0; m < k_; ++m) slope_[m] += m == own(row) ? 0 : 1;
    const double violation = CrammerSingerStep::violation(slope_, a, own(row), row_cost(row));
    largest = std::max(largest, violation);
    ++idle_[row];
    if (violation <= negligible_violation) return;
    idle_[row] = 0;
    std::ranges::copy(a, change_.begin());
    step_.solve(squares_[row], slope_, own(row), row_cost(row), a);
    for (std::size_t m = 0; m < k_; ++m) change_[m] = a[m] - change_[m];
    w_->add(row, change_);
  }

  void add_sweep(std::size_t rows) {
    result_.sweeps += static_cast<double>(rows) / static_cast<double>(2 * rows_.rows());
  }

  /// The objectives at the current point. Samples that violate their condition by more than a tenth
  /// of `aim` become active again. False if a stop was requested.
  bool evaluate(double aim) {
    const std::size_t count = block_count(rows_.rows());
    std::vector<double> losses(count), worst(count);
    for_each_block(rows_, context_, [&](std::size_t block, std::size_t first, MatrixView x) {
      if (context_.stop_requested() != StopReason::none) return;
      std::vector<double> f(x.rows * k_);
      w_->products(x, f.data());
      for (std::size_t i = 0; i < x.rows; ++i) {
        const std::span<double> slope(f.data() + i * k_, k_);
        const std::size_t row = first + i, label = own(row);
        for (std::size_t m = 0; m < k_; ++m) slope[m] += m == label ? 0 : 1;
        losses[block] +=
            row_cost(row) * (*std::max_element(slope.begin(), slope.end()) - slope[label]);
        const double violation =
            CrammerSingerStep::violation(slope, alpha(row), label, row_cost(row));
        worst[block] = std::max(worst[block], violation);
        if (violation > 0.1 * aim && row_cost(row) > 0) idle_[row] = 0;
      }
    });
    if (context_.stop_requested() != StopReason::none) return false;
    add_sweep(rows_.rows());
    const double loss = std::accumulate(losses.begin(), losses.end(), 0.0);
    const double primal = w_->squares() / 2 + loss;
    best_outcome_.dual = std::max(best_outcome_.dual, dual());
    if (primal <= best_outcome_.primal) {
      best_outcome_.primal = primal;
      best_outcome_.gradient_norm = *std::max_element(worst.begin(), worst.end());
      loss_ = loss / cost_;
      w_->copy_to(best_);
    }
    record_progress();
    return true;
  }

  static double norm(const Vectors<double>& w) {
    double sum = 0;
    for (std::size_t m = 0; m < w.count(); ++m) sum += dot(w.row(m), w.row(m), w.cols());
    return sum;
  }

  /// -1/2 sum |w_m|^2 - sum of alpha over the samples' other classes.
  double dual() {
    double sum = 0;
    for (std::size_t i = 0; i < rows_.rows(); ++i) {
      const std::span<const double> a = alpha(i);
      for (std::size_t m = 0; m < k_; ++m) sum -= m == own(i) ? 0 : a[m];
    }
    return sum - w_->squares() / 2;
  }

  void record_progress() {
    const auto active =
        std::ranges::count_if(idle_, [](int visits) { return visits < idle_visits; });
    result_.outcomes = {best_outcome_};
    result_.record(task_.tolerance, "pass", 1, context_,
                   ", rows taking part " + std::to_string(active) + ", sweeps " +
                       std::to_string(result_.sweeps));
  }

  const LinearTask& task_;
  Context& context_;
  const Rows& rows_;
  std::size_t k_;
  std::vector<double> squares_;      // |x|^2
  std::unique_ptr<ClassVectors> w_;  // the last point
  Vectors<double> best_;             // that of the least objective
  std::vector<double> alpha_;        // rows x classes
  CrammerSingerStep step_;
  std::vector<double> slope_, change_;
  std::vector<int> idle_;  // consecutive visits without a change, per sample
  Random random_{1};
  double cost_ = 1;
  double loss_ = -1;  // of best_, without C; -1: unknown
  Outcome best_outcome_;
  Solution result_;
};

}  // namespace

double CrammerSingerStep::violation(std::span<const double> slope, std::span<const double> alpha,
                                    std::size_t own, double cost) {
  double largest = -std::numeric_limits<double>::infinity(), smallest = -largest;
  for (std::size_t m = 0; m < slope.size(); ++m) {
    largest = std::max(largest, slope[m]);
    if (alpha[m] < (m == own ? cost : 0)) smallest = std::min(smallest, slope[m]);
  }
  return largest - smallest;
}

void CrammerSingerStep::solve(double curvature, std::span<const double> slope, std::size_t own,
                              double cost, std::span<double> alpha) {
  const std::size_t k = slope.size();
  if (curvature == 0) {  // a row of zeros
    std::fill(alpha.begin(), alpha.end(), 0.0);
    const auto rival =
        static_cast<std::size_t>(std::max_element(slope.begin(), slope.end()) - slope.begin());
    alpha[own] += cost;
    alpha[rival] -= cost;
    return;
  }
  for (std::size_t m = 0; m < k; ++m) linear_[m] = slope[m] - curvature * alpha[m];
  linear_[own] += curvature * cost;
  // The multiplier of sum a = 0: the entries below their bound balance those at the bounds. It
  // grows until no entry leaves their number, which rounding could otherwise let grow again.
  double multiplier = -std::numeric_limits<double>::infinity();
  for (std::size_t before = k + 1;;) {
    double sum = -curvature * cost;
    std::size_t below = 0;
    for (std::size_t m = 0; m < k; ++m)
      if (linear_[m] > multiplier) sum += linear_[m], ++below;
    if (below == 0 || below >= before) break;
    multiplier = sum / static_cast<double>(below);
    before = below;
  }
  for (std::size_t m = 0; m < k; ++m)
    alpha[m] = std::min(0.0, (multiplier - linear_[m]) / curvature);
  alpha[own] += cost;
}

std::vector<Solution> train_crammer_singer(const LinearTask& task, Context& context) {
  check_memory(task, context.memory_budget());
  CrammerSinger machine(task, context);
  std::vector<Solution> solutions;
  for (const double cost : task.costs) solutions.push_back(machine.solve(cost));
  return solutions;
}

}  // namespace semblance::linear
