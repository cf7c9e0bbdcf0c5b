// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "semblance/component.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/report.hpp"

namespace semblance {

/// The categories of a calibrator's training samples: the values that they have in its column
/// (HeldOutCalibrator::by_column).
struct HeldOutCategories {
  std::span<const std::int32_t> of = {};    ///< one per sample, not negative; empty: none
  std::span<const std::string> names = {};  ///< one per category: "city=Oslo"

  /// Samples without categories are all in one, which has no name.
  std::size_t count() const { return of.empty() ? 1 : names.size(); }
  std::size_t at(std::size_t row) const {
    return of.empty() ? 0 : static_cast<std::size_t>(of[row]);
  }
  std::string name(std::size_t category) const { return of.empty() ? "" : names[category]; }
};

/// The training data of a calibrator: scores of the training samples by solvers that have not
/// learned from them. For each fold, everything before the calibrator learns from the samples of
/// the other folds and scores those of this one.
struct HeldOutScores {
  MatrixView scores;                     ///< training samples x classes
  std::span<const std::int32_t> labels;  ///< one per row
  std::span<const std::string> classes;
  bool probabilities = false;  ///< whether the scores are probabilities already
  /// The weight of each sample, not negative: weight 2 counts as two samples. Empty: 1 each. Only
  /// calibrators declared takes_weights() are given weights.
  std::span<const double> weights = {};
  /// The group of each sample, not negative; empty if there are none, or if folds divide groups
  /// (HeldOutCalibrator::folds_by). Samples of one group are not exchangeable with others.
  std::span<const std::int32_t> groups = {};
  HeldOutCategories categories = {};

  double weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }
  /// -1 if there are no groups.
  std::int32_t group(std::size_t row) const { return groups.empty() ? -1 : groups[row]; }
};

/// The training data of a calibrator of numbers, in the same way.
struct HeldOutEstimates {
  /// Training samples x target numbers, or x 3 for each of them: the regressor's intervals.
  MatrixView estimates;
  std::span<const double> targets;  ///< the true numbers, row-major, all finite
  std::span<const std::string> names;
  std::span<const double> weights = {};       ///< as in HeldOutScores
  std::span<const std::int32_t> groups = {};  ///< as in HeldOutScores
  HeldOutCategories categories = {};

  double weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }
  std::int32_t group(std::size_t row) const { return groups.empty() ? -1 : groups[row]; }
};

/// The training data of a calibrator of novelty scores, in the same way: only samples that the
/// detector would have learned from (NoveltyDetector::learned_class()).
struct HeldOutNovelty {
  std::span<const float> scores;
  std::span<const double> weights = {};       ///< as in HeldOutScores
  std::span<const std::int32_t> groups = {};  ///< as in HeldOutScores

  double weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }
  std::int32_t group(std::size_t row) const { return groups.empty() ? -1 : groups[row]; }
};

/// The base of all calibrators. For each fold of the training samples, a solver learns from the
/// other folds, and the calibrator learns from its outputs for the held-out samples of all folds.
class HeldOutCalibrator : public Transform {
 public:
  ~HeldOutCalibrator() override;

  /// The number of folds for held-out scores, or leave_one_out: then each sample is held out alone,
  /// by a solver with LeftOutScores. A parameter of every calibrator, which the runtime applies.
  std::int64_t folds = usual_folds;

  /// The unit that stays together in a fold, another parameter of every calibrator: `group`, `row`,
  /// or `auto`, which means groups if the samples have them (Source::gives_groups()).
  std::string folds_by = "auto";

  /// A parameter of some calibrators: the column of the source, as of a table of numbers and
  /// categories, by whose values they divide the samples into categories. The runtime finds out the
  /// category of each sample. Empty: there are none.
  std::string by_column;

  /// apply() for samples of one category; -1: of none that training samples had. Called instead of
  /// apply() if there are categories.
  virtual void apply_within(std::int32_t category, MatrixView in, MutableMatrixView out,
                            Context& context) const;

  static constexpr std::int64_t leave_one_out = 0;
  static constexpr std::int64_t usual_folds = 5;
  static constexpr std::int64_t most_folds = 1000;
};

/// Kind `calibrator`: follows a solver and maps the class scores of a sample to as many new scores:
/// to probabilities, to sets of classes, or to scores whose largest may be that of another class.
/// The predicted class is that of its own largest score, by predicted_class().
class Calibrator : public HeldOutCalibrator {
 public:
  static const KindInfo& kind_info();
  ~Calibrator() override;

  /// Input and output have one score per class.
  Layout bind(const Layout& input) override { return input; }

  /// Called before anything runs, with the scores it will get. Throws Error if it cannot work with
  /// them, for example if a parameter names an unknown class.
  virtual void check_scores(const AnnouncedScores&) const {}

  /// Learns from scores whose labels are all known.
  virtual void fit(const HeldOutScores& held_out, Report& report, Context& context) = 0;

  /// Whether its output is class probabilities: not negative, with sum 1.
  virtual bool gives_probabilities() const { return true; }

  /// Whether its output is sets of classes: a class is in a sample's set if its score is at least
  /// 0. Then it gives no probabilities.
  virtual bool gives_sets() const { return false; }
};

/// Also of kind `calibrator`: follows a Regressor and gives intervals. The row of a sample has, for
/// each target number, the lower end of the interval, the estimate as it was, and the upper end.
/// The ends may be infinite.
class IntervalCalibrator : public HeldOutCalibrator {
 public:
  static const KindInfo& kind_info();
  ~IntervalCalibrator() override;

  Layout bind(const Layout& input) override { return Layout::vector(3 * input.size()); }

  virtual void fit(const HeldOutEstimates& held_out, Report& report, Context& context) = 0;
};

/// Also of kind `calibrator`: follows an IntervalRegressor and gives other intervals, in the same
/// form.
class IntervalCorrector : public IntervalCalibrator {
 public:
  static const KindInfo& kind_info();
  ~IntervalCorrector() override;

  Layout bind(const Layout& input) override { return input; }
};

/// Also of kind `calibrator`: follows a NoveltyDetector and gives other scores with the same
/// meaning: at least 0 for a usual sample.
class NoveltyCalibrator : public HeldOutCalibrator {
 public:
  static const KindInfo& kind_info();
  ~NoveltyCalibrator() override;

  Layout bind(const Layout& input) override { return input; }

  virtual void fit(const HeldOutNovelty& held_out, Report& report, Context& context) = 0;

  /// Whether a sample's score depends on its batch: all test samples, all samples of a prediction,
  /// or those of a request. judge() then follows apply().
  virtual bool judges_batches() const { return false; }
  /// Changes the scores that apply() has given the samples of a batch.
  virtual void judge(std::span<float>) const {}
};

}  // namespace semblance
