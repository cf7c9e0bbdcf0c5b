// SPDX-License-Identifier: MIT
#include "learned_metric/metric_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "semblance/random.hpp"
#include "semblance_numerics/symmetric_eigen.hpp"

namespace semblance::normalizers {

namespace {

constexpr std::array widths = {0.1, 0.3, 1.0, 3.0};
constexpr double usual_penalty = 1e-2;

/// With fewer rows the best of many candidates is often so by chance.
constexpr std::size_t few_rows = 100;

/// The symmetric root of a metric, scaled so that its largest diagonal value is 1; empty if the
/// metric is 0 or not finite.
std::vector<double> root_of(std::vector<double> metric, std::size_t d, bool full) {
  double largest = 0;
  for (std::size_t c = 0; c < d; ++c) largest = std::max(largest, metric[full ? c * d + c : c]);
  if (!(largest > 0) || !std::isfinite(largest)) return {};
  for (double& value : metric) value /= largest;
  if (!full) {
    for (double& value : metric) value = std::sqrt(value);
    return metric;
  }
  const auto eigen = numerics::symmetric_eigen(std::move(metric), d);
  std::vector<double> root(d * d);
  for (std::size_t e = 0; e < d; ++e) {
    if (eigen.values[e] <= 0) continue;
    const double* v = &eigen.vectors[e * d];
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j)
        root[i * d + j] += std::sqrt(eigen.values[e]) * v[i] * v[j];
  }
  return root;
}

/// A step of the recursion.
struct Step {
  std::vector<double> root;
  std::unique_ptr<const KernelMachine> machine;
};

/// The machines of one recursion, one after the other.
class Recursion {
 public:
  Recursion(const MetricData& data, const MetricSearch& search, Context& context)
      : data_(data), search_(search), context_(context) {}

  /// The machine without a metric, with the best of the widths.
  Step first() {
    Step best{std::vector<double>(data_.cols, 1.0), nullptr};
    for (const double width : widths) {
      const double penalty = best.machine ? best.machine->penalty() : usual_penalty;
      auto machine = std::make_unique<const KernelMachine>(data_, best.root, search_.profile, width,
                                                           penalty, context_);
      if (best.machine && mean_of(machine->errors()) >= mean_of(best.machine->errors())) continue;
      best.machine = std::move(machine);
      width_ = width;
    }
    return best;
  }

  /// The machine in the metric of the last one's gradients; nothing in `machine` where it is
  /// constant.
  Step next(const Step& last, bool full) {
    Step step{root_of(last.machine->gradient_products(full, context_), data_.cols, full), nullptr};
    if (!step.root.empty())
      step.machine = std::make_unique<const KernelMachine>(
          data_, step.root, search_.profile, width_, last.machine->penalty(), context_);
    return step;
  }

  /// Visits no metric as candidate 0, followed by the rounds of each shape, diagonal first.
  template <class Visit>
  void visit_all(const Visit& visit) {
    const Step start = first();
    visit(std::size_t{0}, start);
    for (const bool full : {false, true}) {
      if (!(full ? search_.full : search_.diagonal)) continue;
      const Step* last = &start;
      Step step;
      for (std::size_t round = 1; round <= search_.rounds; ++round) {
        Step following = next(*last, full);
        if (!following.machine) break;
        step = std::move(following);
        last = &step;
        visit(round + (full ? search_.rounds : 0), step);
      }
    }
  }

 private:
  const MetricData& data_;
  const MetricSearch& search_;
  Context& context_;
  double width_ = 1;
};

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

/// The rows of a fold, or all others.
MetricData part(const MetricData& data, const std::vector<std::size_t>& order, std::size_t fold,
                std::size_t folds, bool held_out) {
  MetricData some{0, data.cols, data.outputs, {}, {}};
  for (std::size_t i = 0; i < data.rows; ++i) {
    if ((i % folds == fold) != held_out) continue;
    const std::size_t row = order[i];
    some.x.insert(some.x.end(), &data.x[row * data.cols], &data.x[(row + 1) * data.cols]);
    some.y.insert(some.y.end(), &data.y[row * data.outputs], &data.y[(row + 1) * data.outputs]);
    ++some.rows;
  }
  return some;
}

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

std::vector<Candidate> by_folds(const MetricData& data, const MetricSearch& search,
                                Context& context) {
  std::vector<Candidate> candidates(1 + 2 * search.rounds);
  const std::vector<std::size_t> order = stratified_order(data, context);
  for (std::size_t fold = 0; fold < search.folds; ++fold) {
    const MetricData training = part(data, order, fold, search.folds, false),
                     held_out = part(data, order, fold, search.folds, true);
    Recursion(training, search, context).visit_all([&](std::size_t i, const Step& step) {
      candidates[i].errors.resize(data.rows);
      const auto errors = step.machine->errors_on(held_out, context);
      for (std::size_t r = 0; r < errors.size(); ++r)
        candidates[i].errors[order[fold + r * search.folds]] = errors[r];
      candidates[i].relevances.push_back(relevance_of(step.root, data.cols));
    });
  }
  for (Candidate& candidate : candidates)
    if (candidate.relevances.size() < search.folds) candidate.errors.clear();
  return candidates;
}

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

/// The metric of the chosen round, learned from all rows; false where a round has no gradient.
bool learn_from_all_rows(const MetricData& data, const MetricSearch& search, LearnedMetric& chosen,
                         Context& context) {
  Recursion recursion(data, search, context);
  Step step = recursion.first();
  for (std::size_t round = 1; round <= chosen.round && step.machine; ++round)
    step = recursion.next(step, chosen.full);
  if (!step.machine) return false;
  chosen.root = step.root;
  chosen.rate = step.machine->rate();
  return true;
}

}  // namespace

LearnedMetric learn_metric(const MetricData& data, const MetricSearch& search, Context& context) {
  const std::vector<Candidate> candidates = by_folds(data, search, context);
  const std::size_t best = best_of(candidates, data.rows < few_rows);
  LearnedMetric found;
  found.unlearned_error = mean_of(candidates[0].errors);
  found.error = mean_of(candidates[best].errors);
  found.full = best > search.rounds;
  found.round = found.full ? best - search.rounds : best;
  if (best > 0) found.deviations = deviations_of(candidates[best].relevances);
  if (!learn_from_all_rows(data, search, found, context)) {
    found = {.error = found.unlearned_error, .unlearned_error = found.unlearned_error};
    learn_from_all_rows(data, search, found, context);
  }
  found.relevance = relevance_of(found.root, data.cols);
  return found;
}

}  // namespace semblance::normalizers
