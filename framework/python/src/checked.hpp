// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "bound_data.hpp"
#include "study/study.hpp"

namespace semblance::python {

/// @name What can run
/// The text of a pipeline or study with data in the place of sources and then `overrides`, as --set
/// takes them. `options` gains these. Throws BadPipeline; issues warnings.
/// @{
SelectingPipeline checked_pipeline(const std::string& text, const std::string& file,
                                   const Catalogue& catalogue, CheckOptions& options,
                                   const BoundData& bound,
                                   const std::vector<std::string>& overrides);
Study checked_study(const std::string& text, const std::string& file, const Catalogue& catalogue,
                    CheckOptions& options, const BoundData& bound,
                    const std::vector<std::string>& overrides);
/// @}

/// Everything that is wrong with a pipeline, or with a study; none: it can run.
std::vector<Diagnostic> found_problems(const std::string& text, const std::string& file,
                                       const Catalogue& catalogue, CheckOptions& options,
                                       const BoundData& bound,
                                       const std::vector<std::string>& overrides);

}  // namespace semblance::python
