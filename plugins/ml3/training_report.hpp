// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "cccp.hpp"
#include "pegasos.hpp"
#include "semblance/component_info.hpp"
#include "semblance/context.hpp"
#include "semblance/report.hpp"

namespace semblance::ml3 {

/// The declarations of what report_result() and report_path() report, parameters and train_seconds.
std::vector<FigureInfo> cccp_figures();

/// `objective`, `squared_norm`, `train_error_rate`, `all_negative`, counts of the steps, and the
/// curves by iteration. Without an evaluation (it was stopped) `objective` is the running one.
void report_result(const CccpResult& result, double lambda, std::size_t rows, Report& report);

/// The model of one lambda of a path.
struct PathPoint {
  double lambda = 0;
  double objective = 0;         ///< the running one where it was stopped
  double train_error_rate = 0;  ///< the same
  double squared_norm = 0;
};
PathPoint path_point(const CccpResult& result, double lambda, std::size_t rows);

/// The curves `objective_by_lambda` and `train_error_by_lambda`, and the table `path`.
void report_path(const std::vector<PathPoint>& path, Report& report);

/// Says how many scores a screen left to be computed: no figure of the report, since it depends on
/// memory and ranks, and nothing else does.
void log_screened(const ScreenCounts& counts, Context& context);

/// What a report says besides the course of a descent.
struct PegasosFacts {
  double lambda = 0;
  double squared_norm = 0;     ///< |W|^2
  std::size_t rows = 0;        ///< learned from
  std::size_t parameters = 0;  ///< values of W
};

/// The declarations of what report_pegasos() reports, and train_seconds.
std::vector<FigureInfo> pegasos_figures();

/// `certificate`, `objective`, `train_error_rate`, `squared_norm`, `parameters` and the curves by
/// epoch. It stops after its epochs, never earlier for a reason of its own. After a stop
/// `objective` has the loss that the last epoch's steps saw.
void report_pegasos(const PegasosOutcome& result, const PegasosFacts& facts, Report& report,
                    Context& context);

}  // namespace semblance::ml3
