// SPDX-License-Identifier: MIT
#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <functional>
#include <numbers>

#include "statistics/paired_tests.hpp"
#include "statistics/resolution.hpp"
#include "statistics/summary.hpp"

namespace semblance::statistics {

namespace {

double density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }

/// Phi(high) - Phi(low), computed in the tail where both are small.
double normal_between(double low, double high) {
  const double root = std::numbers::sqrt2;
  if (low > 0) return (std::erfc(low / root) - std::erfc(high / root)) / 2;
  return (std::erfc(-high / root) - std::erfc(-low / root)) / 2;
}

/// The probability that a random order of the values has the given ranks: orders among ties count
/// as one. The same for every block with these ranks.
double probability_of(const std::vector<double>& ranks) {
  std::vector<double> sorted = ranks;
  std::ranges::sort(sorted);
  double log_p = -std::lgamma(static_cast<double>(sorted.size()) + 1);
  for (auto first = sorted.begin(), last = first; first != sorted.end(); first = last) {
    last = std::upper_bound(first, sorted.end(), *first);
    log_p += std::lgamma(static_cast<double>(last - first) + 1);
  }
  return std::exp(log_p);
}

}  // namespace

double studentized_range_cdf(double range, std::size_t count) {
  if (!(range > 0)) return 0;
  const auto k = static_cast<double>(count);
  const auto integrand = [&](double z) {
    return density(z) * std::pow(normal_between(z - range, z), k - 1);
  };
  // The probability beyond 9 standard deviations is below 1e-18; the pieces resolve narrow peaks.
  double sum = 0;
  for (int low = -9; low < 9; low += 3)
    sum += boost::math::quadrature::gauss_kronrod<double, 31>::integrate(integrand, low, low + 3,
                                                                         10, 1e-12);
  return std::clamp(k * sum, 0.0, 1.0);
}

double studentized_range_quantile(double probability, std::size_t count) {
  const auto excess = [&](double range) {
    return studentized_range_cdf(range, count) - probability;
  };
  std::uintmax_t iterations = 200;
  const auto [low, high] = boost::math::tools::toms748_solve(
      excess, 0.0, 20.0, boost::math::tools::eps_tolerance<double>(45), iterations);
  return (low + high) / 2;
}

std::vector<double> mid_ranks(std::span<const double> values) {
  const Groups groups = groups_of_same(values);
  std::vector<double> ranks(values.size());
  std::size_t first = 0;
  for (const std::size_t end : groups.ends) {
    for (std::size_t i = first; i < end; ++i)
      ranks[groups.order[i]] = static_cast<double>(first + 1 + end) / 2;
    first = end;
  }
  return ranks;
}

std::vector<double> average_ranks(std::span<const std::vector<double>> blocks,
                                  bool higher_is_better) {
  if (blocks.empty()) return {};
  std::vector<double> sums(blocks.front().size(), 0.0);
  for (std::vector<double> block : blocks) {
    if (higher_is_better) std::ranges::transform(block, block.begin(), std::negate());
    const auto ranks = mid_ranks(block);
    for (std::size_t method = 0; method < sums.size(); ++method) sums[method] += ranks[method];
  }
  for (double& sum : sums) sum /= static_cast<double>(blocks.size());
  return sums;
}

std::optional<double> friedman_test(std::span<const std::vector<double>> blocks) {
  if (blocks.size() < 2 || blocks.front().size() < 2) return std::nullopt;
  if (!std::ranges::all_of(blocks, [](const auto& block) { return all_finite(block); }))
    return std::nullopt;
  const auto n = static_cast<double>(blocks.size());
  const auto k = static_cast<double>(blocks.front().size());
  std::vector<std::vector<double>> ranks;
  for (const auto& block : blocks) ranks.push_back(mid_ranks(block));
  const double middle = (k + 1) / 2;
  double within = 0;  // squared distances of the ranks from their middle
  std::vector<double> sums(blocks.front().size(), 0.0);
  for (const auto& block : ranks)
    for (std::size_t method = 0; method < sums.size(); ++method) {
      sums[method] += block[method] - middle;
      within += (block[method] - middle) * (block[method] - middle);
    }
  if (within == 0) return 1.0;
  if (std::ranges::all_of(ranks, [&](const auto& block) { return block == ranks.front(); }))
    return std::pow(probability_of(ranks.front()), n - 1);
  double between = 0;
  for (const double sum : sums) between += sum * sum;
  const double chi_square = (k - 1) * between / within;
  const double f = (n - 1) * chi_square / (n * (k - 1) - chi_square);
  const boost::math::fisher_f distribution(k - 1, (k - 1) * (n - 1));
  return boost::math::cdf(boost::math::complement(distribution, f));
}

std::optional<double> nemenyi_critical_difference(std::size_t methods, std::size_t blocks) {
  if (methods < 2 || blocks < 1) return std::nullopt;
  const auto k = static_cast<double>(methods);
  const double q = studentized_range_quantile(0.95, methods) / std::numbers::sqrt2;
  return q * std::sqrt(k * (k + 1) / (6 * static_cast<double>(blocks)));
}

}  // namespace semblance::statistics
