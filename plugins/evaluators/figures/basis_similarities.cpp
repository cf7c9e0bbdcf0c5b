// SPDX-License-Identifier: MIT
#include "figures/basis_similarities.hpp"

#include <cmath>
#include <string>

#include "semblance/error.hpp"
#include "semblance/row_error.hpp"

namespace semblance::evaluators {

void check_has_bases(const TrainingSet& training) {
  const std::size_t bases = training.bases.size();
  if (bases == 0)
    throw Error(
        "its input is not a similarity map, so there are no similarities among bases to analyse; "
        "name a similarity node itself as `from`, not a node before or after it");
  if (training.rows.cols() != bases)
    throw Error("the map has " + std::to_string(training.rows.cols()) + " columns for " +
                std::to_string(bases) + " bases; there must be one per basis");
}

std::vector<double> similarities_of_bases(const TrainingSet& training,
                                          const std::vector<std::size_t>& columns) {
  const std::size_t n = columns.size();
  std::vector<double> values(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = static_cast<std::size_t>(training.bases[columns[i]]);
    const auto view = training.rows.view(row, 1).row_span(0);
    for (std::size_t j = 0; j < n; ++j) {
      if (!std::isfinite(view[columns[j]]))
        throw RowError(RowError::Of::training, row, "the similarity of ",
                       " (counted from 0) to basis " + std::to_string(columns[j]) +
                           " is not finite; check the rows that are compared");
      values[i * n + j] = view[columns[j]];
    }
    training.rows.release(row, 1);
  }
  return values;
}

double symmetrise(std::vector<double>& values, std::size_t n) {
  double difference = 0, all = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double& a = values[i * n + j];
      double& b = values[j * n + i];
      difference += 2 * (a - b) * (a - b);
      all += i == j ? a * a : a * a + b * b;
      a = b = 0.5 * (a + b);
    }
  return all > 0 ? std::sqrt(difference / all) : 0;
}

}  // namespace semblance::evaluators
