// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/check_options.hpp"
#include "registry/catalogue.hpp"
#include "runtime/results/model.hpp"
#include "study/selecting_pipeline.hpp"

namespace semblance::cli {

/// For help: what MODEL and DATA are.
inline const std::string model_help = "MODEL is the folder 'model' in the output folder of a run.";
inline const std::string data_help =
    model_help +
    " DATA takes the place of the data that the pipeline reads, in the same form; with several "
    "sources, NODE=DATA says of which. Without it the pipeline's own test rows are used.";

/// A model, and its pipeline with the sources from the command line.
struct Applied {
  Model model;
  std::optional<SelectingPipeline> pipeline;  ///< nothing: see the diagnostics or the failure
  std::string diagnostics;
  std::exception_ptr failure;
  bool by_all = false;  ///< every rank has a pipeline
};

/// Reads the model and checks its pipeline. `data` are new data for its sources, as DATA or
/// NODE=DATA; overrides of a source in `checking` are new data as well. The model must be readable
/// within `memory` bytes. Throws Error, and UsageError where the data do not fit the sources.
Applied applied_model(const std::string& folder, const std::vector<std::string>& data,
                      CheckOptions checking, const Catalogue& catalogue, std::size_t memory);

}  // namespace semblance::cli
