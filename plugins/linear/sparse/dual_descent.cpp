// SPDX-License-Identifier: MIT
#include "sparse/dual_descent.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>

#include "semblance/random.hpp"
#include "sparse/problem_group.hpp"

namespace semblance::linear {
namespace {

/// Passes before the first evaluation of the objectives, and the increase before each next one: an
/// evaluation takes about as long as a pass.
constexpr std::size_t first_evaluation = 4;
constexpr std::size_t passes_between_evaluations = 4;

/// Descent continues only if the gap shrinks at least to this share between evaluations. With C =
/// 10 on words and pairs of words it falls by a third each time, and 100 passes still take a tenth
/// of the time of Newton's method.
constexpr double least_gain = 0.9;

class Descent {
 public:
  Descent(const LinearTask& task, Context& context)
      : task_(task, context), context_(context), n_(task_.problems()) {
    std::vector<std::size_t> all(n_);
    std::iota(all.begin(), all.end(), std::size_t{0});
    group(all);
  }

  /// At the last cost, problems leave their groups when they are done; at other costs they continue
  /// from there.
  Solution solve(double cost, bool last_cost) {
    start(cost);
    drops_ = last_cost;
    std::size_t next_evaluation = first_evaluation;
    while (!live_.empty()) {
      if (!pass(cost)) return end(cost, stop_certificate(context_));
      const bool last = ++result_.iterations >= task_.task().max_iterations;
      if (result_.iterations < next_evaluation && !last) continue;
      if (!evaluate(cost)) return end(cost, stop_certificate(context_));
      next_evaluation += std::max(passes_between_evaluations, result_.iterations / 4);
      if (live_.empty() || !(last || slows_down())) continue;
      return end(cost, Certificate::iteration_limit);
    }
    return end(cost, Certificate::converged);
  }

 private:
  /// The place of a problem's variables.
  struct Place {
    std::size_t group = 0;
    std::size_t lane = 0;
  };

  void start(double cost) {
    result_ = Solution();
    const std::size_t dimension = task_.task().dimension();
    result_.weights = Vectors<double>(n_, dimension);
    result_.outcomes.assign(n_, {0, 0, 1});
    for (std::size_t i = 0; i < task_.rows(); ++i)
      for (std::size_t c = 0; c < n_; ++c)
        result_.outcomes[c].primal += task_.row_weight(i) * task_.loss(i, c, 0);
    for (Outcome& outcome : result_.outcomes) outcome.primal *= cost;
    evaluated_ = false;
    worst_ = std::numeric_limits<double>::infinity();
    live_.resize(n_);
    std::iota(live_.begin(), live_.end(), std::size_t{0});
  }

  /// Makes one group per thread, or more if groups would be too wide. A problem's result does not
  /// depend on its group.
  void group(const std::vector<std::size_t>& problems) {
    const std::size_t count = problems.size();
    const std::size_t threads = std::max<std::size_t>(context_.threads(), 1);
    const std::size_t wanted =
        std::max(std::min(threads, count), (count + most_lanes - 1) / most_lanes);
    std::vector<std::unique_ptr<ProblemGroup>> groups;
    std::vector<Place> places(n_);
    for (std::size_t g = 0; g < wanted; ++g) {
      const std::vector<std::size_t> own(
          problems.begin() + static_cast<std::ptrdiff_t>(count * g / wanted),
          problems.begin() + static_cast<std::ptrdiff_t>(count * (g + 1) / wanted));
      groups.push_back(std::make_unique<ProblemGroup>(task_, own));
      for (std::size_t lane = 0; lane < own.size(); ++lane) {
        places[own[lane]] = {groups.size() - 1, lane};
        if (groups_.empty()) continue;
        const Place before = places_[own[lane]];
        groups.back()->take(lane, *groups_[before.group], before.lane);
      }
    }
    groups_ = std::move(groups);
    places_ = std::move(places);
  }

  void regroup() {
    if (!drops_) return;
    std::size_t grouped = 0;
    for (const auto& group : groups_) grouped += group->problems().size();
    // Moving them takes about as long as a pass.
    if (live_.size() * 4 <= grouped * 3) group(live_);
  }

  /// A new random order of all rows for each pass. If rows have much in common, such as a constant,
  /// shuffling only within ranges of the file takes a hundred times as many passes.
  std::vector<std::size_t> order() {
    std::vector<std::size_t> all(task_.rows());
    std::iota(all.begin(), all.end(), std::size_t{0});
    random_.shuffle(std::span(all));
    return all;
  }

  bool pass(double cost) {
    const std::vector<std::size_t> rows = order();
    result_.sweeps += 1;
    return for_groups([&](ProblemGroup& group) { return group.pass(cost, rows, context_); });
  }

  bool for_groups(const std::function<bool(ProblemGroup&)>& body) {
    std::atomic<bool> complete{true};
    context_.parallel_for(groups_.size(), [&](std::size_t g) {
      if (!body(*groups_[g])) complete = false;
    });
    return complete;
  }

  /// Evaluates the problems, stores better solutions, and drops the problems that are done.
  bool evaluate(double cost) {
    std::vector<std::vector<ProblemGroup::Value>> values(groups_.size());
    if (!for_groups([&](ProblemGroup& group) {
          const auto own = std::ranges::find(groups_, &group, &std::unique_ptr<ProblemGroup>::get);
          return group.evaluate(cost, values[static_cast<std::size_t>(own - groups_.begin())],
                                context_);
        }))
      return false;
    result_.sweeps += 1;
    for (const std::size_t c : live_) accept(c, values[places_[c].group][places_[c].lane]);
    evaluated_ = true;
    record_iterate(result_, task_.task().tolerance, "pass", live_.size(), context_);
    std::erase_if(
        live_, [&](std::size_t c) { return proved(result_.outcomes[c], task_.task().tolerance); });
    regroup();
    return true;
  }

  bool slows_down() {
    const double worst = result_.largest_gap();
    const bool slow = worst > least_gain * worst_;
    worst_ = worst;
    return slow;
  }

  void accept(std::size_t c, const ProblemGroup::Value& value) {
    if (!std::isfinite(value.primal) || !std::isfinite(value.dual))
      throw Error("the objective overflows; lower C, or scale the rows (normalizer/unit_length)");
    Outcome& outcome = result_.outcomes[c];
    outcome.dual = std::max(outcome.dual, value.dual);
    if (evaluated_ && value.primal > outcome.primal) return;
    outcome.primal = value.primal;
    groups_[places_[c].group]->copy_weights(places_[c].lane, result_.weights.row(c));
  }

  /// The result, with the gradient at the returned weights.
  Solution end(double cost, Certificate certificate) {
    result_.certificate = certificate;
    gradient_norms(cost);
    return std::move(result_);
  }

  void gradient_norms(double cost) {
    result_.start_norms.assign(n_, 0.0);
    if (context_.stop_requested() != StopReason::none || !task_.task().regression.squared()) return;
    constexpr std::size_t at_once = 8;
    context_.parallel_for((n_ + at_once - 1) / at_once, [&](std::size_t group) {
      const std::size_t first = group * at_once, count = std::min(at_once, n_ - first);
      std::vector<GradientNorms> norms;
      if (!measure_gradients(task_, result_.weights, first, count, cost, norms, context_)) return;
      for (std::size_t i = 0; i < count; ++i) {
        result_.start_norms[first + i] = norms[i].at_zero;
        result_.outcomes[first + i].gradient_norm =
            norms[i].at_zero > 0 ? norms[i].here / norms[i].at_zero : 0;
      }
    });
  }

  SparseTask task_;
  Context& context_;
  std::size_t n_;
  Random random_{1};
  std::vector<std::unique_ptr<ProblemGroup>> groups_;
  std::vector<Place> places_;
  std::vector<std::size_t> live_;
  bool drops_ = false;
  double worst_ = std::numeric_limits<double>::infinity();  // relative gap at the last evaluation
  bool evaluated_ = false;
  Solution result_;
};

}  // namespace

std::vector<Solution> descend_dual(const LinearTask& task, Context& context) {
  const std::size_t rows = task.training.rows.rows();
  const bool numbers = task.regression.problems > 0;
  const std::size_t needed =
      descent_bytes(rows, task.dimension(), task.problems(), context.threads());
  if (needed > context.memory_budget())
    throw MemoryError("training on " + std::to_string(rows) + " sparse rows of " +
                      std::to_string(task.training.rows.cols()) + " columns and " +
                      (numbers ? std::to_string(task.problems()) + " targets"
                               : std::to_string(task.classes()) + " classes") +
                      " takes " + std::to_string((needed >> 20) + 1) +
                      " MiB in addition to the rows, but " +
                      std::to_string(context.memory_budget() >> 20) +
                      " MiB are left; raise --memory, or use fewer columns");
  Descent descent(task, context);
  std::vector<Solution> solutions;
  solutions.reserve(task.costs.size());
  for (const double cost : task.costs)
    solutions.push_back(descent.solve(cost, cost == task.costs.back()));
  return solutions;
}

std::size_t descent_bytes(std::size_t rows, std::size_t dimension, std::size_t problems,
                          std::size_t threads) noexcept {
  const std::size_t lanes = problems + (problems > 1 ? lane_step * std::min(threads, problems) : 0);
  // Twice the weights while problems move between groups; the solution; the gradients at the end,
  // for eight problems per thread.
  const std::size_t weights = (2 * lanes + problems + 24 * threads) * (dimension + 1);
  return (weights + 2 * rows * lanes + 3 * rows) * sizeof(double);
}

}  // namespace semblance::linear
