// SPDX-License-Identifier: MIT
#include "sparse/dual_descent.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "semblance/random.hpp"
#include "sparse/problem_group.hpp"
#include "sparse/projected_newton.hpp"

namespace semblance::linear {
namespace {

/// Passes before the first evaluation of the objectives, and the increase before each next one: an
/// evaluation takes about as long as a pass. With classes, passes show when one is due.
constexpr std::size_t first_evaluation = 4;
constexpr std::size_t passes_between_evaluations = 4;

/// Descent of a regression continues only if the gap shrinks at least to this share between
/// evaluations.
constexpr double least_gain = 0.9;

/// The largest number of passes of `problems` problems together that is no more work than projected
/// Newton methods (projected_newton.hpp) do, each about 60 passes of one problem: on words, 20
/// problems together cost as much as four.
double worthwhile_passes(std::size_t problems) {
  const auto n = static_cast<double>(problems);
  return 60 * n / (1 + n / 6);
}

/// Passes between the gaps that show how fast a problem converges.
constexpr std::size_t passes_of_rate = 4;

constexpr auto with_newton_steps = ", with projected Newton steps";  // for the log

/// T: the precision of weights during passes.
template <class T>
class Descent {
 public:
  Descent(const LinearTask& task, const SparseTask& samples, TryPrimal primal, Context& context)
      : task_(samples),
        primal_(std::move(primal)),
        context_(context),
        n_(task.problems()),
        numbers_(samples.numbers()) {
    if (n_ == 1 && !numbers_) {
      apart_[0] = std::vector<double>(task_.rows());
      return;
    }
    std::vector<std::size_t> all(n_);
    std::iota(all.begin(), all.end(), std::size_t{0});
    group(all);
  }

  /// At the last cost, problems leave their groups when they are done; at other costs they continue
  /// from there.
  Solution solve(double cost, bool last_cost) {
    start(cost);
    drops_ = last_cost;
    if (!descend(cost)) return end(cost, stop_certificate(context_));
    const Certificate apart = solve_apart(cost);
    return end(cost, live_.empty() ? apart : std::max(apart, Certificate::iteration_limit));
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
    result_.start_norms.assign(n_, 0.0);
    for (std::size_t i = 0; i < task_.rows(); ++i)
      for (std::size_t c = 0; c < n_; ++c)
        result_.outcomes[c].primal += task_.row_weight(i) * task_.loss(i, c, 0);
    for (Outcome& outcome : result_.outcomes) outcome.primal *= cost;
    evaluated_ = false;
    worst_ = std::numeric_limits<double>::infinity();
    seen_.assign(n_, std::vector<double>());
    if (started_)
      for (const auto& group : groups_) group->change_cost();
    started_ = true;
    live_.clear();
    for (std::size_t c = 0; c < n_; ++c)
      if (!apart_.contains(c)) live_.push_back(c);
  }

  /// Passes until all problems are done or slow. False if a stop was requested.
  bool descend(double cost) {
    std::size_t next_evaluation = first_evaluation, evaluated = 0;
    while (!live_.empty()) {
      if (!pass(cost)) return false;
      const bool last = ++result_.iterations >= task_.task().max_iterations;
      if (!numbers_) set_slow_apart();
      if (live_.empty()) break;
      const bool due = numbers_ || !seen_is_known() ? result_.iterations >= next_evaluation
                                                    : result_.iterations > evaluated + 1 && ready();
      if (!due && !last) continue;
      if (!evaluate(cost)) return false;
      evaluated = result_.iterations;
      next_evaluation += std::max(passes_between_evaluations, result_.iterations / 4);
      if (last || (numbers_ && !live_.empty() && slows_down())) break;
    }
    return true;
  }

  typename ProblemGroup<T>::Value seen(std::size_t c) const {
    return groups_[places_.at(c).group]->seen(places_.at(c).lane);
  }
  static double gap(const typename ProblemGroup<T>::Value& value) {
    return value.primal - value.dual;
  }
  /// Whether the objectives that passes met are known: not before the first evaluation at another
  /// cost.
  bool seen_is_known() const { return std::isfinite(gap(seen(live_.front()))); }
  double wanted(std::size_t c) const { return task_.task().tolerance * seen(c).primal; }

  /// Whether half of the problems seem to be done.
  bool ready() const {
    const auto done =
        std::ranges::count_if(live_, [&](std::size_t c) { return gap(seen(c)) <= wanted(c); });
    return 2 * static_cast<std::size_t>(done) >= live_.size();
  }

  /// Takes problems out of the passes that converge slowly.
  void set_slow_apart() {
    const double most = worthwhile_passes(live_.size());
    std::vector<std::size_t> slow;
    for (const std::size_t c : live_) {
      seen_[c].push_back(gap(seen(c)));
      if (seen_[c].size() <= 2 * passes_of_rate) continue;
      const double now = seen_[c].back(), before = seen_[c][seen_[c].size() - 1 - passes_of_rate];
      if (!std::isfinite(before) || now <= wanted(c)) continue;
      const double rate = std::log(now / before) / double{passes_of_rate};
      const double left = std::log(wanted(c) / now) / rate;
      if (!(rate < 0) || left + static_cast<double>(seen_[c].size()) > most) slow.push_back(c);
    }
    if (slow.empty()) return;
    for (const std::size_t c : slow)
      apart_[c] = groups_[places_[c].group]->variables(places_[c].lane);
    std::erase_if(live_, [&](std::size_t c) { return apart_.contains(c); });
    regroup();
  }

  /// Solves the problems that are not in groups.
  Certificate solve_apart(double cost) {
    std::vector<std::size_t> problems;
    for (const auto& [c, variables] : apart_) problems.push_back(c);
    if (!primal_ || problems.empty())
      return solve_one_by_one(cost, problems, with_newton_steps,
                              [](std::size_t, ProjectedNewton& problem, auto& variables) {
                                return problem.solve(variables);
                              });
    const Certificate begun = solve_one_by_one(
        cost, problems, "", [&](std::size_t, ProjectedNewton& problem, auto& variables) {
          return problem.begin(variables, n_ == 1);
        });
    if (begun != Certificate::iteration_limit) return begun;
    gradient_norms(cost);
    const std::vector<Outcome> before = result_.outcomes;
    result_ = primal_(cost, std::move(result_));
    if (result_.certificate != Certificate::iteration_limit) return result_.certificate;
    result_.stalled.clear();
    for (std::size_t c = 0; c < n_; ++c)
      result_.outcomes[c].dual = std::max(result_.outcomes[c].dual, before[c].dual);
    std::erase_if(problems, [&](std::size_t c) {
      return proved(result_.outcomes[c], task_.task().tolerance);
    });
    const Vectors<double>& weights = result_.weights;  // until all are solved
    return solve_one_by_one(cost, problems, with_newton_steps,
                            [&](std::size_t c, ProjectedNewton& problem, auto& variables) {
                              return problem.solve_from(std::span(weights.row(c), weights.cols()),
                                                        variables);
                            });
  }

  /// `how`: for the log.
  template <class Solve>
  Certificate solve_one_by_one(double cost, const std::vector<std::size_t>& problems,
                               const std::string& how, const Solve& solve) {
    if (problems.empty()) return Certificate::converged;
    std::vector<typename ProjectedNewton::Result> results(problems.size());
    const std::size_t threads = std::max<std::size_t>(context_.threads(), 1);
    const std::size_t before = result_.iterations;
    const std::size_t tasks = (threads + problems.size() - 1) / problems.size();
    context_.parallel_for(problems.size(), [&](std::size_t i) {
      ProjectedNewton problem(task_, problems[i], cost, tasks, context_);
      if (problems.size() == 1)
        problem.after_evaluations([&](const ProjectedNewton::Result& at) {
          result_.outcomes[problems[i]] = at.outcome;
          result_.iterations = at.passes + before;
          record(1, how);
        });
      results[i] = solve(problems[i], problem, apart_.at(problems[i]));
    });
    Certificate certificate = Certificate::converged;
    for (std::size_t i = 0; i < problems.size(); ++i) {
      result_.outcomes[problems[i]] = results[i].outcome;
      std::ranges::copy(results[i].weights, result_.weights.row(problems[i]));
      result_.sweeps +=
          results[i].rows_read / static_cast<double>(std::max<std::size_t>(task_.rows(), 1));
      result_.iterations = std::max(result_.iterations, before + results[i].passes);
      certificate = std::max(certificate, results[i].certificate);
    }
    if (problems.size() > 1) record(problems.size(), how);
    return certificate;
  }

  void record(std::size_t problems, const std::string& how) {
    result_.record(task_.task().tolerance, "pass", problems, context_, how);
  }

  /// Makes one group per thread, or more if groups would be too wide. A problem's result does not
  /// depend on its group.
  void group(const std::vector<std::size_t>& problems) {
    const std::size_t count = problems.size();
    const std::size_t threads = std::max<std::size_t>(context_.threads(), 1);
    const std::size_t wanted =
        std::max(std::min(threads, count), (count + most_lanes - 1) / most_lanes);
    std::vector<std::unique_ptr<ProblemGroup<T>>> groups;
    std::map<std::size_t, Place> places;
    for (std::size_t g = 0; g < wanted; ++g) {
      const std::vector<std::size_t> own(
          problems.begin() + static_cast<std::ptrdiff_t>(count * g / wanted),
          problems.begin() + static_cast<std::ptrdiff_t>(count * (g + 1) / wanted));
      groups.push_back(std::make_unique<ProblemGroup<T>>(task_, own));
      for (std::size_t lane = 0; lane < own.size(); ++lane) {
        places[own[lane]] = {groups.size() - 1, lane};
        if (groups_.empty()) continue;
        const Place before = places_.at(own[lane]);
        groups.back()->take(lane, *groups_[before.group], before.lane);
      }
    }
    groups_ = std::move(groups);
    places_ = std::move(places);
  }

  void regroup() {
    std::vector<std::size_t> kept = live_;
    if (!drops_) {
      kept.clear();
      for (const auto& [c, place] : places_)
        if (!apart_.contains(c)) kept.push_back(c);
    }
    // Moving them takes about as long as a pass.
    if (kept.size() * 4 <= places_.size() * 3) group(kept);
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
    return for_groups([&](ProblemGroup<T>& group) { return group.pass(cost, rows, context_); });
  }

  bool for_groups(const std::function<bool(ProblemGroup<T>&)>& body) {
    std::atomic<bool> complete{true};
    context_.parallel_for(groups_.size(), [&](std::size_t g) {
      if (!body(*groups_[g])) complete = false;
    });
    return complete;
  }

  /// Evaluates the problems, stores better solutions, and drops the problems that are done.
  bool evaluate(double cost) {
    std::vector<std::vector<typename ProblemGroup<T>::Value>> values(groups_.size());
    if (!for_groups([&](ProblemGroup<T>& group) {
          const auto own =
              std::ranges::find(groups_, &group, &std::unique_ptr<ProblemGroup<T>>::get);
          return group.evaluate(cost, values[static_cast<std::size_t>(own - groups_.begin())],
                                context_);
        }))
      return false;
    result_.sweeps += 1;
    for (const std::size_t c : live_) accept(c, values[places_[c].group][places_[c].lane]);
    for (const auto& group : groups_) group->forget_evaluation();
    evaluated_ = true;
    result_.record(task_.task().tolerance, "pass", live_.size(), context_);
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

  void accept(std::size_t c, const typename ProblemGroup<T>::Value& value) {
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

  const SparseTask& task_;
  TryPrimal primal_;
  Context& context_;
  std::size_t n_;
  bool numbers_;
  Random random_{1};
  std::vector<std::unique_ptr<ProblemGroup<T>>> groups_;
  std::map<std::size_t, Place> places_;
  std::map<std::size_t, std::vector<double>>
      apart_;                              // variables of problems that are not in groups
  std::vector<std::vector<double>> seen_;  // gaps at this cost
  std::vector<std::size_t> live_;
  bool drops_ = false;
  double worst_ = std::numeric_limits<double>::infinity();  // relative gap at the last evaluation
  bool evaluated_ = false;
  bool started_ = false;
  Solution result_;
};

}  // namespace

std::vector<Solution> descend_dual(const LinearTask& task, Context& context, TryPrimal primal) {
  const SparseTask samples(task, context);
  const auto along_path = [&](auto descent) {
    std::vector<Solution> solutions;
    solutions.reserve(task.costs.size());
    for (const double cost : task.costs)
      solutions.push_back(descent.solve(cost, cost == task.costs.back()));
    return solutions;
  };
  // Errors of classes count squared, those of a regression may be larger than its losses.
  if (samples.numbers() || !samples.fits_float())
    return along_path(Descent<double>(task, samples, primal, context));
  return along_path(Descent<float>(task, samples, primal, context));
}

std::size_t descent_bytes(std::size_t rows, std::size_t dimension, std::size_t problems,
                          std::size_t threads) noexcept {
  const std::size_t lanes = problems + (problems > 1 ? lane_step * std::min(threads, problems) : 0);
  // Twice the weights at evaluations, and while problems move between groups; the solution.
  // Besides, the gradients at the end, for eight problems per thread, or problems that are solved
  // alone.
  const std::size_t weights = (2 * lanes + problems) * (dimension + 1);
  const std::size_t gradients = 24 * threads * (dimension + 1) * sizeof(double);
  const std::size_t alone = std::min(threads, problems) * ProjectedNewton::bytes(rows, dimension);
  return (weights + (2 * lanes + problems + 3) * rows) * sizeof(double) +
         std::max(gradients, alone);
}

}  // namespace semblance::linear
