// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "semblance/component_info.hpp"

namespace semblance {

/// The former names of the program itself: options ("--slurm"), keys of pipelines and studies by
/// their path ("select.metric"), templates ("new-plugin graph_feature") and media types. Those of
/// components are in their declarations. Tests may add some.
std::vector<FormerName>& program_names();

/// The former name of an option, "--slurm", of any command or of this one, "ablate --slurm"; or
/// nullptr.
const FormerName* former_option(const std::string& command, const std::string& option);

/// The arguments with the current names of options; appends a warning for each one that is
/// deprecated. Those that the command still has, as `has` says, stay as they are.
std::vector<std::string> current_options(const std::string& command,
                                         std::vector<std::string> arguments,
                                         const std::function<bool(const std::string&)>& has,
                                         std::vector<std::string>& warnings);

/// How to get a component that has a package of its own; empty for anything else.
std::string package_of(std::string_view component);

}  // namespace semblance
