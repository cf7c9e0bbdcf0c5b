// SPDX-License-Identifier: MIT
#include "expansion/linear_functions.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "semblance/collectives.hpp"

namespace semblance::kernel {
namespace {

/// Calls body(column, value of the row minus that of the centre) for each value of the row.
template <class Body>
void for_each_value(MatrixView rows, std::size_t i, std::span<const float> centre,
                    const Body& body) {
  const auto values = rows.row_span(i);
  if (rows.sparse()) {
    const auto columns = rows.columns_of(i);
    for (std::size_t k = 0; k < values.size(); ++k) body(columns[k], double{values[k]});
  } else if (centre.empty()) {
    for (std::size_t k = 0; k < values.size(); ++k) body(k, double{values[k]});
  } else {
    for (std::size_t k = 0; k < values.size(); ++k) body(k, double{values[k]} - double{centre[k]});
  }
}

/// The weights of linear functions, functions x columns. `place_of`: the place of each training
/// sample; the number of places: none.
std::vector<double> function_weights(const SortedSamples& samples,
                                     std::span<const std::vector<double>> coefficients,
                                     std::span<const std::size_t> place_of, Context& context) {
  const std::size_t cols = samples.layout.size();
  const RowParts parts(samples.rows.rows());
  std::vector<double> total(coefficients.size() * cols);
  sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sums) {
    for (std::size_t row = parts.first_row(part); row < parts.first_row(part + 1); ++row)
      for (std::size_t q = 0; q < coefficients.size(); ++q) {
        const std::size_t place = place_of[row];
        if (place == samples.order.size() || coefficients[q][place] == 0) continue;
        double* const sum = sums.data() + q * cols;
        for_each_value(samples.rows.view(row, 1), 0, samples.centre,
                       [&](std::size_t k, double x) { sum[k] += coefficients[q][place] * x; });
      }
  });
  return total;
}

}  // namespace

std::size_t functions_at_once(const SortedSamples& samples) {
  constexpr std::size_t most_values = std::size_t{1} << 21;
  const std::size_t cols = samples.layout.ragged() ? 1 : samples.layout.size();
  return std::max<std::size_t>(most_values / std::max({cols, samples.rows.rows(), std::size_t{1}}),
                               1);
}

std::vector<std::vector<double>> linear_values(const SortedSamples& samples,
                                               std::span<const std::vector<double>> coefficients,
                                               std::span<const std::uint32_t> wanted,
                                               Context& context) {
  constexpr std::size_t lanes = 8;
  const std::size_t n = samples.order.size(), cols = samples.layout.size();
  std::vector<std::size_t> place_of(samples.rows.rows(), n);
  for (std::size_t place = 0; place < n; ++place) place_of[samples.order[place]] = place;
  std::vector<char> is_wanted(n, wanted.empty());
  for (const std::uint32_t place : wanted) is_wanted[place] = 1;
  const std::vector<double> weights = function_weights(samples, coefficients, place_of, context);
  std::vector<std::vector<double>> values(coefficients.size(), std::vector<double>(n));
  for_each_block(samples.rows, context, [&](std::size_t, std::size_t first, MatrixView view) {
    for (std::size_t i = 0; i < view.rows; ++i) {
      const std::size_t place = place_of[first + i];
      if (place == n || !is_wanted[place]) continue;
      for (std::size_t q = 0; q < coefficients.size(); ++q) {
        std::array<double, lanes> sums{};
        for_each_value(view, i, samples.centre, [&](std::size_t k, double x) {
          sums[k % lanes] += weights[q * cols + k] * x;
        });
        values[q][place] = std::accumulate(sums.begin(), sums.end(), 0.0);
      }
    }
  });
  return values;
}

std::vector<float> far_centre(const TrainingSet& training, Context& context,
                              std::span<const std::uint32_t> chosen) {
  if (training.layout.ragged()) return {};
  const std::size_t cols = training.layout.size();
  const RowParts parts(training.rows.rows());
  std::vector<char> counts(training.rows.rows(), chosen.empty());
  for (const std::uint32_t row : chosen) counts[row] = 1;
  const auto n = static_cast<double>(chosen.empty() ? training.rows.rows() : chosen.size());
  const auto mean_over_rows = [&](const auto& add) {
    std::vector<double> total(cols);
    sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sums) {
      for (std::size_t row = parts.first_row(part); row < parts.first_row(part + 1); ++row)
        if (counts[row])
          for_each_value(training.rows.view(row, 1), 0, {},
                         [&](std::size_t k, double x) { sums[k] += add(k, x); });
    });
    for (double& sum : total) sum /= n;
    return total;
  };
  const auto means = mean_over_rows([](std::size_t, double x) { return x; });
  const auto variances =
      mean_over_rows([&](std::size_t k, double x) { return (x - means[k]) * (x - means[k]); });
  const double length = std::inner_product(means.begin(), means.end(), means.begin(), 0.0);
  const double spread = std::accumulate(variances.begin(), variances.end(), 0.0);
  if (!(length > spread)) return {};
  return {means.begin(), means.end()};
}

}  // namespace semblance::kernel
