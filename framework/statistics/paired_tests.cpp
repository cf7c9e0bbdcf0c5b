// SPDX-License-Identifier: MIT
#include "statistics/paired_tests.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "statistics/summary.hpp"

namespace semblance::statistics {

namespace {

/// The means of the trainings, and those of the samples.
struct Means {
  std::vector<double> trainings;
  std::vector<double> rows;
};

Means means_of(std::span<const std::vector<double>> differences) {
  Means means;
  std::vector<double> rows(differences.front().size());
  for (const auto& training : differences) {
    double sum = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      sum += training[r];
      rows[r] += training[r];
    }
    means.trainings.push_back(sum / static_cast<double>(rows.size()));
  }
  for (const double sum : rows) means.rows.push_back(sum / static_cast<double>(differences.size()));
  return means;
}

double square(double value) { return value * value; }

/// Ranks of the magnitudes, doubled: whole numbers even where ranks are shared.
struct SignedRanks {
  std::vector<std::size_t> doubled;
  std::size_t positive = 0;  ///< doubled rank sum of the positive differences
  double tie_cubes = 0;      ///< sum of t^3 - t over groups of t ties
};

SignedRanks signed_ranks(std::vector<double> differences, double resolution) {
  std::erase_if(differences, [&](double d) { return std::abs(d) <= resolution; });
  std::ranges::sort(differences, {}, [](double d) { return std::abs(d); });
  SignedRanks ranks;
  const std::size_t n = differences.size();
  for (std::size_t first = 0, last = 0; first < n; first = last) {
    while (last < n && std::abs(differences[last]) - std::abs(differences[first]) <= resolution)
      ++last;
    const std::size_t doubled = first + 1 + last;  // mean of the ranks first + 1 ... last
    for (std::size_t i = first; i < last; ++i) {
      ranks.doubled.push_back(doubled);
      if (differences[i] > 0) ranks.positive += doubled;
    }
    const auto ties = static_cast<double>(last - first);
    ranks.tie_cubes += ties * ties * ties - ties;
  }
  return ranks;
}

/// A mean difference and its standard error, which is 0 where all differences are zeros.
struct EstimatedMean {
  double mean = 0;
  double error = 0;
  double degrees_of_freedom = 0;
};

/// Nothing where there is no spread for a test; see resampled_t_test().
std::optional<EstimatedMean> estimated_mean(std::span<const double> differences,
                                            double test_to_train, double resolution) {
  if (differences.size() < 2 || !all_finite(differences)) return std::nullopt;
  if (!std::isfinite(test_to_train) || test_to_train < 0) return std::nullopt;
  if (std::ranges::all_of(differences, [&](double d) { return std::abs(d) <= resolution; }))
    return EstimatedMean{};
  const Summary s = summary(differences);
  // In addition to the caller's bound, that of R's t.test: below it, the spread is rounding.
  constexpr double rounding = 10 * std::numeric_limits<double>::epsilon();
  const double least = std::max(resolution, rounding * std::abs(s.mean));
  if (!std::isfinite(s.standard_error) || s.standard_error <= least) return std::nullopt;
  const auto n = static_cast<double>(s.count);
  return EstimatedMean{s.mean, s.standard_error * std::sqrt(1 + n * test_to_train), n - 1};
}

/// The same over trainings and samples; see crossed_t_test().
std::optional<EstimatedMean> crossed_mean(std::span<const std::vector<double>> differences) {
  if (differences.size() < 2 || differences.front().size() < 2) return std::nullopt;
  const std::size_t rows = differences.front().size();
  if (std::ranges::any_of(differences, [&](const auto& one) { return one.size() != rows; }))
    return std::nullopt;
  const Means means = means_of(differences);
  const Summary of_trainings = summary(means.trainings), of_rows = summary(means.rows);
  const double by_trainings = square(of_trainings.standard_error);
  const double by_rows = square(of_rows.standard_error);
  const double variance = by_trainings + by_rows;
  if (variance == 0) return of_rows.mean == 0 ? std::optional(EstimatedMean{}) : std::nullopt;
  const double degrees =
      square(variance) / (square(by_trainings) / static_cast<double>(of_trainings.count - 1) +
                          square(by_rows) / static_cast<double>(of_rows.count - 1));
  return EstimatedMean{of_rows.mean, std::sqrt(variance), degrees};
}

std::optional<double> p_of(const std::optional<EstimatedMean>& mean) {
  if (!mean) return std::nullopt;
  if (mean->error == 0) return 1.0;
  return t_distribution_p(mean->mean, mean->error, mean->degrees_of_freedom);
}

std::optional<double> reach_of(const std::optional<EstimatedMean>& mean) {
  if (!mean) return std::nullopt;
  if (mean->error == 0) return 0.0;
  const boost::math::students_t distribution(mean->degrees_of_freedom);
  return mean->error * boost::math::quantile(distribution, 0.975);
}

/// Magnitudes get random signs: the probability that the positive ones sum to at most `smaller`, or
/// to as much below their total.
double exact_p(std::span<const std::size_t> magnitudes, std::size_t smaller) {
  std::vector<double> share(smaller + 1);  // sign patterns with this sum, as a share of all
  share[0] = 1;
  for (const std::size_t magnitude : magnitudes)
    for (std::size_t sum = smaller + 1; sum-- > 0;)
      share[sum] = (share[sum] + (sum >= magnitude ? share[sum - magnitude] : 0)) / 2;
  return std::min(1.0, 2 * std::accumulate(share.begin(), share.end(), 0.0));
}

double exact_p(const SignedRanks& ranks) {
  const std::size_t total =
      std::accumulate(ranks.doubled.begin(), ranks.doubled.end(), std::size_t{0});
  return exact_p(ranks.doubled, std::min(ranks.positive, total - ranks.positive));
}

double normal_p(double z) {
  return std::min(1.0, 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), z)));
}

double normal_p(const SignedRanks& ranks) {
  const auto n = static_cast<double>(ranks.doubled.size());
  const double variance = n * (n + 1) * (2 * n + 1) / 24 - ranks.tie_cubes / 48;
  const double distance = std::abs(static_cast<double>(ranks.positive) / 2 - n * (n + 1) / 4);
  return normal_p(std::max(0.0, distance - 0.5) / std::sqrt(variance));
}

}  // namespace

double t_distribution_p(double mean, double standard_error, double degrees_of_freedom) {
  const boost::math::students_t distribution(degrees_of_freedom);
  const double t = std::abs(mean / standard_error);
  return std::min(1.0, 2 * boost::math::cdf(boost::math::complement(distribution, t)));
}

std::optional<double> paired_t_test(std::span<const double> differences, double resolution) {
  return resampled_t_test(differences, 0, resolution);
}

std::optional<double> resampled_t_test(std::span<const double> differences, double test_to_train,
                                       double resolution) {
  return p_of(estimated_mean(differences, test_to_train, resolution));
}

std::optional<double> resampled_t_reach(std::span<const double> differences, double test_to_train,
                                        double resolution) {
  return reach_of(estimated_mean(differences, test_to_train, resolution));
}

std::optional<double> crossed_t_test(std::span<const std::vector<double>> differences) {
  return p_of(crossed_mean(differences));
}

std::optional<double> crossed_t_reach(std::span<const std::vector<double>> differences) {
  return reach_of(crossed_mean(differences));
}

std::optional<double> wilcoxon_signed_rank_test(std::span<const double> differences,
                                                double resolution) {
  if (differences.empty() || !all_finite(differences)) return std::nullopt;
  const SignedRanks ranks =
      signed_ranks({differences.begin(), differences.end()}, std::max(0.0, resolution));
  if (ranks.doubled.empty()) return 1.0;
  return ranks.doubled.size() <= wilcoxon_exact_limit ? exact_p(ranks) : normal_p(ranks);
}

double mcnemar_test(std::size_t only_first, std::size_t only_second) {
  if (only_first == only_second) return 1;
  const boost::math::binomial distribution(static_cast<double>(only_first + only_second), 0.5);
  const auto fewer = static_cast<double>(std::min(only_first, only_second));
  return std::min(1.0, 2 * boost::math::cdf(distribution, fewer));
}

double sign_flip_test(std::span<const double> sums) {
  constexpr double most_steps = 1e9;
  std::vector<std::size_t> magnitudes;
  double positive = 0, negative = 0, squares = 0;
  for (const double sum : sums) {
    if (sum != 0) magnitudes.push_back(static_cast<std::size_t>(std::abs(sum)));
    (sum > 0 ? positive : negative) += std::abs(sum);
    squares += sum * sum;
  }
  if (squares == positive + negative)  // each is 1
    return mcnemar_test(static_cast<std::size_t>(positive), static_cast<std::size_t>(negative));
  const double smaller = std::min(positive, negative);
  if (static_cast<double>(magnitudes.size()) * smaller > most_steps)
    return normal_p(std::abs(positive - negative) / std::sqrt(squares));
  return exact_p(magnitudes, static_cast<std::size_t>(smaller));
}

std::vector<double> group_sums(std::span<const double> values,
                               std::span<const std::int32_t> groups) {
  if (groups.empty()) return {values.begin(), values.end()};
  std::vector<double> sums;
  std::map<std::int32_t, std::size_t> places;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t place =
        groups[i] < 0 ? sums.size() : places.emplace(groups[i], sums.size()).first->second;
    if (place == sums.size()) sums.push_back(0);
    sums[place] += values[i];
  }
  return sums;
}

std::vector<double> group_values(std::span<const double> values,
                                 std::span<const std::int32_t> groups) {
  std::vector<double> sums = group_sums(values, groups);
  if (groups.empty()) return sums;
  const auto sizes = group_sums(std::vector<double>(values.size(), 1), groups);
  const double mean = summary(values).mean;
  const double share = static_cast<double>(sums.size()) / static_cast<double>(values.size());
  for (std::size_t g = 0; g < sums.size(); ++g)
    sums[g] = mean + share * (sums[g] - sizes[g] * mean);
  return sums;
}

std::vector<std::optional<double>> holm_correction(std::span<const std::optional<double>> p) {
  std::vector<std::size_t> tested;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p[i] && !std::isnan(*p[i])) tested.push_back(i);
  std::ranges::stable_sort(tested, {}, [&](std::size_t i) { return *p[i]; });
  std::vector<std::optional<double>> corrected(p.size());
  double greatest = 0;
  for (std::size_t rank = 0; rank < tested.size(); ++rank) {
    const auto remaining = static_cast<double>(tested.size() - rank);
    greatest = std::max(greatest, std::min(1.0, remaining * *p[tested[rank]]));
    corrected[tested[rank]] = greatest;
  }
  return corrected;
}

}  // namespace semblance::statistics
