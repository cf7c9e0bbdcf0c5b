// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "semblance/component.hpp"
#include "semblance/pairs.hpp"
#include "semblance/report.hpp"
#include "semblance/source.hpp"

namespace semblance {

/// A similarity map on the way from the source to the scores.
struct MapFacts {
  std::string node;
  std::string component;
  std::size_t bases = 0;  ///< columns of the map
  std::size_t width = 0;  ///< values a sample that it compares
  double operations = 0;  ///< floating-point operations for one pair
  std::string samples;    ///< the node whose rows it compares; maps may share it
  std::string basis;      ///< the node that chose its bases; maps may share it
};

/// How scores came about: the solver and what feeds it.
struct Lineage {
  std::string solver;                     ///< id of its component
  std::size_t width = 0;                  ///< values a row that the solver learned from
  std::size_t train_rows = 0;             ///< rows that it learned from
  std::vector<MapFacts> maps;             ///< in the order of the pipeline
  std::map<std::string, double> figures;  ///< numbers and integers that the solver reported
  std::vector<Table> tables;              ///< and its tables
};

/// What is known of scores before there are any.
struct AnnouncedScores {
  std::string node;    ///< that gives them
  std::string solver;  ///< id of its component
  std::span<const std::string> classes;
  bool probabilities = false;  ///< as in Scored
};

/// One of the bases that a test sample is most similar to.
struct NearBasis {
  std::size_t map = 0;   ///< index into Lineage::maps
  std::size_t row = 0;   ///< of the data: a training row
  float similarity = 0;  ///< as the map gives it
};

/// What is judged: one row of class scores a sample.
struct Scored {
  MatrixView scores;                     ///< samples x classes
  std::span<const std::int32_t> labels;  ///< one a row; -1 where unknown
  std::span<const std::string> classes;
  Lineage lineage = {};
  /// What the source read; set where probes() gave rows, and where wants_samples().
  const Dataset* data = nullptr;
  MatrixView probes = {};        ///< the rows that probes() gave
  MatrixView probe_scores = {};  ///< and their scores, probes x classes
  /// How much each local model contributes to a sample's score of the class it is assigned to, and
  /// the same of the probes (n x local models); set where wants_shares() and the solver is made of
  /// local models.
  MatrixView shares = {};
  MatrixView probe_shares = {};
  bool probabilities = false;  ///< whether the scores are probabilities: not negative, each row
                               ///< adds up to 1
  /// Of each map, the `count` bases that the test row is most similar to, the most similar one
  /// first, of equal ones the first. None where no map feeds the solver, and where a model is
  /// applied to new data, which lack the training rows. Set where wants_samples().
  std::function<std::vector<NearBasis>(std::size_t test_row, std::size_t count)> nearest_bases = {};
};

/// Kind `evaluator`: judges scores.
class Evaluator : public Component {
 public:
  static const KindInfo& kind_info();
  ~Evaluator() override;

  /// Whether it wants scores of other rows than the test rows; then probes() is called.
  virtual bool wants_probes() const { return false; }

  /// Rows as the source gives them (n x layout size), to be scored besides the test rows: a grid
  /// over the plane, say. Throws Error where it cannot work with such data.
  virtual FloatMatrix probes(const Dataset& data, Context& context) const;

  /// Whether it wants to know which of the solver's local models serve a sample (LocalModels).
  virtual bool wants_shares() const { return false; }

  /// Whether it looks at the test samples behind the scores; then Scored::data and nearest_bases
  /// are set.
  virtual bool wants_samples() const { return false; }

  /// Whether it can judge nothing but probabilities.
  virtual bool wants_probabilities() const { return false; }

  /// Told before anything runs what it will judge. Throws Error where it cannot: where a parameter
  /// names no class, say, or where it wants probabilities.
  virtual void check_scores(const AnnouncedScores&) const {}

  virtual void evaluate(const Scored& test, Report& report, Context& context) const = 0;
};

/// Kind `evaluator` too: judges the training rows that a node gives, such as a similarity map,
/// instead of scores.
class SampleEvaluator : public Component {
 public:
  static const KindInfo& kind_info();
  ~SampleEvaluator() override;
  virtual void evaluate(const TrainingSet& training, Report& report, Context& context) const = 0;
};

/// The test pairs as one solver scores them.
struct ScoredPairs {
  std::string solver;             ///< name of its node
  std::span<const float> scores;  ///< f(u, v), one a pair
  const PairSet& pairs;
  std::span<const std::int32_t> labels;  ///< one a pair: +1, -1, or 0 where unknown
};

/// Kind `evaluator` too: judges how well pairs are told apart. It takes one solver or several that
/// were tested on the same source.
class PairEvaluator : public Component {
 public:
  static const KindInfo& kind_info();
  ~PairEvaluator() override;
  virtual void evaluate(std::span<const ScoredPairs> tests, Report& report,
                        Context& context) const = 0;
};

}  // namespace semblance
