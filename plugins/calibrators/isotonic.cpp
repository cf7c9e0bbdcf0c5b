// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "probability_method.hpp"

namespace semblance::calibrators {

namespace {

/// A nondecreasing function: linear between its corners, constant outside of them.
struct Steps {
  std::vector<double> x;  ///< rising
  std::vector<double> y;

  double at(double score) const noexcept {
    if (score <= x.front()) return y.front();
    if (score >= x.back()) return y.back();
    const auto above = static_cast<std::size_t>(std::ranges::upper_bound(x, score) - x.begin());
    const std::size_t below = above - 1;
    const double share = (score - x[below]) / (x[above] - x[below]);
    return y[below] + share * (y[above] - y[below]);
  }
};

/// Samples of adjacent scores with a common value.
struct Pool {
  double low = 0, high = 0;  ///< their least and largest score
  double positives = 0, rows = 0;
  double mean() const noexcept { return positives / rows; }
};

/// One for each distinct score, ascending.
std::vector<Pool> distinct(const Problem& problem) {
  std::vector<std::size_t> order(problem.scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return problem.scores[i]; });
  std::vector<Pool> pools;
  for (const std::size_t i : order) {
    const double score = problem.scores[i];
    if (pools.empty() || pools.back().high != score) pools.push_back({score, score});
    pools.back().rows += problem.weights[i];
    pools.back().positives += problem.positive[i] ? problem.weights[i] : 0;
  }
  return pools;
}

/// The nondecreasing function that is nearest to the targets 0 and 1 in squared distance, by
/// pooling adjacent violators (Ayer et al., 1955). Samples of equal score count as one with their
/// mean. At least one sample.
Steps fit_steps(const Problem& problem) {
  std::vector<Pool> pooled;
  for (Pool next : distinct(problem)) {
    while (!pooled.empty() && pooled.back().mean() >= next.mean()) {
      const Pool& before = pooled.back();
      next = {before.low, next.high, before.positives + next.positives, before.rows + next.rows};
      pooled.pop_back();
    }
    pooled.push_back(next);
  }
  Steps steps;
  for (const Pool& pool : pooled) {
    steps.x.push_back(pool.low);
    steps.y.push_back(pool.mean());
    if (pool.high == pool.low) continue;
    steps.x.push_back(pool.high);
    steps.y.push_back(pool.mean());
  }
  return steps;
}

/// Whether the corners define a nondecreasing function with probabilities as values.
bool is_sound(const Steps& steps) {
  const auto finite = [](double v) { return std::isfinite(v); };
  const auto falls = [](double a, double b) { return a >= b; };
  return !steps.x.empty() && std::ranges::all_of(steps.x, finite) &&
         std::ranges::adjacent_find(steps.x, falls) == steps.x.end() &&
         std::ranges::all_of(steps.y, [](double p) { return p >= 0 && p <= 1; }) &&
         std::ranges::is_sorted(steps.y);
}

/// Steps::at() as a formula: the sum of the increases of all pieces.
Formula::Value steps_at(Formula& formula, const Steps& steps, Formula::Value score) {
  const auto start = formula.number(steps.y.front(), score);
  if (steps.x.size() == 1) return start;
  std::vector<double> slopes;
  for (std::size_t i = 0; i + 1 < steps.x.size(); ++i)
    slopes.push_back((steps.y[i + 1] - steps.y[i]) / (steps.x[i + 1] - steps.x[i]));
  const std::span<const double> corners(steps.x);
  const auto low = formula.constant(corners.first(slopes.size()));
  const auto high = formula.constant(corners.last(slopes.size()));
  const auto within = formula.minimum(formula.maximum(score, low), high);
  const auto risen = formula.multiply(formula.subtract(within, low),
                                      formula.constant(std::span<const double>(slopes)));
  return formula.add(start, formula.sum(risen));
}

/// Each problem's function of its score.
class Isotonic final : public ProbabilityMethod {
 public:
  void learn(const HeldOutScores& held_out, Report& report, Context& context) override {
    const std::size_t count = held_out.classes.size();
    Table table{"pools", "class", "", {}, {"corners"}, {}};
    steps_.clear();
    for (std::size_t p = 0; p < problem_count(count); ++p) {
      context.check_stop();
      steps_.push_back(fit_steps(problem_of(held_out, p)));
      table.rows.push_back(held_out.classes[class_of_problem(p, count)]);
      table.values.push_back(static_cast<double>(steps_.back().x.size()));
    }
    report.table(table);
  }

  void map(std::span<const float> scores, std::span<float> probabilities) const override {
    if (scores.size() == 2) {
      const double p = steps_[0].at(problem_score(scores, 0));
      probabilities[0] = static_cast<float>(1 - p);
      probabilities[1] = static_cast<float>(p);
      return;
    }
    thread_local std::vector<double> shares;
    shares.resize(scores.size());
    for (std::size_t c = 0; c < shares.size(); ++c)
      shares[c] = steps_[c].at(problem_score(scores, c));
    normalize(shares, probabilities);
  }

  Formula::Value write(Formula& formula, Formula::Value in) const override {
    const auto scores = problem_scores(formula, in);
    std::vector<Formula::Value> shares;
    for (std::size_t p = 0; p < steps_.size(); ++p)
      shares.push_back(steps_at(formula, steps_[p], formula.gather(scores, {p})));
    if (formula.width(in) != 2) return normalized(formula, formula.concatenate(shares));
    const Formula::Value both[] = {formula.subtract(formula.number(1, shares[0]), shares[0]),
                                   shares[0]};
    return formula.narrow(formula.concatenate(both));
  }

  void save(StateWriter& state) const override {
    std::vector<std::int64_t> corners;
    std::vector<double> x, y;
    for (const Steps& steps : steps_) {
      corners.push_back(static_cast<std::int64_t>(steps.x.size()));
      x.insert(x.end(), steps.x.begin(), steps.x.end());
      y.insert(y.end(), steps.y.begin(), steps.y.end());
    }
    state.integers("corners", corners);
    state.doubles("scores", x);
    state.doubles("probabilities", y);
  }

  void load(const StateReader& state, std::size_t classes) override {
    const auto corners = state.integers("corners");
    const auto x = state.doubles("scores"), y = state.doubles("probabilities");
    const Error refusal("the state has no function that never falls for each of " +
                        std::to_string(classes) + " classes");
    if (corners.size() != problem_count(classes) || x.size() != y.size()) throw refusal;
    std::vector<Steps> steps;
    std::size_t first = 0;
    for (const std::int64_t count : corners) {
      if (count < 1 || static_cast<std::size_t>(count) > x.size() - first) throw refusal;
      const auto from = static_cast<std::ptrdiff_t>(first), to = from + count;
      steps.push_back({{x.begin() + from, x.begin() + to}, {y.begin() + from, y.begin() + to}});
      if (!is_sound(steps.back())) throw refusal;
      first += static_cast<std::size_t>(count);
    }
    if (first != x.size()) throw refusal;
    steps_ = std::move(steps);
  }

 private:
  std::vector<Steps> steps_;  ///< one per problem
};

}  // namespace

std::unique_ptr<ProbabilityMethod> make_isotonic() { return std::make_unique<Isotonic>(); }

}  // namespace semblance::calibrators
