// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "semblance/context.hpp"

namespace semblance::solvers {

/// Text that a library printed while it trained.
struct LibraryOutput {
  std::string text;

  bool contains(const char* part) const { return text.find(part) != std::string::npos; }

  /// All numbers that follow `key` somewhere in the text.
  std::vector<double> all_after(const std::string& key) const;
  /// Their sum and how many there are.
  struct Sum {
    double total = 0;
    double largest = 0;
    std::size_t count = 0;
  };
  Sum sum_after(const std::string& key) const;

  /// Passes the lines on, for debugging: what a warning among them means, the certificate says.
  void log_to(Context& context) const;
};

}  // namespace semblance::solvers
