// SPDX-License-Identifier: MIT
#include "linear_functions.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

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

}  // namespace

LinearFunctions::LinearFunctions(const TrainingSet& training, std::span<const float> centre,
                                 std::size_t problems, Coefficient coefficient, Wanted wanted,
                                 Context& context)
    : training_(training),
      centre_(centre),
      problems_(problems),
      coefficient_(std::move(coefficient)),
      wanted_(std::move(wanted)),
      context_(context),
      cols_(training.layout.size()) {}

std::size_t LinearFunctions::at_once() const {
  constexpr std::size_t most_values = std::size_t{1} << 21;
  return std::clamp(most_values / std::max({cols_, training_.rows.rows(), std::size_t{1}}),
                    std::size_t{1}, problems_);
}

std::vector<double> LinearFunctions::values(std::size_t first, std::size_t count) const {
  const std::vector<double> weights = this->weights(first, count);
  std::vector<double> found(training_.rows.rows() * count);
  for_each_block(
      training_.rows, context_, [&](std::size_t, std::size_t first_row, MatrixView view) {
        for (std::size_t i = 0; i < view.rows; ++i)
          for (std::size_t q = 0; q < count; ++q)
            if (wanted_(first + q, first_row + i))
              found[(first_row + i) * count + q] = product(view, i, weights.data() + q * cols_);
      });
  return found;
}

std::vector<double> LinearFunctions::weights(std::size_t first, std::size_t count) const {
  const RowParts parts(training_.rows.rows());
  std::vector<double> total(count * cols_);
  sum_over_parts(context_, parts, total, [&](std::size_t part, std::span<double> sums) {
    for (std::size_t row = parts.first_row(part); row < parts.first_row(part + 1); ++row)
      for (std::size_t q = 0; q < count; ++q) {
        const double b = coefficient_(first + q, row);
        if (b == 0) continue;
        double* const sum = sums.data() + q * cols_;
        for_each_value(training_.rows.view(row, 1), 0, centre_,
                       [&](std::size_t k, double x) { sum[k] += b * x; });
      }
  });
  return total;
}

double LinearFunctions::product(MatrixView view, std::size_t i, const double* weights) const {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> sums{};
  for_each_value(view, i, centre_,
                 [&](std::size_t k, double x) { sums[k % lanes] += weights[k] * x; });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
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
