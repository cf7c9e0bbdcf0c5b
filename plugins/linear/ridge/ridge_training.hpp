// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "linear_model.hpp"
#include "ridge/ridge_data.hpp"
#include "semblance/component_info.hpp"
#include "semblance/report.hpp"
#include "tuning/penalty_choice.hpp"

namespace semblance::linear {

/// The samples of `data`, for leave-one-out errors. `weights`: those that `data` was made with;
/// `targets`: the names of its outputs.
common::LeftOutSamples left_out_samples(const RidgeData& data, std::span<const double> weights,
                                        std::span<const std::string> targets);

/// The figures that train_ridge() reports.
std::vector<FigureInfo> ridge_figures();

/// Gives for each penalty the errors of samples that are left out, as RidgeFit::left_out, where
/// those of the fits are of other weights.
using LeftOutErrors =
    std::function<std::vector<std::vector<double>>(std::span<const double> penalties)>;

/// The errors of samples that are left out where the weights depend on which one is. Samples of the
/// same `groups` value have the same weights of all others, which are `weights_of` any of them;
/// other arguments as of RidgeData.
std::vector<std::vector<double>> left_out_by_groups(
    const Rows& rows, std::span<const double> targets, std::size_t outputs,
    std::span<const std::size_t> groups,
    const std::function<std::vector<double>(std::size_t row)>& weights_of,
    std::span<const double> penalties, bool intercept, Context& context);

/// What train_ridge() has learned.
struct TrainedRidge {
  LinearModel model;  ///< its functions, one per output; a single one may be that of two classes
  std::vector<double> left_out;  ///< the errors of its penalty, as RidgeFit::left_out
};

/// Fits all penalties, of which there is at least one, and reports the best fit, chosen by the
/// `left_out` errors if that is not empty. On a stop request, the best of the fits made so far.
TrainedRidge train_ridge(const RidgeData& data, std::span<const double> penalties,
                         const common::LeftOutSamples& samples, const common::LeftOutFigure& figure,
                         std::size_t scores, std::span<const std::string> columns,
                         const LeftOutErrors& left_out, Report& report, Context& context);

}  // namespace semblance::linear
