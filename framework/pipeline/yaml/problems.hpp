// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pipeline/yaml/diagnostic.hpp"
#include "pipeline/yaml/source_text.hpp"

namespace semblance {

/// Collects the errors of all steps of the check. Stores the first hundred and counts the remaining
/// ones, so that a hostile file consumes neither time nor the screen.
class Problems {
 public:
  void error(const Place& place, std::string message, std::string help = "");
  void warning(const Place& place, std::string message, std::string help = "");

  /// Adds the findings of another check, shown after the errors of the same file.
  void add(std::vector<Diagnostic> diagnostics);

  std::size_t errors() const noexcept { return errors_; }

  /// No further error will be shown, so suggestions need not be searched for.
  bool full() const noexcept;

  /// All diagnostics, by source and position.
  std::vector<Diagnostic> take();

 private:
  struct Item {
    std::size_t order;
    Diagnostic diagnostic;
  };
  void add(Severity severity, const Place& place, std::string message, std::string help);

  std::vector<Item> items_;
  std::size_t errors_ = 0;
};

}  // namespace semblance
