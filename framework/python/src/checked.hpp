// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <filesystem>
#include <string>
#include <vector>

#include "registry/catalogue.hpp"
#include "semblance/handed_over.hpp"
#include "study/study.hpp"

namespace semblance::python {

/// Arrays in the place of a pipeline's sources.
struct BoundData {
  std::vector<std::string> overrides;  ///< nodes.images={is: source/array, data: ID}
  std::vector<HandedOver> handed;      ///< what source/array finds while this lives
};

/// `data` maps names of sources in the pipeline or study `text` to Data. A share of test rows that
/// the source sets aside, and its seed, stay where the data bring no test rows. Raises ValueError
/// for names that are no sources.
BoundData bind_data(const std::string& text, const std::filesystem::path& file,
                    const pybind11::dict& data);

/// Names of the sources of the pipeline or study `text`, in its order; none where it cannot be
/// read.
std::vector<std::string> sources_of(const std::string& text, const std::filesystem::path& file);

/// The kinds of layouts that everything takes which the source `node` feeds: "vector", "image".
/// All kinds where nothing is known of that.
std::vector<std::string> layouts_taken(const std::string& text, const std::filesystem::path& file,
                                       const std::string& node, const Catalogue& catalogue);

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
