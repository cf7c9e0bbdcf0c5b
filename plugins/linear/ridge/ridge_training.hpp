// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "linear_model.hpp"
#include "penalty_choice.hpp"
#include "ridge/ridge_data.hpp"
#include "semblance/component_info.hpp"
#include "semblance/report.hpp"

namespace semblance::linear {

/// The samples of `data`, for leave-one-out errors. `weights`: those that `data` was made with;
/// `targets`: the names of its outputs.
common::LeftOutSamples left_out_samples(const RidgeData& data, std::span<const double> weights,
                                        std::span<const std::string> targets);

/// The figures that train_ridge() reports.
std::vector<FigureInfo> ridge_figures();

/// Fits all penalties, of which there is at least one, and reports the best fit. Returns its
/// functions, one per output; a single one may be that of two classes (LinearModel). On a stop
/// request, the best of the fits made so far.
LinearModel train_ridge(const RidgeData& data, std::span<const double> penalties,
                        const common::LeftOutSamples& samples, const common::LeftOutFigure& figure,
                        std::size_t scores, std::span<const std::string> columns, Report& report,
                        Context& context);

}  // namespace semblance::linear
