// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "cli/verb.hpp"
#include "runtime/session/run_data.hpp"

namespace semblance::cli {

/// The ranks of a run for planning only, and the network between them.
struct PlannedRanks {
  std::size_t count = 0;
  std::optional<double> bits_a_second;
};

/// The options --ranks and --network.
void add_planned_ranks_options(options::options_description& described);
/// Nothing without --ranks. Throws UsageError.
std::optional<PlannedRanks> planned_ranks(const options::variables_map& values);

/// "10Gbit", "100Mbit", "1e9": bits per second. Nothing for other texts.
std::optional<double> bits_from_text(const std::string& text);

/// The action of a node in the run: "compute", "learn", "from the store", "not needed".
const char* action(const NodeFacts& node, const NodePlan& plan);

/// Prints the plan of a session that is prepared for these ranks, after measuring its rates.
void print_plan_of_ranks(RunProgress& progress, RunData& data, const PlannedRanks& ranks,
                         bool json);

}  // namespace semblance::cli
