// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/check_options.hpp"
#include "pipeline/specification/overrides.hpp"
#include "pipeline/yaml/diagnostic.hpp"
#include "pipeline/yaml/problems.hpp"
#include "pipeline/yaml/yaml_tree.hpp"
#include "study/selecting_pipeline.hpp"

/// Pipelines and studies meet here. pipeline/ checks the nodes of one pipeline. A study varies the
/// tree of a pipeline, and `select` is a study of the pipeline itself, so every check starts in
/// study/:
///
///     load_pipeline(file) -> check_pipeline(text) -> check_pipeline_tree(tree) -> check_nodes()
///     load_study(file) -> check_study(text) -> check_pipeline_tree(of each variant) ->
///     check_nodes()
namespace semblance {

struct PipelineCheck {
  std::optional<SelectingPipeline> pipeline;  ///< set exactly when no diagnostic is an error
  /// Sorted by position, with those of overrides last. With a pipeline: warnings only.
  std::vector<Diagnostic> diagnostics;
};

/// Checks the text of a pipeline; never throws because of its content. `file_name` appears in
/// messages and becomes Pipeline::file.
PipelineCheck check_pipeline(const std::string& text, const std::string& file_name,
                             const Catalogue& catalogue, const CheckOptions& options);

/// Reads and checks a file.
PipelineCheck load_pipeline(const std::filesystem::path& file, const Catalogue& catalogue,
                            const CheckOptions& options);

/// Checks a pipeline that was read and changed, with its `select`. Returns nothing if `problems`
/// then has errors. Warns of `changes` that `select` overrides.
std::optional<SelectingPipeline> check_pipeline_tree(
    const YamlNode& root, const std::string& file_name, const Catalogue& catalogue,
    const CheckOptions& options, Problems& problems, const std::vector<Override>& changes = {});

}  // namespace semblance
