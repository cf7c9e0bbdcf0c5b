// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "report/run_record.hpp"
#include "report/tables/comparison.hpp"

namespace semblance {

/// What the figure must be given the rows that are right, if it is a share of rows ("accuracy",
/// "error_rate"); nothing for other figures, which cannot be compared row by row.
std::optional<double> figure_by_rows(std::string_view figure,
                                     const std::vector<std::uint8_t>& correct);

/// Whether it is the measured one.
bool adds_up(double by_rows, const Measurement& measurement);

/// Records in the measurement what it was measured on: the rows of all solvers that the figure
/// evaluates.
void add_rows(const RowsRecord& rows, Measurement& measurement);

}  // namespace semblance
