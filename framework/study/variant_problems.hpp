// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "pipeline/diagnostic.hpp"

namespace semblance {

/// What is wrong with variants, each thing once, with how many it concerns.
class VariantProblems {
 public:
  void add(const std::vector<Diagnostic>& diagnostics, const std::string& variant);

  /// There are as many different errors as anybody reads.
  bool enough() const;

  /// Everything, by position; what overrides caused last.
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
