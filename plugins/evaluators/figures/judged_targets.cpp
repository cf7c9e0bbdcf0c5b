// SPDX-License-Identifier: MIT
#include "figures/judged_targets.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "semblance/row_error.hpp"

namespace semblance::evaluators {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

/// A sum whose rounding error does not grow with the number of terms (Neumaier,
/// Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen, 1974).
class CompensatedSum {
 public:
  void add(double term) noexcept {
    const double next = sum_ + term;
    lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }
  double value() const noexcept { return sum_ + lost_; }

 private:
  double sum_ = 0, lost_ = 0;
};

template <class Term>
double mean(std::span<const std::uint32_t> counts, const Term& term) {
  CompensatedSum sum;
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    sum.add(counts[i] * term(i));
    all += counts[i];
  }
  return sum.value() / static_cast<double>(all);
}

/// The root of the mean of the squares. They are divided by the largest, so that none overflows or
/// vanishes.
template <class Term>
double root_mean_square(std::span<const std::uint32_t> counts, const Term& term) {
  double largest = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) largest = std::max(largest, std::abs(term(i)));
  if (largest == 0) return 0;
  return largest * std::sqrt(mean(counts, [&](std::size_t i) {
           const double share = term(i) / largest;
           return share * share;
         }));
}

std::vector<std::uint32_t> order_of(std::span<const double> values) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return values[i]; });
  return order;
}

/// The place of each value among the distinct ones, and their number.
std::size_t places(std::span<const double> values, std::span<const std::uint32_t> order,
                   std::vector<std::uint32_t>& place) {
  place.resize(values.size());
  std::uint32_t distinct = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k > 0 && values[order[k]] != values[order[k - 1]]) ++distinct;
    place[order[k]] = distinct;
  }
  return std::size_t{distinct} + 1;
}

/// The rank of each place minus the mean of all ranks; equal values have the mean of their ranks.
std::vector<double> centred_ranks(std::span<const std::uint32_t> counts,
                                  std::span<const std::uint32_t> place, std::size_t distinct,
                                  std::uint64_t all) {
  std::vector<double> ranks(distinct);
  for (std::size_t i = 0; i < counts.size(); ++i) ranks[place[i]] += counts[i];
  double before = 0;
  for (double& rank : ranks) {
    const double tied = rank;
    rank = before + (tied - static_cast<double>(all)) / 2;
    before += tied;
  }
  return ranks;
}

/// Numbers of samples by place, with fast sums over the first places (Fenwick, A new data structure
/// for cumulative frequency tables, 1994).
class PlaceCounts {
 public:
  explicit PlaceCounts(std::size_t places) : tree_(places + 1) {}

  void add(std::size_t place, std::uint32_t count) {
    for (std::size_t k = place + 1; k < tree_.size(); k += k & (0 - k)) tree_[k] += count;
  }
  /// The number of samples at places below `place`.
  std::uint64_t below(std::size_t place) const {
    std::uint64_t sum = 0;
    for (std::size_t k = place; k > 0; k &= k - 1) sum += tree_[k];
    return sum;
  }

 private:
  std::vector<std::uint64_t> tree_;
};

void check_numbers(const Results& test) {
  const std::size_t targets = test.target_names.size();
  for (std::size_t k = 0; k < test.targets.size(); ++k)
    if (std::abs(test.targets[k]) > std::numeric_limits<float>::max())
      throw RowError(RowError::Of::test, k / targets,
                     "'" + test.target_names[k % targets] + "' of ",
                     " (counted from 0) is beyond the range of float32, in which estimates are; "
                     "scale it");
}

double mean_of_training(const Results& test, std::size_t t) {
  const std::size_t targets = test.target_names.size(),
                    rows = test.training_targets.size() / targets;
  if (rows == 0) return std::numeric_limits<double>::quiet_NaN();
  // A common offset of the numbers costs no digits.
  const double first = test.training_targets[t];
  double sum = 0;
  for (std::size_t i = 0; i < rows; ++i) sum += test.training_targets[i * targets + t] - first;
  return first + sum / static_cast<double>(rows);
}

/// Nothing if no test sample's number is known.
std::optional<JudgedTarget> judged_target(const Results& test, std::size_t t) {
  const std::size_t targets = test.target_names.size();
  const std::size_t place = test.type == PortType::intervals ? 3 * t + 1 : t;
  std::vector<std::size_t> rows;
  std::vector<double> truth, estimates;
  for (std::size_t i = 0; i < test.outputs.rows; ++i) {
    const double number = test.targets[i * targets + t];
    if (std::isnan(number)) continue;
    rows.push_back(i);
    truth.push_back(number);
    estimates.push_back(double{test.outputs.row_span(i)[place]});
  }
  if (rows.empty()) return std::nullopt;
  ComparedNumbers numbers(truth, estimates);
  const EstimateFigures figures = numbers.figures();
  const double mean = mean_of_training(test, t);
  const double baseline = std::isnan(mean) ? mean : numbers.rmse_of(mean);
  return JudgedTarget{t,       test.target_names[t], std::move(rows), std::move(numbers), figures,
                      baseline};
}

}  // namespace

ComparedNumbers::ComparedNumbers(std::span<const double> truth, std::span<const double> estimates) {
  by_truth_ = order_of(truth);
  centre_ = truth[by_truth_[truth.size() / 2]];
  std::vector<double> sizes;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    truth_.push_back(truth[i] - centre_);
    errors_.push_back(estimates[i] - truth[i]);
    sizes.push_back(std::abs(errors_[i]));
  }
  by_error_ = order_of(sizes);
  truths_ = places(truth, by_truth_, truth_place_);
  estimates_ = places(estimates, order_of(estimates), estimate_place_);
}

EstimateFigures ComparedNumbers::figures() const {
  return figures(std::vector<std::uint32_t>(size(), 1));
}

EstimateFigures ComparedNumbers::figures(std::span<const std::uint32_t> counts) const {
  const std::uint64_t all = std::reduce(counts.begin(), counts.end(), std::uint64_t{0});
  EstimateFigures none;
  none.fill(undefined);
  if (all == 0) return none;
  const double rmse = root_mean_square(counts, [&](std::size_t i) { return errors_[i]; });
  return {rmse,
          mean(counts, [&](std::size_t i) { return std::abs(errors_[i]); }),
          median_absolute_error(counts, all),
          mean(counts, [&](std::size_t i) { return errors_[i]; }),
          r2(counts, rmse),
          spearman(counts, all),
          c_index(counts)};
}

double ComparedNumbers::rmse_of(double number) const {
  const std::vector<std::uint32_t> once(size(), 1);
  return root_mean_square(once, [&](std::size_t i) { return truth_[i] - (number - centre_); });
}

double ComparedNumbers::r2(std::span<const std::uint32_t> counts, double rmse) const {
  // The differences of equal numbers from their mean may be rounding errors instead of 0.
  const auto counted = [&](std::uint32_t i) { return counts[i] > 0; };
  const auto least = std::ranges::find_if(by_truth_, counted);
  const auto largest = std::find_if(by_truth_.rbegin(), by_truth_.rend(), counted);
  if (truth_place_[*least] == truth_place_[*largest]) return undefined;
  const double mean_truth = mean(counts, [&](std::size_t i) { return truth_[i]; });
  const double deviation =
      root_mean_square(counts, [&](std::size_t i) { return truth_[i] - mean_truth; });
  const double ratio = rmse / deviation;
  return 1 - ratio * ratio;
}

double ComparedNumbers::median_absolute_error(std::span<const std::uint32_t> counts,
                                              std::uint64_t all) const {
  std::uint64_t passed = 0;
  double lower = 0;
  bool found = false;
  for (const std::uint32_t i : by_error_) {
    passed += counts[i];
    if (!found && passed > (all - 1) / 2) {
      lower = std::abs(errors_[i]);
      found = true;
    }
    if (passed > all / 2) return lower + (std::abs(errors_[i]) - lower) / 2;
  }
  return undefined;
}

double ComparedNumbers::spearman(std::span<const std::uint32_t> counts, std::uint64_t all) const {
  const auto truth = centred_ranks(counts, truth_place_, truths_, all);
  const auto estimates = centred_ranks(counts, estimate_place_, estimates_, all);
  CompensatedSum both, of_truth, of_estimates;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double t = truth[truth_place_[i]], e = estimates[estimate_place_[i]];
    both.add(counts[i] * t * e);
    of_truth.add(counts[i] * t * t);
    of_estimates.add(counts[i] * e * e);
  }
  if (of_truth.value() == 0 || of_estimates.value() == 0) return undefined;
  return std::clamp(both.value() / std::sqrt(of_truth.value()) / std::sqrt(of_estimates.value()),
                    -1.0, 1.0);
}

double ComparedNumbers::c_index(std::span<const std::uint32_t> counts) const {
  PlaceCounts passed(estimates_);
  std::uint64_t halves = 0, pairs = 0, smaller = 0;
  for (std::size_t first = 0, end = 0; first < by_truth_.size(); first = end) {
    const auto place = truth_place_[by_truth_[first]];
    for (; end < by_truth_.size() && truth_place_[by_truth_[end]] == place; ++end) {
      const std::uint32_t i = by_truth_[end];
      if (counts[i] == 0) continue;
      // Two for each sample with a smaller estimate, one for each with the same.
      const std::size_t at = estimate_place_[i];
      halves += counts[i] * (passed.below(at) + passed.below(at + 1));
      pairs += counts[i] * smaller;
    }
    for (std::size_t k = first; k < end; ++k) {
      const std::uint32_t i = by_truth_[k];
      passed.add(estimate_place_[i], counts[i]);
      smaller += counts[i];
    }
  }
  return pairs == 0 ? undefined : static_cast<double>(halves) / static_cast<double>(pairs) / 2;
}

std::vector<JudgedTarget> judged_targets(const Results& test, Context& context) {
  check_numbers(test);
  std::vector<JudgedTarget> all;
  for (std::size_t t = 0; t < test.target_names.size(); ++t) {
    context.check_stop();
    if (auto target = judged_target(test, t))
      all.push_back(std::move(*target));
    else if (test.target_names.size() > 1)
      context.log(LogLevel::warning, "no test row has a number of '" + test.target_names[t] +
                                         "', so it does not count in the means");
  }
  if (all.empty())
    throw Error("no test row has a number to compare estimates with; give the test rows theirs");
  return all;
}

std::vector<std::size_t> known_samples(const std::vector<JudgedTarget>& targets, std::size_t rows) {
  std::vector<bool> known(rows);
  for (const JudgedTarget& target : targets)
    for (const std::size_t i : target.rows) known[i] = true;
  std::vector<std::size_t> samples;
  for (std::size_t i = 0; i < rows; ++i)
    if (known[i]) samples.push_back(i);
  return samples;
}

EstimateFigures mean_over_targets(const std::vector<EstimateFigures>& all) {
  EstimateFigures mean{};
  for (std::size_t f = 0; f < mean.size(); ++f) {
    std::size_t defined = 0;
    for (const EstimateFigures& one : all) {
      if (std::isnan(one[f])) continue;
      mean[f] += one[f];
      ++defined;
    }
    mean[f] /= static_cast<double>(defined);
  }
  return mean;
}

std::vector<LargestError> largest_errors(const std::vector<JudgedTarget>& targets,
                                         std::size_t rows) {
  std::vector<LargestError> all(rows);
  for (const JudgedTarget& target : targets) {
    const double rmse = target.figures[0];
    if (rmse == 0) continue;
    for (std::size_t k = 0; k < target.rows.size(); ++k) {
      const double error = target.numbers.errors()[k], size = std::abs(error) / rmse;
      if (size > all[target.rows[k]].size)
        all[target.rows[k]] = {target.rows[k], target.index, error, size};
    }
  }
  std::erase_if(all, [](const LargestError& each) { return each.size == 0; });
  std::ranges::stable_sort(all, std::ranges::greater{}, &LargestError::size);
  return all;
}

}  // namespace semblance::evaluators
