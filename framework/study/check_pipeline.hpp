// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/check_options.hpp"
#include "pipeline/diagnostic.hpp"
#include "study/selecting_pipeline.hpp"

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

}  // namespace semblance
