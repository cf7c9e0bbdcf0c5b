// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "report/run_record.hpp"
#include "report/tables/comparison.hpp"

namespace semblance {

/// The value of the figure given the samples that are right, if it is a share of samples
/// ("accuracy", "error_rate"); nothing for other figures, which cannot be compared sample by
/// sample.
std::optional<double> figure_by_rows(std::string_view figure,
                                     const std::vector<std::uint8_t>& correct);

/// The squared or absolute error of each sample, whichever a figure of estimates is a mean of, and
/// the figure given these.
struct RowLosses {
  std::vector<double> losses;
  double figure = 0;
};

/// For "mae", and for "rmse" and "r2" with one number per sample; nothing for other figures, which
/// cannot be compared sample by sample, and if any number is unknown (NaN). `estimates` and
/// `targets` are row-major with `numbers` per sample; a sample's loss is the mean over its numbers.
std::optional<RowLosses> row_losses(std::string_view figure, std::span<const double> estimates,
                                    std::span<const double> targets, std::size_t numbers);

/// Whether the value equals the measured one.
bool adds_up(double by_rows, const Measurement& measurement);

/// Records in the measurement what it was measured on: the samples of all solvers that the figure
/// evaluates.
void add_rows(const RowsRecord& rows, Measurement& measurement);

}  // namespace semblance
