// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace semblance {

/// The candidate that `word` was most likely meant to be, if one is close: few letters wrong,
/// missing, superfluous or swapped; different case; or the beginning of exactly one candidate.
std::optional<std::string> closest(std::string_view word,
                                   const std::vector<std::string>& candidates);

/// "did you mean 'gamma'?", or "".
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// "a, b and c"
std::string enumerate(const std::vector<std::string>& words);

/// The same for alternatives to `word`, of which there may be many: those with the longest common
/// beginning come first, and at most eight are named. "a, b and 12 more"
std::string enumerate_alternatives(std::string_view word, std::vector<std::string> words);

}  // namespace semblance
