// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "semblance/component.hpp"

namespace semblance {

struct CheckOptions {
  std::filesystem::path data;          ///< the base of relative paths in the pipeline
  std::vector<std::string> overrides;  ///< PATH=VALUE, as --set takes them, applied in order
  std::optional<std::uint64_t> seed;   ///< replaces the pipeline's; nodes retain their own
  bool check_files = true;             ///< whether the data must be there
  bool warns = true;                   ///< whether warnings are reported
  /// Whether it must end in a solver or evaluator that uses all other nodes; a program may need the
  /// rows of any node.
  bool needs_result = true;
  bool of_model = false;  ///< rows are new data of a trained model, which may lack targets
  /// Called for the component of each node, before it is asked for its files.
  std::function<void(const std::string& node, Component&)> prepare;
  /// The command that fetches a missing path of the data folder, given relative to it; may give "".
  std::function<std::string(const std::string&)> fetching;
};

}  // namespace semblance
