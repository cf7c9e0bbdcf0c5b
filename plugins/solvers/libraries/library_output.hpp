// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/context.hpp"

namespace semblance::solvers {

/// Text that a library printed while it trained.
struct LibraryOutput {
  std::string text;

  bool contains(const char* part) const { return text.find(part) != std::string::npos; }

  /// The sum and the number of all numbers that follow `key` somewhere in the text.
  struct Sum {
    double total = 0;
    double largest = 0;
    std::size_t count = 0;
  };
  Sum sum_after(const std::string& key) const;

  /// Passes the lines on: those with WARNING as warnings, the others for debugging.
  void log_to(Context& context) const;
};

}  // namespace semblance::solvers
