// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "runtime/graph/node.hpp"
#include "runtime/rows/row_tags.hpp"
#include "semblance/pairs.hpp"
#include "semblance/samples.hpp"

namespace semblance {

/// The result of a prediction.
struct Predicted {
  std::vector<std::filesystem::path> files;
  std::size_t rows = 0;
  std::size_t pairs = 0;
};

/// A node that is trained and then scores samples, or pairs of them.
class ScoringNode : public Node {
 public:
  void drop_rows() override {
    training.reset();
    test_labels = {};
    test_targets = {};
    test_groups = {};
    tags = {};
    samples = nlohmann::ordered_json::array();
  }

  /// For a scorer of pairs: the test pairs, and the number of training pairs (0 where they were not
  /// chosen again).
  virtual const PairSet* tested_pairs() const { return nullptr; }
  virtual std::size_t trained_pairs(const Compilation&) const { return 0; }

  /// Learns from its one input's rows, which are retained anyway.
  virtual void borrow_training(RunProgress& progress, RunData& data) = 0;

  /// Called when its samples are scored and the data are still open: collects what is needed of the
  /// data later.
  virtual void scored(RunProgress&, RunData&) {}

  /// Called when the run is over and the scores are still there: reports what is only known now.
  virtual void complete(RunProgress&) {}

  /// Writes the part of its state that belongs in the store but not in a model.
  virtual void save_results(const RunProgress&, const std::filesystem::path&) const {}
  virtual void load_results(RunProgress&, RunData&, const std::filesystem::path&) {}

  /// Saves what `scored` has collected, besides the scores in the store.
  virtual void save_labels(const std::filesystem::path&) const {}
  virtual void load_labels(const std::filesystem::path&) {}

  /// Writes the scores below `folder` as NAME.csv and NAME.npy.
  virtual std::vector<std::filesystem::path> write_scores(const RunProgress& progress,
                                                          const std::filesystem::path& folder,
                                                          const std::string& name) const = 0;

  /// Whether each scored sample or pair is right; empty where no answer is simply right or wrong.
  virtual std::vector<std::uint8_t> correct(const RunProgress& progress) const = 0;

  /// Scores new data and writes the predictions.
  virtual Predicted predict(RunProgress& progress, RunData& data) = 0;

  /// Whether the labels of all scored samples or pairs are known.
  virtual bool all_labelled() const = 0;

  std::shared_ptr<const Rows> training;   ///< what it learns from: its inputs' rows side by side
  std::vector<std::int32_t> test_labels;  ///< with its scores
  /// With estimates: the true numbers, row-major; NaN where unknown.
  std::vector<double> test_targets;
  std::vector<std::int32_t> test_groups;  ///< Dataset::groups(); empty: none
  RowTags tags;                           ///< of the scored samples; for pairs: of all samples
  /// Some of the scored samples (drawn_samples()).
  nlohmann::ordered_json samples = nlohmann::ordered_json::array();
};

/// The scores that node i has computed.
MatrixView scores_of(const RunProgress& progress, std::size_t i);

}  // namespace semblance
