// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "descent/pegasos.hpp"
#include "latent/cccp.hpp"
#include "semblance/component_info.hpp"
#include "semblance/context.hpp"
#include "semblance/report.hpp"

namespace semblance::ml3 {

/// The declarations of the figures of report_result() and report_path(), parameters and
/// train_seconds.
std::vector<FigureInfo> cccp_figures();

/// `objective`, `squared_norm`, `train_error_rate`, `all_negative`, counts of the steps, and the
/// curves by iteration. Without an evaluation (it was stopped) `objective` is the running one.
void report_result(const CccpResult& result, double lambda, std::size_t rows, Report& report);

/// The model of one lambda of a path.
struct PathPoint {
  double lambda = 0;
  double objective = 0;         ///< the running one after a stop
  double train_error_rate = 0;  ///< the same
  double squared_norm = 0;
};
PathPoint path_point(const CccpResult& result, double lambda, std::size_t rows);

/// The curves `objective_by_lambda` and `train_error_by_lambda`, and the table `path`.
void report_path(const std::vector<PathPoint>& path, Report& report);

/// Reported facts in addition to the course of a descent.
struct PegasosFacts {
  double lambda = 0;
  double squared_norm = 0;     ///< |W|^2
  std::size_t rows = 0;        ///< learned from
  std::size_t parameters = 0;  ///< values of W
};

/// The declarations of the figures of report_pegasos(), and train_seconds.
std::vector<FigureInfo> pegasos_figures();

/// `certificate`, `objective`, `train_error_rate`, `squared_norm`, `parameters` and the curves by
/// epoch. The number of epochs is its only stopping rule. After a stop `objective` has the loss
/// seen by the last epoch's steps.
void report_pegasos(const PegasosOutcome& result, const PegasosFacts& facts, Report& report,
                    Context& context);

}  // namespace semblance::ml3
