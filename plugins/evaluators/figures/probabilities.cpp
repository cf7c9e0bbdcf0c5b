// SPDX-License-Identifier: MIT
#include "figures/probabilities.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "semblance/row_error.hpp"

namespace semblance::evaluators {
namespace {

double clipped(float probability) {
  constexpr double least_probability = 0x1p-52;
  return std::clamp(double{probability}, least_probability, 1 - least_probability);
}

void check_probabilities(const Results& test) {
  for (std::size_t i = 0; i < test.outputs.rows; ++i) {
    const auto row = test.outputs.row_span(i);
    double sum = 0;
    for (const float p : row) {
      if (!(p >= 0))
        throw RowError(RowError::Of::test, i, "a score of ",
                       " (counted from 0) is " + std::to_string(p) +
                           ", but what gives it says that it is a probability; this is a mistake "
                           "in " +
                           test.lineage.solver);
      sum += double{p};
    }
    const double rounding = 1e-5 + 1e-7 * static_cast<double>(row.size());
    if (std::abs(sum - 1) > rounding)
      throw RowError(RowError::Of::test, i, "the scores of ",
                     " (counted from 0) add up to " + std::to_string(sum) +
                         ", but what gives them says that they are probabilities; this is a "
                         "mistake in " +
                         test.lineage.solver);
  }
}

}  // namespace

double report_probability_losses(const Results& test, std::span<const std::size_t> rows,
                                 Report& report) {
  check_probabilities(test);
  double losses = 0, squares = 0;
  for (const std::size_t i : rows) {
    const auto probabilities = test.outputs.row_span(i);
    const auto label = static_cast<std::size_t>(test.labels[i]);
    double sum = 0, square = 0;
    for (std::size_t c = 0; c < probabilities.size(); ++c) {
      const double difference = double{probabilities[c]} - (c == label ? 1 : 0);
      sum += clipped(probabilities[c]);
      square += difference * difference;
    }
    losses -= std::log(clipped(probabilities[label]) / sum);
    squares += square;
  }
  const auto count = static_cast<double>(rows.size());
  report.number("log_loss", losses / count);
  report.number("brier_score", squares / count);
  return squares / count;
}

}  // namespace semblance::evaluators
