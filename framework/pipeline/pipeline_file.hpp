// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "pipeline/yaml/diagnostic.hpp"

namespace semblance {

/// The whole text of a pipeline or study file, or why it cannot be read.
struct PipelineFile {
  std::string text;
  std::optional<Diagnostic> problem;
};

/// Refuses folders and files that are far too large; never blocks on a pipe or device.
PipelineFile read_pipeline_file(const std::filesystem::path& file);

std::string without_byte_order_mark(const std::string& text);

}  // namespace semblance
