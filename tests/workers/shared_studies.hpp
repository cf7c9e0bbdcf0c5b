// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "program.hpp"

namespace semblance::testing {

/// All results of a study, without times: its table, study.json, every variant's figures and
/// predictions, and its page.
std::string left_behind(const Workplace& work, const std::string& out);

/// The surroundings of the first difference between two texts; empty if they are equal.
std::string difference(const std::string& one, const std::string& other);

/// The total number of nodes and rows computed by workers in this folder.
int units_done(const Workplace& work, const std::string& out);

/// The output of `semblance study status --json`.
nlohmann::json status_of(const Workplace& work, const std::string& out);

}  // namespace semblance::testing
