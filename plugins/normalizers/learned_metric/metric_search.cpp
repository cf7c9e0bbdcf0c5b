// SPDX-License-Identifier: MIT
#include "learned_metric/metric_search.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "learned_metric/metric_recursion.hpp"
#include "semblance/random.hpp"

namespace semblance::normalizers {

namespace {

/// So many rounds in a row without a lower error end a recursion.
constexpr std::size_t patience = 2;

/// With fewer rows the best of many candidates is often so by chance.
constexpr std::size_t few_rows = 100;

/// A round whose error is a fifth lower than that of a later one shows that the later one
/// collapsed.
constexpr double collapse = 0.8;

std::vector<double> relevance_of(const std::vector<double>& root, std::size_t d) {
  std::vector<double> relevance(d);
  for (std::size_t c = 0; c < d; ++c)
    if (root.size() == d)
      relevance[c] = root[c] * root[c];
    else
      for (std::size_t j = 0; j < d; ++j) relevance[c] += root[c * d + j] * root[c * d + j];
  const double sum = std::accumulate(relevance.begin(), relevance.end(), 0.0);
  for (double& value : relevance) value /= sum;
  return relevance;
}

/// What is known of a candidate.
struct Candidate {
  std::vector<double> errors;                   ///< one per row; empty: there is none
  std::vector<std::vector<double>> relevances;  ///< of each fold
};

/// A random order in which equal classes, or similar numbers, are neighbours: dealt out to the
/// folds one by one, they are spread evenly.
std::vector<std::size_t> stratified_order(const MetricData& data, Context& context) {
  std::vector<std::size_t> order(data.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random = context.random();
  random.shuffle(std::span(order));
  const auto target = [&](std::size_t row) {
    return std::span(data.y).subspan(row * data.outputs, data.outputs);
  };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return std::ranges::lexicographical_compare(target(a), target(b));
  });
  return order;
}

/// The recursions of all folds, side by side: they stop together.
class Folds {
 public:
  Folds(const MetricData& data, const MetricSearch& search, Context& context)
      : search_(search), context_(context), rows_(data.rows), held_out_(search.folds) {
    const std::vector<std::size_t> order = stratified_order(data, context);
    for (std::size_t fold = 0; fold < search.folds; ++fold) {
      std::vector<std::size_t> training;
      for (std::size_t i = 0; i < order.size(); ++i)
        (i % search.folds == fold ? held_out_[fold] : training).push_back(order[i]);
      held_out_data_.push_back(rows_of(data, held_out_[fold]));
      recursions_.emplace_back(data, std::move(training), search, context);
    }
  }

  /// No metric as candidate 0, followed by the rounds of each shape, diagonal first. Few rows say
  /// little about all pairs of many columns, but one length per column may hide directions: full
  /// metrics begin at the best diagonal one or at none, whichever gives the better first round.
  std::vector<Candidate> candidates() {
    std::vector<Candidate> all(1 + 2 * search_.rounds);
    all[0] = of_folds([](MetricRecursion& recursion, std::size_t) {
      recursion.first();
      return true;
    });
    lowest_ = mean_of(all[0].errors);
    const auto diagonal = std::span(all).subspan(1, search_.rounds);
    const Steps none = steps();
    Steps best = none;
    if (search_.diagonal) start_ = rounds(diagonal, false, none, best);
    if (!search_.full) return all;
    if (start_ > 0 && first_error(none) < first_error(best)) {
      start_ = 0;
      best = none;
    }
    rounds(std::span(all).last(search_.rounds), true, best, best);
    return all;
  }

  /// The diagonal round at which full ones begin.
  std::size_t start_of_full() const noexcept { return start_; }

 private:
  using Steps = std::vector<MetricRecursion::Step>;  ///< one per fold

  Steps steps() {
    Steps all(search_.folds);
    context_.parallel_for(search_.folds, [&](std::size_t f) { all[f] = recursions_[f].step(); });
    return all;
  }

  /// The error of the first full round.
  double first_error(const Steps& from) {
    const Candidate first =
        of_folds([&](MetricRecursion& r, std::size_t fold) { return r.next(from[fold], true); });
    return first.errors.empty() ? std::numeric_limits<double>::infinity() : mean_of(first.errors);
  }

  /// The rounds of a shape. Returns the best one if it is better than all before, with its steps.
  std::size_t rounds(std::span<Candidate> all, bool full, Steps from, Steps& best) {
    std::size_t found = 0;
    for (std::size_t round = 1; round <= all.size() && round <= found + patience; ++round) {
      Candidate& candidate = all[round - 1];
      candidate = of_folds([&](MetricRecursion& recursion, std::size_t fold) {
        return recursion.next(round == 1 ? from[fold] : recursion.step(), full);
      });
      if (candidate.errors.empty()) break;
      if (mean_of(candidate.errors) >= lowest_) continue;
      lowest_ = mean_of(candidate.errors);
      found = round;
      if (!full) best = steps();
    }
    return found;
  }

  /// Nothing where a fold has no further machine.
  Candidate of_folds(const std::function<bool(MetricRecursion&, std::size_t)>& step) {
    Candidate candidate{std::vector<double>(rows_),
                        std::vector<std::vector<double>>(search_.folds)};
    std::vector<char> made(search_.folds);
    context_.parallel_for(search_.folds, [&](std::size_t fold) {
      MetricRecursion& recursion = recursions_[fold];
      made[fold] = step(recursion, fold) ? 1 : 0;
      if (!made[fold]) return;
      const auto errors = recursion.machine().errors_on(held_out_data_[fold], context_);
      for (std::size_t r = 0; r < errors.size(); ++r)
        candidate.errors[held_out_[fold][r]] = errors[r];
      candidate.relevances[fold] = relevance_of(recursion.root(), held_out_data_[fold].cols);
    });
    return std::ranges::find(made, char{0}) == made.end() ? candidate : Candidate();
  }

  const MetricSearch& search_;
  Context& context_;
  std::size_t rows_, start_ = 0;
  double lowest_ = 0;  ///< error so far
  std::vector<std::vector<std::size_t>> held_out_;
  std::vector<MetricData> held_out_data_;
  std::deque<MetricRecursion> recursions_;  ///< whose machines refer to their rows
};

/// Whether the mean of a - b is below 0 by more than its standard error.
bool clearly_lower(const std::vector<double>& a, const std::vector<double>& b) {
  const double mean = mean_of(a) - mean_of(b);
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i] - mean) * (a[i] - b[i] - mean);
  const auto n = static_cast<double>(a.size());
  return -mean > std::sqrt(squares / (n * std::max(1.0, n - 1)));
}

/// Of few rows no metric unless the best one is clearly better.
std::size_t best_of(const std::vector<Candidate>& candidates, bool few) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    const auto& errors = candidates[i].errors;
    if (!errors.empty() && mean_of(errors) < mean_of(candidates[best].errors)) best = i;
  }
  if (few && best > 0 && !clearly_lower(candidates[best].errors, candidates[0].errors)) return 0;
  return best;
}

std::vector<double> deviations_of(const std::vector<std::vector<double>>& relevances) {
  if (relevances.size() < 2) return {};
  std::vector<double> deviations(relevances.front().size());
  for (std::size_t c = 0; c < deviations.size(); ++c) {
    double sum = 0, squares = 0;
    for (const auto& one : relevances) sum += one[c];
    const double mean = sum / static_cast<double>(relevances.size());
    for (const auto& one : relevances) squares += (one[c] - mean) * (one[c] - mean);
    deviations[c] = std::sqrt(squares / static_cast<double>(relevances.size() - 1));
  }
  return deviations;
}

/// A machine of the recursion on all rows.
struct Round {
  std::size_t candidate = 0;
  std::vector<double> root;
  double rate = 1;
  std::vector<double> errors;  ///< by leave-one-out
};

/// The candidates that lead to `last`, from the one without a metric on; fewer where a round has no
/// gradient.
std::vector<Round> rounds_of_all_rows(const MetricData& data, const MetricSearch& search,
                                      std::size_t last, std::size_t start, Context& context) {
  const std::size_t diagonal = last > search.rounds ? start : last;
  std::vector<std::size_t> rows(data.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  MetricRecursion recursion(data, std::move(rows), search, context);
  recursion.first();
  std::vector<Round> rounds;
  for (std::size_t c = 0;;) {
    const KernelMachine& machine = recursion.machine();
    rounds.push_back({c, recursion.root(), machine.rate(), machine.errors()});
    if (c == last) return rounds;
    const bool full = c >= diagonal;
    if (!recursion.next(recursion.step(), full)) return rounds;
    c = c == diagonal ? search.rounds + 1 : c + 1;
  }
}

/// The last one, unless it collapses: what the folds prefer may fail on all rows. Its error is too
/// low rather than too high, since the metric has seen the rows that are left out, so that an
/// earlier round with a much lower error is better.
std::size_t last_before_collapse(const std::vector<Round>& rounds) {
  std::size_t kept = rounds.size() - 1;
  for (std::size_t earlier = kept; earlier-- > 0;)
    if (mean_of(rounds[earlier].errors) < collapse * mean_of(rounds[kept].errors) &&
        clearly_lower(rounds[earlier].errors, rounds[kept].errors))
      kept = earlier;
  return kept;
}

}  // namespace

LearnedMetric learn_metric(const MetricData& data, const MetricSearch& search, Context& context) {
  std::optional<Folds> folds(std::in_place, data, search, context);
  const std::vector<Candidate> candidates = folds->candidates();
  const std::size_t start = folds->start_of_full();
  folds.reset();  // their memory is needed
  const std::size_t best = best_of(candidates, data.rows < few_rows);
  std::vector<Round> rounds = rounds_of_all_rows(data, search, best, start, context);
  LearnedMetric found;
  found.round = last_before_collapse(rounds);
  Round& taken = rounds[found.round];
  const Candidate& judged = candidates[taken.candidate];
  found.full = taken.candidate > search.rounds;
  found.root = std::move(taken.root);
  found.rate = taken.rate;
  found.unlearned_error = mean_of(candidates[0].errors);
  found.error = mean_of(judged.errors);
  found.relevance = relevance_of(found.root, data.cols);
  if (found.round > 0) found.deviations = deviations_of(judged.relevances);
  return found;
}

}  // namespace semblance::normalizers
