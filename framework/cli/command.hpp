// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace semblance::cli {

/// The outcome of a system program.
struct CommandOutcome {
  int exit = 0;
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
};

/// Runs a program found in $PATH, without a shell, and waits for it. Nothing where there is no such
/// program. Throws Error where it cannot be started.
std::optional<CommandOutcome> run_command(const std::vector<std::string>& words);

}  // namespace semblance::cli
