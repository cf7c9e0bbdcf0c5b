// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "classes/cost_path.hpp"
#include "classes/machine_cost_choice.hpp"
#include "inner_context.hpp"

namespace semblance::kernel {
namespace {

/// Where a problem starts after the cost of a variable has become 0: at the solution with that
/// variable, changed as little as it takes.
class Start {
 public:
  Start(const DualSetting& setting, const ClassProblems& problems, std::size_t problem,
        numerics::DualSolution solution)
      : setting_(setting), problems_(problems), problem_(problem), solution_(std::move(solution)) {}

  void scale(double factor) { kernel::scale(problems_, problem_, factor, solution_); }

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

  numerics::DualState state() { return state_at(std::move(solution_)); }

 private:
  /// The largest value of a coefficient, or the smallest.
  double end(std::size_t variable, bool up) const {
    const auto [label, cost, linear] = problems_.variable(problem_, variable);
    return (label > 0) == up ? label * cost : 0;
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
    const auto of = static_cast<std::uint32_t>(problems_.place(problem_, variable));
    FloatMatrix values(1, setting_.samples.order.size());
    setting_.source.compute({&of, 1}, 0, values.view());
    for (std::size_t i = 0; i < solution_.gradients.size(); ++i)
      solution_.gradients[i] += change * double{values.values[problems_.place(problem_, i)]};
    solution_.largest_value = std::max(solution_.largest_value, double{values.values[of]});
  }

  const DualSetting& setting_;
  const ClassProblems& problems_;
  const std::size_t problem_;
  numerics::DualSolution solution_;
};

/// The leave-one-out errors at one cost, and the scores of all samples if `scores` has rows.
class LeftOutErrors {
 public:
  LeftOutErrors(const PathSetting& path, double cost, const ClassProblems& problems,
                const Solutions& solutions, MutableMatrixView scores = {})
      : path_(path),
        cost_(cost),
        problems_(problems),
        solutions_(solutions),
        scores_(scores),
        close_(2 * path.task.options.tolerance) {}

  /// The weight of the samples that are misclassified when left out.
  double find() {
    decide();
    const std::size_t each = comfortable_bytes(problems_);
    Context& context = path_.dual.context;
    const std::size_t bytes = path_.dual.bytes;
    const std::size_t at_once = std::clamp<std::size_t>(
        bytes / each, 1, std::clamp<std::size_t>(open_.size(), 1, context.threads()));
    std::atomic<std::size_t> next = 0, limits = 0;
    context.parallel_for(at_once, [&](std::size_t) {
      common::InnerContext inner(context, bytes / at_once);
      for (std::size_t k; (k = next++) < open_.size();) {
        if (inner.stop_requested() != StopReason::none) return;
        limits += retrain(open_[k], inner) ? 0U : 1U;
      }
    });
    context.check_stop();
    unconverged_ = limits;
    double sum = 0;
    for (std::size_t place = 0; place < wrong_.size(); ++place)
      if (wrong_[place] != 0) sum += weight(place);
    return sum;
  }

  std::size_t retrained() const noexcept { return open_.size(); }
  std::size_t unconverged() const noexcept { return unconverged_; }

 private:
  std::uint32_t row(std::size_t place) const { return path_.dual.samples.order[place]; }
  double weight(std::size_t place) const { return path_.task.weight(row(place)); }

  /// As the machine scores new samples.
  void write_scores(std::uint32_t place, std::span<const double> values) const {
    if (scores_.rows > 0)
      class_scores(problems_.classes(), problems_.one_versus_one(), problems_.pairs(), values,
                   scores_.row_span(row(place)));
  }

  /// Decides by the solutions of all samples what they decide.
  void decide() {
    std::vector<std::uint32_t> places(path_.dual.samples.order.size());
    std::iota(places.begin(), places.end(), 0U);
    const std::vector<double> values = held_out_values(path_.dual, problems_, solutions_, places);
    wrong_ = misclassified(problems_, places, values);
    const double gap = problems_.count() == 1 ? gap_of(solutions_[0]) : 0;
    for (const std::uint32_t place : places) {
      const auto own = std::span(values).subspan(place * problems_.count(), problems_.count());
      write_scores(place, own);
      if (weight(place) == 0) continue;
      // With other weights of all classes, any machine is another one.
      if (path_.task.weights_of)
        open_.push_back(place);
      else if (scores_.rows == 0 && surely_wrong(place, own, gap))
        wrong_[place] = 1;
      else if (!stays_the_same(place, own))
        open_.push_back(place);
    }
  }

  /// By how much the objective of a solution may exceed the least one.
  double gap_of(const numerics::DualSolution& solution) const {
    double gap = 0;
    for (std::size_t i = 0; i < solution.coefficients.size(); ++i) {
      const double above = solution.gradients[i] + solution.bias, b = solution.coefficients[i];
      const auto [label, cost, linear] = problems_.variable(0, i);
      gap += b * above + cost * std::max(0.0, -label * above);
    }
    return gap;
  }

  bool surely_wrong(std::size_t place, std::span<const double> values, double gap) const {
    if (problems_.count() > 1) return false;
    const double margin = problems_.positive(0, place) ? values[0] : -values[0];
    return margin < -std::max(close_, 2 * gap / problems_.costs[place]);
  }

  /// Whether the machine without the sample is the same one, and decides it clearly.
  bool stays_the_same(std::size_t place, std::span<const double> values) const {
    for (std::size_t p = 0; p < problems_.count(); ++p) {
      const auto variable = problems_.variable_of(p, place);
      if (!variable) continue;
      const numerics::DualSolution& s = solutions_[p];
      const bool is_vector = !s.coefficients.empty() && s.coefficients[*variable] != 0;
      if (is_vector || s.vectors <= s.bounded || std::abs(values[p]) < close_) return false;
    }
    return true;
  }

  /// The costs without a sample.
  std::vector<double> costs_without(std::uint32_t place) const {
    std::vector<double> costs = problems_.costs;
    costs[place] = 0;
    if (!path_.task.weights_of) return costs;
    std::vector<char> trains(costs.size(), 1);
    trains[row(place)] = 0;
    const std::vector<double> weights = path_.task.weights_of(trains);
    for (std::size_t at = 0; at < costs.size(); ++at) costs[at] = cost_ * weights[row(at)];
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
    for (std::size_t p = 0; p < problems_.count(); ++p) {
      const auto variable = problems_.variable_of(p, place);
      if (!variable && !all_change) continue;
      numerics::DualState& state = states[p];
      if (anew || solutions_[p].coefficients.empty()) continue;
      Start start(path_.dual, without, p, solutions_[p]);
      if (all_change) start.scale(growth);
      if (variable) start.remove(*variable);
      state = start.state();
    }
    return states;
  }

  bool decides_clearly(std::uint32_t place, std::span<const double> values) const {
    for (std::size_t p = 0; p < problems_.count(); ++p)
      if (problems_.variable_of(p, place) && std::abs(values[p]) < close_) return false;
    return true;
  }

  /// Trains without a sample. Returns whether that converged.
  bool retrain(std::uint32_t place, Context& inner) {
    try {
      const DualSetting setting{path_.task,
                                path_.dual.samples,
                                path_.dual.source,
                                path_.task.options,
                                inner.memory_budget(),
                                inner,
                                false};
      ClassProblems without = problems_;
      without.costs = costs_without(place);
      Solutions found;
      std::vector<double> values;
      for (const bool anew : {false, true}) {
        found = solve(setting, without, states_without(without, place, anew), solutions_);
        inner.check_stop();
        values = held_out_values(setting, without, found, {&place, 1});
        if (decides_clearly(place, values)) break;
      }
      wrong_[place] = misclassified(without, {&place, 1}, values)[0];
      write_scores(place, values);
      return !hit_limit(without, found);
    } catch (const Cancelled&) {
      return true;
    }
  }

  const PathSetting& path_;
  const double cost_;
  const ClassProblems& problems_;
  const Solutions& solutions_;
  const MutableMatrixView scores_;  // by row
  /// Decision values below this size depend on where a training stops, and on rounding.
  const double close_;
  std::vector<char> wrong_;          // by place
  std::vector<std::uint32_t> open_;  // places
  std::size_t unconverged_ = 0;
};

}  // namespace

common::CostChoice choose_cost_leaving_one_out(const MachineTask& task, const SortedSamples& rows,
                                               const numerics::KernelSource& source,
                                               std::size_t bytes, Context& context) {
  const PathSetting path{
      task, task.weights, {task, rows, source, task.options, bytes, context, false}};
  ClassProblems problems(rows.starts, {}, task.one_versus_one);
  common::CostChoice choice{task.costs, {}, 0, 0, 0, !task.weights.empty()};
  common::HeldOutErrors sums{{}, 0};
  for (std::size_t row = 0; row < rows.order.size(); ++row) sums.total += task.weight(row);
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

void score_left_out(const PathSetting& path, double cost, const ClassProblems& problems,
                    const Solutions& solutions, MutableMatrixView scores, Report& report) {
  LeftOutErrors left_out(path, cost, problems, solutions, scores);
  try {
    left_out.find();
  } catch (const Cancelled&) {  // a stop still requires a model
    return;
  }
  report.integer("left_out_trainings", static_cast<std::int64_t>(left_out.retrained()));
  if (const std::size_t limits = left_out.unconverged(); limits > 0)
    path.dual.context.log(LogLevel::warning,
                          std::to_string(limits) +
                              " trainings without a single row ended at 'max_iterations', so that "
                              "the scores of these rows are inexact; raise it, or lower C");
}

}  // namespace semblance::kernel
