// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "semblance/component.hpp"
#include "semblance/explanation.hpp"
#include "semblance/kind.hpp"
#include "semblance/pairs.hpp"
#include "semblance/report.hpp"
#include "semblance/samples.hpp"
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
  bool probabilities = false;  ///< as in Results
  bool sets = false;           ///< as in Results
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

/// The test pairs as one solver scores them.
struct ScoredPairs {
  std::string solver;             ///< name of its node
  std::span<const float> scores;  ///< f(u, v), one per pair
  const PairSet& pairs;
  std::span<const std::int32_t> labels;  ///< one per pair: +1, -1, or 0 if unknown
};

/// What an evaluator judges: the results that a node gives for the test samples, the scores of test
/// pairs, or the training samples that a node gives.
struct Results {
  /// One row per test sample, at least one. Scores: one column per class. Estimates: one per target
  /// number. Intervals: three per target number, the lower end, the estimate and the upper end.
  /// Novelty: one score, negative where the sample is novel. None of pairs and samples. Scores of
  /// pairs and all outputs are finite, but for ends of intervals, which may be infinite: the
  /// runtime ends a run whose solver gives others, with a message about the sample.
  MatrixView outputs = {};
  std::span<const std::int32_t> labels = {};  ///< one per row; -1 where unknown
  std::span<const std::string> classes = {};
  Lineage lineage = {};
  /// Which of the results that the evaluator declares to judge these are.
  PortType type = PortType::scores;
  /// Whether scores are probabilities: not negative, with sum 1 in each row.
  bool probabilities = false;
  /// Whether scores are sets of classes: a class is in a sample's set if its score is at least 0
  /// (Calibrator::gives_sets()).
  bool sets = false;
  /// IntervalRegressor::normal_quantile(), where intervals are those of normal distributions.
  std::optional<double> normal_quantile = {};
  /// Whether a model is applied to new data, which lack the training samples.
  bool new_data = false;
  std::span<const double> targets = {};  ///< the true numbers, row-major; NaN where unknown
  std::span<const std::string> target_names = {};
  /// Of estimates: the numbers of the training samples, row-major; empty for new data.
  std::span<const double> training_targets = {};
  /// The group of each row, such as a patient (Dataset::groups()); -1 where it is unknown. Empty if
  /// the data have no groups. Rows of a group are not independent: an interval that shows what
  /// other test rows would change draws whole groups.
  std::span<const std::int32_t> groups = {};
  /// That of a row, -1 if it is unknown.
  std::int32_t group(std::size_t row) const { return groups.empty() ? -1 : groups[row]; }

  std::span<const ScoredPairs> pairs = {};  ///< of pair scores: one for each solver
  const TrainingSet* training = nullptr;    ///< of samples

  /// The source's data. Set if probes, samples or explanations are needed.
  const Dataset* data = nullptr;
  /// For each map, the `count` bases most similar to the test sample, the most similar first; ties
  /// go to the first. Empty if no map feeds the solver, and for new data. Set if samples are
  /// needed.
  std::function<std::vector<NearBasis>(std::size_t test_row, std::size_t count)> nearest_bases = {};
  /// Why the solver gives its result for these test samples, one explanation per sample; shares
  /// compare with at most `background` samples. `target` is the place of the explained number among
  /// several. The same as from `semblance explain`. Throws Error in one sentence where the solver
  /// cannot be explained. Set if explanations are needed.
  std::function<std::vector<Explanation>(std::span<const std::size_t> test_rows,
                                         std::size_t background, std::size_t target)>
      explain = {};
  MatrixView probes = {};        ///< the rows returned by probes()
  MatrixView probe_scores = {};  ///< their scores, probes x classes
  /// The support vectors of the solver, or the bases of the maps that feed it, each training sample
  /// once. Empty where there are none or they are not known, and for new data. Set if probes are
  /// needed.
  std::vector<ComparedSample> compared = {};
  /// The contribution of each local model to a sample's score of its assigned class, and the same
  /// for the probes (n x local models). Set if shares are needed and the solver consists of local
  /// models.
  MatrixView shares = {};
  MatrixView probe_shares = {};
};

/// What an evaluator needs besides the results.
struct Needs {
  bool probes = false;         ///< scores of rows other than the test samples: probes() is called
  bool shares = false;         ///< the shares of the solver's local models
  bool samples = false;        ///< the test samples themselves, and the bases nearest to them
  bool explanations = false;   ///< explanations of results
  bool probabilities = false;  ///< scores that are probabilities
  bool sets = false;           ///< scores that are sets of classes

  /// Whether the results alone decide what it reports.
  bool rows_alone() const noexcept { return !probes && !shares && !samples && !explanations; }
};

/// Kind `evaluator`: judges what a node gives. A component derives from it if it judges class
/// scores, and from EvaluatorOf if it judges other results, or several kinds of them.
class Evaluator : public Component {
 public:
  static const KindInfo& kind_info();
  ~Evaluator() override;

  virtual Needs needs() const { return {}; }

  /// Rows in the source's layout (n x layout size) to be scored in addition to the test samples,
  /// for example a grid over the plane. Throws Error if it cannot work with such data.
  virtual FloatMatrix probes(const Dataset& data, Context& context) const;

  /// Called before anything runs, with the results it will judge. Throws Error if it cannot judge
  /// them, for example if a parameter names an unknown class or the scores are not the required
  /// probabilities.
  virtual void check_scores(const AnnouncedScores&) const {}

  virtual void evaluate(const Results& test, Report& report, Context& context) const = 0;
};

/// The interface of evaluators that judge any of these results: scores, estimates, intervals,
/// novelty, pair scores or samples. Each is an input `from` of its own. Pair scores are judged
/// alone; they may come from several solvers tested on the same source.
KindInfo evaluator_of(std::initializer_list<PortType> results);
/// That of all results.
const KindInfo& evaluator_of_any();

/// An evaluator of these results: EvaluatorOf<PortType::scores, PortType::estimates>. The node
/// before it decides which of them it judges, Results::type.
template <PortType... results>
class EvaluatorOf : public Evaluator {
  static_assert(sizeof...(results) == 1 || ((results != PortType::pair_scores) && ...),
                "an evaluator of pair scores takes several solvers, so it judges nothing else");

 public:
  static const KindInfo& kind_info() {
    static const KindInfo info = evaluator_of({results...});
    return info;
  }
};

}  // namespace semblance
