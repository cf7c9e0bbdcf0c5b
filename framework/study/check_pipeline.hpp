// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "pipeline/check.hpp"

namespace semblance {

/// Checks the text of a pipeline; never throws on account of it. `file_name` is what messages call
/// it and becomes Pipeline::file.
CheckResult check_pipeline(const std::string& text, const std::string& file_name,
                           const Catalogue& catalogue, const CheckOptions& options);

/// Reads and checks a file.
CheckResult load_pipeline(const std::filesystem::path& file, const Catalogue& catalogue,
                          const CheckOptions& options);

}  // namespace semblance
