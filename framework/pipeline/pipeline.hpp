// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/yaml/source_text.hpp"
#include "registry/catalogue.hpp"
#include "registry/component_config.hpp"

namespace semblance {

/// The nodes that feed one input port, in the order given.
struct PipelineInput {
  std::string port;
  std::vector<std::size_t>
      nodes;  ///< indices into Pipeline::nodes, all smaller than the node's own
};

/// The samples that folds do not split.
enum class FoldsBy {
  data,   ///< groups where the data have any, otherwise single samples
  group,  ///< groups, which the data must have
  row     ///< single samples
};

/// For a source: one fold of a cross-validation. See runtime/sources/folds.hpp.
struct Fold {
  std::size_t index = 0;   ///< in [0, count): the part that is held out
  std::size_t count = 0;   ///< 0: no cross-validation, all samples unchanged
  std::uint64_t seed = 0;  ///< of the partition
  /// The single fold of leave-one-out: all training samples are learned from and then tested, each
  /// with a model that leaves it out.
  bool each_row = false;
  /// The folds that this is a fold of, the outermost first: their training samples are split again.
  std::vector<Fold> within = {};
  /// It is a repeat of a study: measurements on it are results, which are compared.
  bool repeat = false;
  /// Samples are assigned one by one, even where the data have groups (Dataset::groups()), which
  /// otherwise stay together.
  bool by_row = false;

  friend bool operator==(const Fold&, const Fold&) = default;
};

/// A node whose name a component sees, and that name; see pipeline/shown_names.hpp.
struct ShownNode {
  std::size_t node = 0;  ///< index into Pipeline::nodes
  std::string name;
};

/// One checked node.
struct PipelineNode {
  std::string name;
  Position position;
  const Catalogue::Entry* entry = nullptr;  ///< lives as long as the catalogue
  ComponentConfig component;
  std::vector<FigureInfo> figures;  ///< figures that it may report; see figures_of()
  std::vector<PipelineInput> inputs;
  std::uint64_t seed = 0;            ///< the node's own, or the pipeline's
  bool seed_by_name = false;         ///< it was mixed from the pipeline's and the node's name
  std::size_t origin = 0;            ///< index of the source of its samples
  std::optional<LayoutKind> layout;  ///< of its samples, if it outputs samples
  Fold fold;                         ///< of a source
  /// A copy of another node that scores held-out samples for a calibrator, or leads to one that
  /// does. It is not part of the pipeline as written. See pipeline/held_out.hpp.
  bool held_out = false;
  /// A solver whose training also scores each training sample without it (LeftOutScores), for a
  /// calibrator with `folds: leave_one_out`. Nor is that part of the pipeline as written.
  bool scores_left_out = false;
  /// For a source of such a copy: whether something learns from the classes of its samples, so that
  /// every fold needs samples of each class. A novelty detector does not.
  bool needs_classes = false;
  /// In a graph merged from several pipelines: the nodes whose names its component sees, with their
  /// names in its own pipeline.
  std::optional<std::vector<ShownNode>> shown = {};

  const ComponentInfo& info() const noexcept { return entry->info; }
};

/// A checked, typed graph, which the runtime compiles. Nodes are in topological order; ties follow
/// the order of the file.
struct Pipeline {
  std::string name;
  std::string description;
  std::uint64_t seed = 0;
  std::filesystem::path file;
  std::vector<PipelineNode> nodes;
};

}  // namespace semblance
