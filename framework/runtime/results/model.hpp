// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/session/run_progress.hpp"
#include "runtime/store/folder.hpp"
#include "support/files/file_state.hpp"

namespace semblance {

/// The version of model.json.
inline constexpr int model_version = 3;

/// A plugin that a model takes components from.
struct ModelPlugin {
  std::string name;
  std::string version;
  std::string file;                     ///< its name, without the folder
  std::vector<std::string> components;  ///< their ids
};

/// A trained model on disk or in memory: the pipeline, the shapes it was trained with, a folder
/// with the state of each node that has one.
struct Model {
  Folder folder = std::filesystem::path();
  std::string checksum;  ///< of model.json, which has those of the states
  KnownShapes shapes;
  std::map<std::string, std::string> contents;       ///< hashes of the sources' files, where known
  std::map<std::string, nlohmann::json> components;  ///< canonical, one per node except sources
  std::map<std::string, std::string> code;           ///< python_code() of the nodes that have any
  std::map<std::string, bool> has_state;
  /// The kinds of processors that nodes learned on, where the model says so.
  std::map<std::string, std::string> processors;
  std::map<std::string, nlohmann::ordered_json> reports;  ///< what the solvers reported
  std::vector<ModelPlugin> plugins;  ///< empty where an earlier version has written the model
  std::map<std::filesystem::path, FileState> files;  ///< the verified files, on disk
};

/// Advice about plugins that the model needs but the catalogue lacks, in one sentence; empty where
/// there are none.
std::string missing_plugins(const Model& model, const Catalogue& catalogue);

/// A hash of the Python files of these components, including nested ones; empty: there are none.
/// Such a file is easily changed, and changed code would give a model's nodes another meaning.
std::string python_code(const ComponentConfig& config, const Catalogue& catalogue);

/// Writes the states of all nodes that lead to a solver: what `predict` needs. The folder appears
/// complete or not at all.
void save_model(const RunProgress& progress, const Catalogue& catalogue,
                const std::filesystem::path& folder);

/// The files that save_model() would write, by their paths in the folder; perhaps without what
/// solvers have reported.
Folder::Contents model_files(const RunProgress& progress, const Catalogue& catalogue,
                             bool with_reports);

/// Throws Error when the folder is not a model, or is damaged.
Model read_model(const Folder& folder);

/// Reads a model from an untrusted source. Verifies that model.json and every node's state have the
/// checksums they were written with, and that it can be read within `memory` bytes. Throws Error.
Model verified_model(const Folder& folder, std::size_t memory);

/// Throws Error where the model was replaced since it was verified: what was read since is of
/// another model.
void check_same_files(const Model& model);

/// Checks that a folder is a model; returns its pipeline file. Throws Error.
std::filesystem::path model_pipeline(const std::filesystem::path& model);

}  // namespace semblance
