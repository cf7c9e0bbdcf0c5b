// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "registry/catalogue.hpp"
#include "runtime/services/run_options.hpp"
#include "study/study.hpp"

namespace semblance {

/// Works with others on the merged graph of a study, all of its parameters known, until everything
/// is in the store or has failed. `left_out` are variants that have failed before, with their
/// messages. `part` distinguishes the graphs of one shared run. Throws Error, or Cancelled.
void work_on_study(const Study& study, const Catalogue& catalogue, const RunOptions& options,
                   const std::string& part, const std::map<std::size_t, std::string>& left_out);

/// The same for one pipeline. Throws Error with the message of the first of its nodes that failed.
void work_on_pipeline(const Pipeline& pipeline, const Catalogue& catalogue,
                      const RunOptions& options, const std::string& part, bool cross_validated);

/// The hash of everything that a study or a pipeline computes, except the content of data.
std::string identity_of(const Study& study, const Catalogue& catalogue);
std::string identity_of(const SelectingPipeline& pipeline, const Catalogue& catalogue);

}  // namespace semblance
