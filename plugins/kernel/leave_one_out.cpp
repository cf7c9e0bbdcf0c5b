// SPDX-License-Identifier: MIT
#include "leave_one_out.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "class_problems.hpp"
#include "held_out_values.hpp"
#include "inner_context.hpp"
#include "path_solutions.hpp"
#include "sample_variables.hpp"

namespace semblance::kernel {
namespace {

/// Where a problem starts after the cost of a variable has become 0: at the solution with that
/// variable, changed as little as it takes.
class Start {
 public:
  Start(const ClassProblems& problems, const Opponents& pair, numerics::DualSolution solution)
      : problems_(problems), pair_(pair), solution_(std::move(solution)) {}

  /// Multiplies all coefficients, as far as their costs allow; one that is yet to be removed has
  /// the cost 0.
  void scale(double factor) {
    constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
    for (std::size_t i = 0; i < solution_.coefficients.size(); ++i) {
      double& b = solution_.coefficients[i];
      const double cost = problems_.costs[row(i)], scaled = std::abs(b) * factor;
      const int label = positive(i) ? 1 : -1;
      b = std::copysign(cost == 0 || scaled < cost * (1 - rounding) ? scaled : cost, b);
      solution_.gradients[i] = factor * (solution_.gradients[i] + label) - label;
    }
  }

  /// Sets a variable's coefficient to 0, and moves others by as much in all, those first that
  /// increase the objective least.
  void remove(std::size_t variable) {
    double rest = std::exchange(solution_.coefficients[variable], 0);
    add_row(variable, -rest);
    while (rest != 0) {
      const std::optional<std::size_t> best = best_to_move(rest > 0);
      if (!best) break;
      const double step = std::copysign(std::min(std::abs(rest), room(*best, rest > 0)), rest);
      double& b = solution_.coefficients[*best];
      b = std::abs(step) < std::abs(rest) ? end(*best, rest > 0) : b + step;
      rest -= step;
      add_row(*best, step);
    }
  }

  numerics::DualState state() {
    const double largest_value = solution_.largest_value;
    std::vector<double> gradients = std::move(solution_.gradients);
    numerics::DualState state = numerics::warm_start(solution_, std::move(gradients));
    state.largest_value = largest_value;
    return state;
  }

 private:
  std::size_t row(std::size_t variable) const { return row_of(problems_, pair_, variable); }

  bool positive(std::size_t variable) const {
    const auto range = problems_.rows(static_cast<std::size_t>(pair_.positive));
    return row(variable) - range.first < range.count;
  }

  /// The largest value of a coefficient, or the smallest.
  double end(std::size_t variable, bool up) const {
    const double cost = problems_.costs[row(variable)];
    return positive(variable) == up ? (up ? cost : -cost) : 0;
  }

  double room(std::size_t variable, bool up) const {
    return std::abs(end(variable, up) - solution_.coefficients[variable]);
  }

  std::optional<std::size_t> best_to_move(bool up) const {
    std::optional<std::size_t> best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < solution_.gradients.size(); ++i) {
      const double slope = up ? solution_.gradients[i] : -solution_.gradients[i];
      if (slope >= least || room(i, up) == 0) continue;
      least = slope;
      best = i;
    }
    return best;
  }

  void add_row(std::size_t variable, double change) {
    const auto of = static_cast<std::uint32_t>(row(variable));
    FloatMatrix values(1, problems_.starts.back());
    problems_.source.compute({&of, 1}, 0, values.view());
    for (std::size_t i = 0; i < solution_.gradients.size(); ++i)
      solution_.gradients[i] += change * double{values.values[row(i)]};
    solution_.largest_value = std::max(solution_.largest_value, double{values.values[of]});
  }

  const ClassProblems& problems_;
  const Opponents& pair_;
  numerics::DualSolution solution_;
};

/// The leave-one-out errors at one cost.
class LeftOutErrors {
 public:
  LeftOutErrors(const PathSetting& path, double cost, const ClassProblems& problems,
                const Solutions& solutions)
      : path_(path),
        cost_(cost),
        problems_(problems),
        solutions_(solutions),
        close_(2 * path.task.options.tolerance),
        pairs_(opponents(problems.classes(), problems.one_versus_one)),
        variables_(path.training, path.rows, problems) {}

  /// The weight of the samples that are misclassified when left out.
  double find() {
    decide();
    const std::size_t each =
        comfortable_bytes(problems_.starts, problems_.one_versus_one, path_.task.options.shrinking);
    const std::size_t at_once = std::clamp<std::size_t>(
        path_.bytes / each, 1, std::clamp<std::size_t>(open_.size(), 1, path_.context.threads()));
    std::atomic<std::size_t> next = 0, limits = 0;
    path_.context.parallel_for(at_once, [&](std::size_t) {
      common::InnerContext inner(path_.context, path_.bytes / at_once);
      for (std::size_t k; (k = next++) < open_.size();) {
        if (inner.stop_requested() != StopReason::none) return;
        limits += retrain(open_[k], inner) ? 0U : 1U;
      }
    });
    path_.context.check_stop();
    unconverged_ = limits;
    double sum = 0;
    for (std::size_t place = 0; place < wrong_.size(); ++place)
      if (wrong_[place] != 0) sum += weight(place);
    return sum;
  }

  std::size_t retrained() const noexcept { return open_.size(); }
  std::size_t unconverged() const noexcept { return unconverged_; }

 private:
  double weight(std::size_t place) const {
    return path_.weights.empty() ? 1 : path_.weights[path_.rows.order[place]];
  }

  double coefficient(std::size_t problem, std::size_t place) const {
    return std::abs(variables_.coefficient(solutions_[problem], problem, path_.rows.order[place]));
  }

  /// Decides by the solutions of all samples what they decide.
  void decide() {
    std::vector<std::uint32_t> places(path_.rows.order.size());
    for (std::uint32_t place = 0; place < places.size(); ++place) places[place] = place;
    const std::vector<double> values = held_out_values(path_, problems_, solutions_, places);
    wrong_ = misclassified(path_, problems_, places, values);
    const double gap = pairs_.size() == 1 ? gap_of(solutions_[0]) : 0;
    for (const std::uint32_t place : places) {
      if (weight(place) == 0) continue;
      const auto own = std::span(values).subspan(place * pairs_.size(), pairs_.size());
      // With other weights of all classes, any machine is another one.
      if (path_.task.weights_of)
        open_.push_back(place);
      else if (surely_wrong(place, own, gap))
        wrong_[place] = 1;
      else if (!stays_the_same(place, own))
        open_.push_back(place);
    }
  }

  /// y f(x) in a problem that the sample is part of.
  double margin(std::size_t problem, std::size_t place, std::span<const double> values) const {
    const auto positive = problems_.rows(static_cast<std::size_t>(pairs_[problem].positive));
    return place - positive.first < positive.count ? values[problem] : -values[problem];
  }

  /// By how much the objective of a solution may exceed the least one.
  double gap_of(const numerics::DualSolution& solution) const {
    double gap = 0;
    for (std::size_t i = 0; i < solution.coefficients.size(); ++i) {
      const std::size_t place = row_of(problems_, pairs_[0], i);
      const double above = solution.gradients[i] + solution.bias, b = solution.coefficients[i];
      const bool positive = margin(0, place, std::array{1.0}) > 0;
      gap += b * above + problems_.costs[place] * std::max(0.0, positive ? -above : above);
    }
    return gap;
  }

  bool surely_wrong(std::size_t place, std::span<const double> values, double gap) const {
    return pairs_.size() == 1 &&
           margin(0, place, values) < -std::max(close_, 2 * gap / problems_.costs[place]);
  }

  /// Whether the machine without the sample is the same one, and decides it clearly.
  bool stays_the_same(std::size_t place, std::span<const double> values) const {
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      if (!variables_.of(p, path_.rows.order[place])) continue;
      const bool has_free = solutions_[p].vectors > solutions_[p].bounded;
      if (coefficient(p, place) > 0 || !has_free || std::abs(values[p]) < close_) return false;
    }
    return true;
  }

  /// The costs without a sample.
  std::vector<double> costs_without(std::uint32_t place) const {
    std::vector<double> costs = problems_.costs;
    costs[place] = 0;
    if (!path_.task.weights_of) return costs;
    std::vector<char> trains(costs.size(), 1);
    trains[path_.rows.order[place]] = 0;
    const std::vector<double> weights = path_.task.weights_of(trains);
    for (std::size_t at = 0; at < costs.size(); ++at)
      costs[at] = cost_ * weights[path_.rows.order[at]];
    return costs;
  }

  /// The smallest share of its cost that a sample retains.
  double least_growth(const std::vector<double>& costs, std::uint32_t without) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t at = 0; at < costs.size(); ++at)
      if (at != without && problems_.costs[at] > 0)
        least = std::min(least, costs[at] / problems_.costs[at]);
    return least;
  }

  /// Where a problem starts without a sample: anew, or at the solution with it.
  InitialStates states_without(const ClassProblems& without, std::uint32_t place, bool anew) const {
    const bool all_change = static_cast<bool>(path_.task.weights_of);
    const double growth = all_change ? least_growth(without.costs, place) : 1;
    InitialStates states;
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      const auto variable = variables_.of(p, path_.rows.order[place]);
      if (!variable && !all_change) continue;
      numerics::DualState& state = states[p];
      if (anew || solutions_[p].coefficients.empty()) continue;
      Start start(without, pairs_[p], solutions_[p]);
      if (all_change) start.scale(growth);
      if (variable) start.remove(*variable);
      state = start.state();
    }
    return states;
  }

  bool decides_clearly(std::uint32_t place, std::span<const double> values) const {
    for (std::size_t p = 0; p < pairs_.size(); ++p)
      if (variables_.of(p, path_.rows.order[place]) && std::abs(values[p]) < close_) return false;
    return true;
  }

  /// Trains without a sample. Returns whether that converged.
  bool retrain(std::uint32_t place, Context& inner) {
    try {
      const PathSetting path{path_.task,    path_.training,        path_.rows,
                             path_.weights, inner.memory_budget(), inner};
      ClassProblems without = problems_;
      without.costs = costs_without(place);
      Solutions found;
      std::vector<double> values;
      for (const bool anew : {false, true}) {
        found = solve_again(path, without, states_without(without, place, anew), solutions_);
        inner.check_stop();
        values = held_out_values(path, without, found, {&place, 1});
        if (decides_clearly(place, values)) break;
      }
      wrong_[place] = misclassified(path, without, {&place, 1}, values)[0];
      return !hit_limit(without, found);
    } catch (const Cancelled&) {
      return true;
    }
  }

  const PathSetting& path_;
  const double cost_;
  const ClassProblems& problems_;
  const Solutions& solutions_;
  /// Decision values below this size depend on where a training stops, and on rounding.
  const double close_;
  std::vector<Opponents> pairs_;
  SampleVariables variables_;
  std::vector<char> wrong_;          // by place
  std::vector<std::uint32_t> open_;  // places
  std::size_t unconverged_ = 0;
};

}  // namespace

common::CostChoice choose_cost_leaving_one_out(const MachineTask& task, const TrainingSet& training,
                                               const SortedSamples& rows,
                                               const numerics::KernelSource& source,
                                               std::size_t bytes, Context& context) {
  const PathSetting path{task, training, rows, task.weights, bytes, context};
  ClassProblems problems{source, rows.starts, {}, task.one_versus_one};
  common::CostChoice choice{task.costs, {}, 0, 0, 0, !task.weights.empty()};
  common::HeldOutErrors sums{{}, 0};
  for (std::size_t row = 0; row < rows.order.size(); ++row)
    sums.total += task.weights.empty() ? 1 : task.weights[row];
  try {
    solve_path(path, problems, [&](std::size_t cost, const Solutions& solutions) {
      context.check_stop();
      LeftOutErrors errors(path, task.costs[cost], problems, solutions);
      sums.wrong.push_back(errors.find());
      choice.trainings += 1 + errors.retrained();
      choice.unconverged += errors.unconverged() + (hit_limit(problems, solutions) ? 1 : 0);
      context.progress(static_cast<double>(cost + 1), static_cast<double>(task.costs.size() + 1));
    });
  } catch (const Cancelled&) {
    if (sums.wrong.empty()) return choice;
    choice.costs.resize(sums.wrong.size());
  }
  common::choose(sums, choice);
  return choice;
}

}  // namespace semblance::kernel
