// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "registry/figures.hpp"
#include "report/selection_record.hpp"
#include "semblance/report.hpp"

namespace semblance {

/// The samples that a solver learned from and was tested on; they relate the figures of two runs.
struct RowsRecord {
  std::size_t train = 0;  ///< how many samples it learned from; pairs if only these are held out
  std::size_t test = 0;
  /// Identifies the test samples, or pairs, by content and order: if it is equal, sample i is the
  /// same. Empty: there are none.
  std::string tested;
  /// Identifies the files of the samples, each by content, and all samples together regardless of
  /// order: results that share an entry have samples in common.
  std::vector<std::string> drawn_from;
  std::vector<std::int32_t> groups = {};  ///< Results::groups of the test samples
};

/// When and on which machine figures were measured that a run did not measure itself.
struct Measured {
  std::string date;  ///< ISO 8601, UTC
  std::size_t threads = 0;
  std::string processor;  ///< its kind

  friend bool operator==(const Measured&, const Measured&) = default;
};

/// The kind of a component: the part of its id before the slash.
inline std::string_view kind_of(std::string_view id) noexcept { return id.substr(0, id.find('/')); }

/// The part of one node in a run.
struct NodeRecord {
  std::string name;
  std::string component;
  std::string summary;              ///< the component's description in one sentence
  std::vector<std::string> inputs;  ///< names of the nodes that feed it
  std::vector<FigureInfo> figures;  ///< that it may report, with their meaning
  nlohmann::ordered_json parameters = nlohmann::ordered_json::object();
  double seconds = 0;           ///< busy, summed over threads for streaming nodes
  double learning_seconds = 0;  ///< of these, before it maps the first row
  bool cached = false;          ///< taken from the artifact store
  std::size_t bytes = 0;        ///< of its output, if retained
  nlohmann::ordered_json metrics = nlohmann::ordered_json::object();  ///< scalars reported
  std::vector<Curve> curves;
  std::vector<Table> tables;
  std::vector<PlaneMap> plane_maps;
  std::vector<nlohmann::ordered_json> sample_lists;  ///< of drawn_list()
  std::vector<Drawing> drawings;
  std::vector<nlohmann::ordered_json> explanations;  ///< of drawn_explanations()
  /// Some of a solver's test samples, from sample_to_json().
  nlohmann::ordered_json samples = nlohmann::ordered_json::array();
  std::optional<Measured> measured = {};  ///< when the report was measured, if it is from the store
  std::optional<RowsRecord> rows;         ///< of a solver, once its test samples are scored

  std::string_view kind() const noexcept { return kind_of(component); }
  /// The meaning of a figure that it reported.
  FigureInfo figure(std::string_view figure_name) const {
    const FigureInfo* found = figure_named(figures, figure_name);
    return found ? *found : FigureInfo{.name = std::string(figure_name), .documentation = {}};
  }
};

/// One of the processes that made a run together.
struct RankRecord {
  std::string place;           ///< the machine that it ran on
  std::size_t sent_bytes = 0;  ///< to other ranks
  std::size_t peak_memory_bytes = 0;
};

/// The complete record of a finished run: the content of metrics.json and the report.
struct RunRecord {
  std::string pipeline;
  std::string description;
  std::string command;  ///< the command that repeats it
  std::string version;  ///< of Semblance
  std::string started;  ///< ISO 8601, UTC
  std::uint64_t seed = 0;
  std::size_t threads = 0;
  std::string device;             ///< the GPU that components could use; empty: none
  std::vector<RankRecord> ranks;  ///< empty where one process ran alone
  std::size_t memory_budget = 0;
  std::size_t peak_memory_bytes = 0;
  double wall_seconds = 0;
  double choosing_seconds = 0;    ///< of these, spent on choosing parameters first
  std::string stopped_by;         ///< the cause of the stop; empty where it ran to its end
  std::string resolved_pipeline;  ///< with all parameters filled in; empty where there is no folder
  std::vector<std::pair<std::string, std::string>> files;    ///< data files and their checksums
  std::vector<std::pair<std::string, std::string>> plugins;  ///< "NAME VERSION" and checksum
  std::vector<NodeRecord> nodes;                             ///< in topological order
  std::optional<SelectionRecord> selection;                  ///< how parameters were chosen before
                                                             ///< the run
  std::string graph_svg;              ///< picture of the pipeline for the report; may be empty
  std::vector<std::string> warnings;  ///< shown at the top of the report
};

}  // namespace semblance
