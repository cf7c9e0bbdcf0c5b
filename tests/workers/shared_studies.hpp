// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "program.hpp"

namespace semblance::testing {

/// Everything that a study leaves behind, without times: its table, study.json, every variant's
/// figures and predictions, and its page.
std::string left_behind(const Workplace& work, const std::string& out);

/// What stands around the first place where two texts differ; nothing where they do not.
std::string difference(const std::string& one, const std::string& other);

/// How many nodes and rows workers have computed in this folder, all together.
int units_done(const Workplace& work, const std::string& out);

/// What `semblance study status --json` says.
nlohmann::json status_of(const Workplace& work, const std::string& out);

}  // namespace semblance::testing
