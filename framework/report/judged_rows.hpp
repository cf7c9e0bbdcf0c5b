// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "report/run_record.hpp"
#include "report/tables/comparison.hpp"

namespace semblance {

/// The value of the figure given the samples that are right, if it is a share of samples
/// ("accuracy", "error_rate"); nothing for other figures, which cannot be compared sample by
/// sample.
std::optional<double> figure_by_rows(std::string_view figure,
                                     const std::vector<std::uint8_t>& correct);

/// Whether the value equals the measured one.
bool adds_up(double by_rows, const Measurement& measurement);

/// Records in the measurement what it was measured on: the samples of all solvers that the figure
/// evaluates.
void add_rows(const RowsRecord& rows, Measurement& measurement);

}  // namespace semblance
