// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "pipeline/diagnostic.hpp"

namespace semblance {

/// The problems of variants, each reported once, with the number of variants that have it.
class VariantProblems {
 public:
  void add(const std::vector<Diagnostic>& diagnostics, const std::string& variant);

  /// Whether there are more different errors than anyone reads.
  bool enough() const;

  /// All problems, by position, with those of overrides last.
  std::vector<Diagnostic> take();

 private:
  struct Item {
    Diagnostic diagnostic;
    std::string variant;
    std::size_t count;
  };
  std::vector<Item> items_;
  std::map<std::tuple<std::string, int, int, std::string>, std::size_t> seen_;
  std::size_t variants_ = 0;
  std::size_t errors_ = 0;
};

}  // namespace semblance
