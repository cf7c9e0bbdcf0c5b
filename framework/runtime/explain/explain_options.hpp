// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace semblance {

/// What is wanted of an explanation.
struct ExplainOptions {
  std::string of_class = {};  ///< empty: the predicted one
  std::string target = {};    ///< of several numbers to predict
  bool shares = true;
  std::uint64_t seed = 1;
};

}  // namespace semblance
