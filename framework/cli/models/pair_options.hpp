// SPDX-License-Identifier: MIT
#pragma once

#include "cli/pipeline_options.hpp"
#include "serve/served_model.hpp"

namespace semblance::cli {

/// Throws UsageError for --data and --set where they have no effect: only models of pairs read the
/// samples that requests name, and only their sources can be changed.
void check_pair_options(const options::variables_map& values, const serving::ServedModel& model);

}  // namespace semblance::cli
