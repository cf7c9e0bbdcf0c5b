// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "report/drawn_sample.hpp"
#include "runtime/graph/node.hpp"
#include "runtime/rows/row_tags.hpp"
#include "semblance/pairs.hpp"
#include "semblance/samples.hpp"

namespace semblance {

/// What predicting has left behind.
struct Predicted {
  std::vector<std::filesystem::path> files;
  std::size_t rows = 0;
  std::size_t pairs = 0;
};

/// A node that is trained and then scores rows, or pairs of them.
class ScoringNode : public Node {
 public:
  using Node::scoring;
  ScoringNode* scoring() override { return this; }
  void drop_rows() override {
    training.reset();
    test_labels = {};
    tags = {};
    samples = {};
  }

  /// Where it scores pairs: those that it was tested on, and how many it learned from (0 where they
  /// were not chosen again).
  virtual const PairSet* tested_pairs() const { return nullptr; }
  virtual std::size_t trained_pairs(const Session&) const { return 0; }

  /// Learns from its one input's rows, which are kept anyway.
  virtual void borrow_training(Session& session) = 0;

  /// Its rows are scored, and the data are still open: takes what is to be known of them later.
  virtual void scored(Session&) {}

  /// The run is over, and the scores are still there: reports what is only known now.
  virtual void complete(Session&) {}

  /// What `scored` has taken, beside the scores in the store.
  virtual void save_labels(const std::filesystem::path&) const {}
  virtual void load_labels(const std::filesystem::path&) {}

  /// Writes the scores below `folder` as NAME.csv and NAME.npy.
  virtual std::vector<std::filesystem::path> write_scores(const Session& session,
                                                          const std::filesystem::path& folder,
                                                          const std::string& name) const = 0;

  /// Of each row or pair that was scored, whether it is right.
  virtual std::vector<std::uint8_t> correct(const Session& session) const = 0;

  /// Scores new data and writes the predictions.
  virtual Predicted predict(Session& session) = 0;

  /// Whether the label of everything that was scored is known.
  virtual bool all_labelled() const = 0;

  std::shared_ptr<const Rows> training;   ///< what it learns from: its inputs' rows side by side
  std::vector<std::int32_t> test_labels;  ///< with its scores
  RowTags tags;                           ///< of the rows that were scored; of pairs: of all rows
  std::vector<DrawnSample> samples;       ///< some of the rows that were scored
};

/// The scores that node i has given.
MatrixView scores_of(const Session& session, std::size_t i);

}  // namespace semblance
