// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "semblance/component.hpp"
#include "semblance/explanation.hpp"
#include "semblance/kind.hpp"
#include "semblance/pairs.hpp"
#include "semblance/report.hpp"
#include "semblance/source.hpp"

namespace semblance {

/// A similarity map between the source and the scores.
struct MapFacts {
  std::string node;
  std::string component;
  std::size_t bases = 0;  ///< columns of the map
  std::size_t width = 0;  ///< values per sample that it compares
  double operations = 0;  ///< floating-point operations for one pair
  std::string samples;    ///< the node whose samples it compares; maps may share it
  std::string basis;      ///< the node that chose its bases; maps may share it
};

/// The origin of scores: the solver and its inputs.
struct Lineage {
  std::string solver;                     ///< id of its component
  std::size_t width = 0;                  ///< values per sample that the solver learned from
  std::size_t train_rows = 0;             ///< samples that it learned from
  std::vector<MapFacts> maps;             ///< in the order of the pipeline
  std::map<std::string, double> figures;  ///< numbers and integers reported by the solver
  std::vector<Table> tables;              ///< its tables
};

/// The facts known about scores, or other results, before they are computed.
struct AnnouncedScores {
  std::string node;    ///< the node that gives them
  std::string solver;  ///< id of its component
  std::span<const std::string> classes;
  bool probabilities = false;  ///< as in Scored
  bool sets = false;           ///< as in Scored
  /// What the node gives: scores, estimates, intervals or novelty.
  PortType output = PortType::scores;
};

/// One of the bases most similar to a test sample.
struct NearBasis {
  std::size_t map = 0;   ///< index into Lineage::maps
  std::size_t row = 0;   ///< a training sample of the data
  float similarity = 0;  ///< as the map gives it
};

/// A training sample that the scores of others are compared with.
struct ComparedSample {
  enum class As : std::uint8_t {
    margin_vector,   ///< a support vector on the margin (VectorRole)
    bounded_vector,  ///< a support vector whose coefficients are at the bound C
    basis            ///< a basis of a similarity map
  };
  std::size_t row = 0;  ///< in the data
  As as = As::basis;
};

/// The input of an evaluator of scores: one row per sample.
struct Scored {
  MatrixView scores;                     ///< samples x classes; of a novelty detector one column
  std::span<const std::int32_t> labels;  ///< one per row; -1 where unknown
  std::span<const std::string> classes;
  Lineage lineage = {};
  /// The source's data; set if probes() returned rows, or wants_samples() or wants_explanations()
  /// is true.
  const Dataset* data = nullptr;
  MatrixView probes = {};        ///< the rows returned by probes()
  MatrixView probe_scores = {};  ///< their scores, probes x classes
  /// The contribution of each local model to a sample's score of its assigned class, and the same
  /// for the probes (n x local models). Set if wants_shares() is true and the solver consists of
  /// local models.
  MatrixView shares = {};
  MatrixView probe_shares = {};
  bool probabilities = false;  ///< whether the scores are probabilities: not negative, with sum
                               ///< 1 in each row
  /// For each map, the `count` bases most similar to the test sample, the most similar first; ties
  /// go to the first. Empty if no map feeds the solver, and if a model is applied to new data,
  /// which lack the training samples. Set if wants_samples() is true.
  std::function<std::vector<NearBasis>(std::size_t test_row, std::size_t count)> nearest_bases = {};
  /// Why the solver gives its result for these test samples, one explanation per sample; shares
  /// compare with at most `background` samples. The same as from `semblance explain`. Throws Error
  /// in one sentence where the solver cannot be explained. Set if wants_explanations() is true.
  std::function<std::vector<Explanation>(std::span<const std::size_t> test_rows,
                                         std::size_t background)>
      explain = {};
  /// Whether a model is applied to new data, which lack the training samples.
  bool new_data = false;
  /// The support vectors of the solver, or the bases of the maps that feed it, each training sample
  /// once. Empty where there are none or they are not known, and for new data. Set if
  /// wants_probes() is true.
  std::vector<ComparedSample> compared = {};
  /// Whether the scores are sets of classes: a class is in a sample's set if its score is at least
  /// 0 (Calibrator::gives_sets()).
  bool sets = false;
  /// Whether a novelty detector gave the scores: one per sample, negative where it is novel.
  bool novelty = false;
};

/// The input of an evaluator of estimates.
struct Estimated {
  MatrixView estimates;                ///< samples x target numbers
  std::span<const double> targets;     ///< the true numbers, row-major; NaN where unknown
  std::span<const std::string> names;  ///< of the target numbers
  Lineage lineage = {};
  /// The numbers of the training samples, row-major; empty where a model is applied to new data.
  std::span<const double> training_targets = {};
  /// As in Scored.
  const Dataset* data = nullptr;
  std::function<std::vector<NearBasis>(std::size_t test_row, std::size_t count)> nearest_bases = {};
  /// As in Scored, of one of the target numbers. Set if wants_explanations() is true.
  std::function<std::vector<Explanation>(std::span<const std::size_t> test_rows, std::size_t target,
                                         std::size_t background)>
      explain = {};
  bool new_data = false;  ///< as in Scored
};

/// The input of an evaluator of intervals.
struct Intervals {
  /// Samples x 3 target numbers: lower end, estimate and upper end of each.
  MatrixView intervals;
  std::span<const double> targets;     ///< the true numbers, row-major; NaN where unknown
  std::span<const std::string> names;  ///< of the target numbers
  Lineage lineage = {};
};

/// Kind `evaluator`: judges what a solver or calibrator gives the test samples. A component derives
/// from it if it judges class scores, and from EvaluatorOf if it judges other results, or several.
class Evaluator : public Component {
 public:
  static const KindInfo& kind_info();
  ~Evaluator() override;

  /// Whether it needs scores of rows other than the test samples; then probes() is called.
  virtual bool wants_probes() const { return false; }

  /// Rows in the source's layout (n x layout size) to be scored in addition to the test samples,
  /// for example a grid over the plane. Throws Error if it cannot work with such data.
  virtual FloatMatrix probes(const Dataset& data, Context& context) const;

  /// Whether it needs the shares of the solver's local models.
  virtual bool wants_shares() const { return false; }

  /// Whether it reads the test samples themselves; then Scored::data and nearest_bases are set.
  virtual bool wants_samples() const { return false; }

  /// Whether it explains scores; then Scored::data, explain and new_data are set.
  virtual bool wants_explanations() const { return false; }

  /// Whether it requires probabilities.
  virtual bool wants_probabilities() const { return false; }

  /// Whether it requires sets of classes.
  virtual bool wants_sets() const { return false; }

  /// Called before anything runs, with the results it will judge. Throws Error if it cannot judge
  /// them, for example if a parameter names an unknown class or the scores are not the required
  /// probabilities.
  virtual void check_scores(const AnnouncedScores&) const {}

  /// Judges class scores, or those of a novelty detector. This and the next two must be defined for
  /// the results that the component declares to judge.
  virtual void evaluate(const Scored& test, Report& report, Context& context) const;
  virtual void evaluate_estimates(const Estimated& test, Report& report, Context& context) const;
  virtual void evaluate_intervals(const Intervals& test, Report& report, Context& context) const;
};

/// The interface of evaluators that judge any of these results: scores, estimates, intervals or
/// novelty. Each is an input `from` of its own.
KindInfo evaluator_of(std::initializer_list<PortType> results);
/// That of all results.
const KindInfo& evaluator_of_any();

/// An evaluator of these results: EvaluatorOf<PortType::scores, PortType::estimates>. The node
/// before it decides which of them it judges.
template <PortType... results>
class EvaluatorOf : public Evaluator {
 public:
  static const KindInfo& kind_info() {
    static const KindInfo info = evaluator_of({results...});
    return info;
  }
};

/// Also of kind `evaluator`: judges the training samples that a node gives, such as a similarity
/// map, instead of scores.
class SampleEvaluator : public Component {
 public:
  static const KindInfo& kind_info();
  ~SampleEvaluator() override;
  virtual void evaluate(const TrainingSet& training, Report& report, Context& context) const = 0;
};

/// The test pairs as one solver scores them.
struct ScoredPairs {
  std::string solver;             ///< name of its node
  std::span<const float> scores;  ///< f(u, v), one per pair
  const PairSet& pairs;
  std::span<const std::int32_t> labels;  ///< one per pair: +1, -1, or 0 if unknown
};

/// Also of kind `evaluator`: judges how well positive and negative pairs are distinguished. It
/// takes one or more solvers tested on the same source.
class PairEvaluator : public Component {
 public:
  static const KindInfo& kind_info();
  ~PairEvaluator() override;
  virtual void evaluate(std::span<const ScoredPairs> tests, Report& report,
                        Context& context) const = 0;
};

}  // namespace semblance
