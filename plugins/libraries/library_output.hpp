// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "semblance/context.hpp"

namespace semblance::libraries {

/// Text that a library printed while it trained.
struct LibraryOutput {
  std::string text;

  bool contains(const char* part) const { return text.find(part) != std::string::npos; }

  /// All numbers that follow `key` in the text.
  std::vector<double> all_after(const std::string& key) const;
  /// Their sum and number.
  struct Sum {
    double total = 0;
    double largest = 0;
    std::size_t count = 0;
  };
  Sum sum_after(const std::string& key) const;

  /// Logs the lines for debugging; the certificate covers warnings among them.
  void log_to(Context& context) const;
};

}  // namespace semblance::libraries
