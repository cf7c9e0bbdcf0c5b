// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "semblance/component.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/report.hpp"

namespace semblance {

/// What a calibrator learns from: the scores that the training rows get from solvers which have not
/// learned from them. For each fold of the training rows, everything before the calibrator learns
/// from the rows of all other folds and scores those of this one.
struct HeldOutScores {
  MatrixView scores;                     ///< training rows x classes
  std::span<const std::int32_t> labels;  ///< one a row
  std::span<const std::string> classes;
  bool probabilities = false;  ///< whether the scores are probabilities already
  /// How much each row counts, not negative: as so many rows. Empty: 1 each. Only those are given
  /// any whose declaration says takes_weights().
  std::span<const double> weights = {};

  double weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }
};

/// Kind `calibrator`: stands behind a solver and maps the scores of a sample, one a class, to as
/// many others: to probabilities, or to scores whose largest is that of another class. The class
/// that it predicts is that of the largest of its own scores, by predicted_class().
class Calibrator : public Transform {
 public:
  static const KindInfo& kind_info();
  ~Calibrator() override;

  /// As many scores as there are classes come in, and as many go out.
  Layout bind(const Layout& input) override { return input; }

  /// Told before anything runs whose scores it will get. Throws Error where it cannot work with
  /// them: where a parameter names no class, say.
  virtual void check_scores(const AnnouncedScores&) const {}

  /// Learns. All labels are known.
  virtual void fit(const HeldOutScores& held_out, Report& report, Context& context) = 0;

  /// Whether what it gives are probabilities of the classes: not negative, and 1 together.
  virtual bool gives_probabilities() const { return true; }

  /// In how many folds the training rows are held out: a parameter that the declaration of every
  /// calibrator has, and that the runtime acts on.
  std::int64_t folds = usual_folds;

  /// What stays together in these folds, another parameter of every calibrator: `group`, `row`, or
  /// `auto`: groups where the rows have some (Source::gives_groups()).
  std::string folds_by = "auto";

  static constexpr std::int64_t usual_folds = 5;
  static constexpr std::int64_t most_folds = 1000;
};

}  // namespace semblance
