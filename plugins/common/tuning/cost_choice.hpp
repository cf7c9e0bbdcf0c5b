// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "semblance/component_info.hpp"
#include "semblance/context.hpp"
#include "semblance/report.hpp"
#include "semblance/samples.hpp"

/// The choice of C by cross-validation on the training samples.
namespace semblance::common {

struct CostChoice {
  std::vector<double> costs;    ///< increasing
  std::vector<double> errors;   ///< share of misclassified held-out samples, by weight
  std::size_t best = 0;         ///< the smallest error; equal ones: the smaller cost
  std::size_t trainings = 0;    ///< folds times costs
  std::size_t unconverged = 0;  ///< trainings that ended at the iteration limit
  bool weighted = false;        ///< whether samples have weights other than 1
};

/// The weights of misclassified held-out samples, by cost, and of all held-out samples.
struct HeldOutErrors {
  std::vector<double> wrong;
  double total = 0;
};

/// Throws Error unless `path` increases and ends below `cost`: C, if it is a number. Otherwise
/// `path` has the costs to choose from, which must not be a single one.
void check_costs(std::vector<double> path, std::optional<double> cost);

/// The default of `folds`.
inline constexpr std::int64_t usual_folds = 5;

/// Throws Error if `C` is a number and `folds`, which choose it, were set; 0: by a word.
void check_folds(double folds, const std::string& cost);

/// `unit` times the decades from 0.01 to 10^`last_decade`.
std::vector<double> cost_decades(double unit, int last_decade);

/// The fold of each sample, the same for every seed: stratified, with groups kept together where
/// there are some. no_part (see semblance/row_groups.hpp): never held out.
std::vector<std::size_t> cost_folds(const TrainingSet& training, std::size_t folds);

/// The number of folds.
std::size_t fold_count(std::span<const std::size_t> fold_of) noexcept;

/// Sets the errors, if any sample was held out, and the best cost.
void choose(const HeldOutErrors& sums, CostChoice& choice);

/// The figures that report_choice() reports, and `choice_seconds`.
std::vector<FigureInfo> choice_figures();

/// Reports that error rates count samples by their weights.
void report_weighted(Report& report);

/// Reports the choice, a table and a curve of all costs. Warns if the best is at an end of the
/// range and the next one is worse.
void report_choice(const CostChoice& choice, Report& report, Context& context);

}  // namespace semblance::common
