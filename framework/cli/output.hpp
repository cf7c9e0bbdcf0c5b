// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace semblance::cli {

/// Creates runs/NAME-DATE-TIME: a new folder for each run, so that no result is overwritten. Throws
/// Error.
std::filesystem::path default_output(const std::string& name);

/// A word of a shell command, quoted if necessary.
std::string quoted(const std::string& argument);

/// Whether the program is in the build folder of a source tree, whose launcher starts it.
bool in_source_tree();

/// The command of this program: the launcher of its source tree, or its installed name.
std::string called_program();

/// The command that repeats a run, quoted for a shell.
std::string repeat_command(const std::string& verb, const std::vector<std::string>& arguments);

}  // namespace semblance::cli
