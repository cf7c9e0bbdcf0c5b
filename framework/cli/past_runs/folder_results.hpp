// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "history/history.hpp"
#include "pipeline/yaml/yaml_tree.hpp"
#include "semblance/component_info.hpp"

namespace semblance::cli {

/// A figure that a node of a run reported, or the mean of a study's metric over the blocks of one
/// method.
struct ReportedFigure {
  std::string node;  ///< or the method of a study
  std::string figure;
  double value = 0;
  FigureUnit unit = FigureUnit::plain;
  Better better = Better::none;
  bool headline = false;  ///< of a study: the method is the best, or one of several equal ones
};

/// A curve that a node reported.
struct ReportedCurve {
  std::string node;
  std::string name;
  std::vector<double> x, y;  ///< NaN: no value
};

/// The results in the folder of a run (metrics.json) or of a study (study.json).
struct FolderResults {
  std::string kind;  ///< "run", "study"
  std::string name;
  std::uint64_t seed = 0;
  double wall_seconds = 0;
  std::string stopped_by;                                  ///< empty: it ran to its end
  std::vector<std::pair<std::string, std::string>> nodes;  ///< of a run, with their components
  std::vector<ReportedFigure> figures;
  std::vector<ReportedCurve> curves;
  nlohmann::ordered_json metrics;  ///< of a run: metrics.json
};

/// Reads either. Where no evaluator judged a run, the figure that chose its parameters is among its
/// own. Throws Error if the folder has neither file, or where they cannot be read.
/// Untrusted files are only a matter of right or wrong results.
FolderResults read_results(const std::filesystem::path& folder);

/// Reads metrics.json: what the nodes reported.
FolderResults read_run(const std::filesystem::path& folder);

/// The data that a folder of `suggest` has suggested a method for; empty for other folders.
std::string suggested_data(const std::filesystem::path& folder);

/// The figures of results that a list shows: the headline figures of a run's evaluators, those
/// where lower is better first; the best methods of a study.
std::vector<ReportedFigure> headline_figures(const FolderResults& results);

/// pipeline.yaml, or study.yaml; its places are not valid. Throws Error if it is missing or
/// damaged.
YamlNode read_definition(const std::filesystem::path& folder);

/// The parameters in a folder as written in its definition, with their paths below `nodes`:
/// {"svm.C", "1"}. Empty if there is no such file; throws Error if it is damaged.
std::vector<std::pair<std::string, std::string>> read_parameters(
    const std::filesystem::path& folder);

/// The figures of an entry of the history.
std::vector<ReportedFigure> figures_of(const HistoryEntry& entry);

/// Puts figures into an entry of the history.
void set_figures(HistoryEntry& entry, const std::vector<ReportedFigure>& figures);

/// Whether the results are those of the entry: a later run may have replaced them in its folder.
bool belong_to(const FolderResults& results, const HistoryEntry& entry);

}  // namespace semblance::cli
