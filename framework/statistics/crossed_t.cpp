// SPDX-License-Identifier: MIT
#include "statistics/crossed_t.hpp"

#include <algorithm>
#include <cmath>

#include "statistics/paired_t.hpp"
#include "statistics/summary.hpp"

namespace semblance::statistics {
namespace {

/// The means of the trainings, and those of the samples.
struct Means {
  std::vector<double> trainings;
  std::vector<double> rows;
};

Means means_of(std::span<const std::vector<std::int8_t>> differences) {
  Means means;
  std::vector<long long> rows(differences.front().size());
  for (const auto& training : differences) {
    long long sum = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      sum += training[r];
      rows[r] += training[r];
    }
    means.trainings.push_back(static_cast<double>(sum) / static_cast<double>(rows.size()));
  }
  for (const long long sum : rows)
    means.rows.push_back(static_cast<double>(sum) / static_cast<double>(differences.size()));
  return means;
}

double square(double value) { return value * value; }

}  // namespace

std::optional<double> crossed_t_test(std::span<const std::vector<std::int8_t>> differences) {
  if (differences.size() < 2 || differences.front().size() < 2) return std::nullopt;
  const std::size_t rows = differences.front().size();
  if (std::ranges::any_of(differences, [&](const auto& one) { return one.size() != rows; }))
    return std::nullopt;
  const Means means = means_of(differences);
  const Summary of_trainings = summary(means.trainings), of_rows = summary(means.rows);
  const double by_trainings = square(of_trainings.standard_error);
  const double by_rows = square(of_rows.standard_error);
  const double variance = by_trainings + by_rows;
  if (variance == 0) return of_rows.mean == 0 ? std::optional(1.0) : std::nullopt;
  const double degrees =
      square(variance) / (square(by_trainings) / static_cast<double>(of_trainings.count - 1) +
                          square(by_rows) / static_cast<double>(of_rows.count - 1));
  return t_distribution_p(of_rows.mean, std::sqrt(variance), degrees);
}

}  // namespace semblance::statistics
