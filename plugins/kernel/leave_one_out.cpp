// SPDX-License-Identifier: MIT
#include "leave_one_out.hpp"

#include <algorithm>
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
  /// `largest_value`: of a sample with itself.
  LeftOutErrors(const PathSetting& path, const ClassProblems& problems, const Solutions& solutions,
                double largest_value)
      : path_(path),
        problems_(problems),
        solutions_(solutions),
        largest_value_(largest_value),
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
    for (const numerics::DualSolution& solution : solutions_)
      free_.push_back(has_free(solution) ? 1 : 0);
    for (const std::uint32_t place : places) {
      if (weight(place) == 0 || has_no_coefficient(place)) continue;
      const auto own = std::span(values).subspan(place * pairs_.size(), pairs_.size());
      if (surely_wrong(place, own))
        wrong_[place] = 1;
      else if (surely_right(place, own))
        wrong_[place] = 0;
      else
        open_.push_back(place);
    }
  }

  bool has_no_coefficient(std::size_t place) const {
    for (std::size_t p = 0; p < pairs_.size(); ++p)
      if (coefficient(p, place) > 0) return false;
    return true;
  }

  /// Whether a problem's bias is determined.
  bool has_free(const numerics::DualSolution& solution) const {
    return solution.vectors > solution.bounded;
  }

  /// y f(x) in a problem that the sample is part of.
  double margin(std::size_t problem, std::size_t place, std::span<const double> values) const {
    const auto positive = problems_.rows(static_cast<std::size_t>(pairs_[problem].positive));
    return place - positive.first < positive.count ? values[problem] : -values[problem];
  }

  bool surely_wrong(std::size_t place, std::span<const double> values) const {
    return pairs_.size() == 1 && margin(0, place, values) < -path_.task.options.tolerance;
  }

  bool surely_right(std::size_t place, std::span<const double> values) const {
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      if (!variables_.of(p, path_.rows.order[place])) continue;
      const double y_f = margin(p, place, values), alpha = coefficient(p, place);
      const double used =
          alpha > 0 ? 2 * alpha * (2 * largest_value_) + std::max(0.0, 1 - y_f) : 1 - y_f;
      if (used >= 1 - path_.task.options.tolerance || (alpha > 0 && !free_[p])) return false;
    }
    return !alone_on_a_side(place);
  }

  /// Whether a class has no other sample that counts.
  bool alone_on_a_side(std::size_t place) const {
    for (std::size_t c = 0; c < problems_.classes(); ++c) {
      const numerics::Range range = problems_.rows(c);
      if (place - range.first >= range.count) continue;
      std::size_t others = 0;
      for (std::size_t i = range.first; i < range.first + range.count; ++i)
        others += i != place && problems_.costs[i] > 0;
      return others == 0;
    }
    return false;
  }

  /// Trains without a sample. Returns whether that converged.
  bool retrain(std::uint32_t place, Context& inner) {
    try {
      const PathSetting path{path_.task,    path_.training,        path_.rows,
                             path_.weights, inner.memory_budget(), inner};
      ClassProblems without = problems_;
      without.costs[place] = 0;
      InitialStates states;
      for (std::size_t p = 0; p < pairs_.size(); ++p) {
        const auto variable = variables_.of(p, path_.rows.order[place]);
        if (!variable || coefficient(p, place) == 0) continue;
        Start start(without, pairs_[p], solutions_[p]);
        start.remove(*variable);
        states[p] = start.state();
      }
      const Solutions found = solve_again(path, without, std::move(states), solutions_);
      inner.check_stop();
      wrong_[place] = misclassified(path, without, {&place, 1},
                                    held_out_values(path, without, found, {&place, 1}))[0];
      return !hit_limit(without, found);
    } catch (const Cancelled&) {
      return true;
    }
  }

  const PathSetting& path_;
  const ClassProblems& problems_;
  const Solutions& solutions_;
  const double largest_value_;
  std::vector<Opponents> pairs_;
  SampleVariables variables_;
  std::vector<char> free_;           // whether a problem has a free variable
  std::vector<char> wrong_;          // by place
  std::vector<std::uint32_t> open_;  // places
  std::size_t unconverged_ = 0;
};

double largest_diagonal_value(const ClassProblems& problems, Context& context) {
  double largest = 0;
  FloatMatrix value(1, 1);
  for (std::uint32_t place = 0; place < problems.starts.back(); ++place) {
    if (place % 256 == 0) context.check_stop();
    problems.source.compute({&place, 1}, place, value.view());
    largest = std::max(largest, double{value.values[0]});
  }
  return largest;
}

}  // namespace

common::CostChoice choose_cost_leaving_one_out(const MachineTask& task, const TrainingSet& training,
                                               const SortedSamples& rows,
                                               const numerics::KernelSource& source,
                                               std::size_t bytes, Context& context) {
  const PathSetting path{task, training, rows, task.weights, bytes, context};
  ClassProblems problems{source, rows.starts, {}, task.one_versus_one, {}, false};
  common::CostChoice choice{task.costs, {}, 0, 0, 0};
  common::HeldOutErrors sums{{}, 0};
  for (std::size_t row = 0; row < rows.order.size(); ++row)
    sums.total += task.weights.empty() ? 1 : task.weights[row];
  try {
    const double largest_value = largest_diagonal_value(problems, context);
    solve_path(path, problems, [&](std::size_t cost, const Solutions& solutions) {
      context.check_stop();
      LeftOutErrors errors(path, problems, solutions, largest_value);
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
