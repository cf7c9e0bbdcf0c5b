// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runtime/trained/trained.hpp"
#include "semblance/row_lines.hpp"
#include "semblance_tables/model_row.hpp"

namespace semblance::serving {

/// A basis similar to a row.
struct NearestBasis {
  std::string map;        ///< the similarity map
  std::size_t basis = 0;  ///< its column there
  std::int64_t row = 0;   ///< of the training data, counted from 0
  float similarity = 0;
};

/// A trained model that scores rows on request. All const members may be called from several
/// threads at once.
class ServedModel {
 public:
  /// `node`: the node whose scores are requested; empty: the only one. `checking`: where the
  /// samples of pairs are. Throws Error where the folder is not a model, or the node does not score
  /// rows one by one.
  ServedModel(const std::filesystem::path& folder, std::shared_ptr<const Catalogue> catalogue,
              const RunOptions& options, const std::string& node,
              const CheckOptions& checking = {});
  /// Takes a trained pipeline.
  ServedModel(std::unique_ptr<Trained> trained, const std::string& node);

  const std::string& name() const noexcept { return trained_->pipeline().name; }
  const std::string& hash() const noexcept { return hash_; }
  const std::string& node() const noexcept { return node_; }
  const std::string& source_name() const;
  const Layout& layout() const { return trained_->input_layout(node_); }
  /// Whether rows are pairs of samples that requests name.
  bool of_pairs() const noexcept { return pairs_ != nullptr; }
  /// The layout of the rows that score() takes: layout(), or of pairs the positions of both
  /// samples.
  const Layout& row_layout() const { return of_pairs() ? positions_ : layout(); }
  /// Reads the values of rows.
  ModelRow row() const { return {trained_on_, format_, rules_}; }
  /// What a row gets: a score per class, an estimate or an interval per number, or a novelty score.
  PortType gives() const { return trained_->output_type(node_); }
  /// Whether it gets a set of classes, those with a score of at least 0.
  bool gives_sets() const { return trained_->gives_sets(node_); }
  bool gives_probabilities() const { return trained_->gives_probabilities(node_); }
  const std::vector<std::string>& classes() const { return trained_->classes(node_); }
  const std::vector<std::string>& targets() const { return trained_->targets(node_); }
  /// How many values a row gets.
  std::size_t values() const { return trained_->output_layout(node_).size(); }
  /// Reads lines of CSV as the model's source reads its files. Must not outlive the model.
  std::unique_ptr<RowLines> csv_lines() const;
  /// Reads rows that are given as texts. nullptr if the model's rows are not made from texts. Must
  /// not outlive the model.
  std::unique_ptr<RowTexts> row_texts() const;
  /// In LIBSVM's format: the index of a row's first value. Nothing where the model's training files
  /// allow both 0 and 1.
  std::optional<std::size_t> first_index() const noexcept { return first_index_; }

  /// The values of these rows, with the same bits as from `predict`; where a row's values depend on
  /// all rows of a request, judge() must follow.
  void score(MatrixView rows, MutableMatrixView scores) const;
  bool judges_requests() const { return trained_->judges_batches(node_); }
  void judge(MutableMatrixView scores) const { trained_->judge(node_, scores); }

  /// For each similarity map before the node, the bases most similar to one row.
  std::vector<NearestBasis> nearest(MatrixView row, std::size_t count) const;
  /// One basis, in the form of the rows that its map compares it with. Throws Error where there is
  /// none, or the map has not retained it.
  nlohmann::ordered_json basis(const std::string& map, std::size_t column) const;

  /// The warnings of components since the last call.
  std::vector<std::string> warnings() const { return trained_->later_warnings(); }

  /// Classes, columns, layout and pipeline.
  nlohmann::ordered_json description() const;

 private:
  void examine(const std::string& node);
  void open_pairs();

  std::unique_ptr<Trained> trained_;
  std::string node_;
  std::string hash_;
  std::string pipeline_;
  std::unique_ptr<NamedPairs> pairs_;  ///< nullptr: rows are no pairs
  Layout positions_ = Layout::vector(2);
  const Source* source_ = nullptr;  ///< of the rows
  NewData trained_on_;  ///< what the source may know about the model; the columns of pairs
  TableFormat format_;
  ModelRowRules rules_;
  std::string text_name_;  ///< of rows that are made from texts; else empty
  std::vector<std::string> maps_;
  std::optional<std::size_t> first_index_;
};

/// Throws Error for rows of pairs in a form that has numbers only.
[[noreturn]] void refuse_numbers();

}  // namespace semblance::serving
