// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "semblance/report.hpp"

namespace semblance::python {

/// What a solver or an evaluator has returned: numbers, texts, curves and drawings by name. Read
/// from a dictionary under the lock, reported without it.
class Reported {
 public:
  Reported() = default;
  /// `found` is made by figures() in semblance/_bridge/drawings.py.
  explicit Reported(const pybind11::dict& found);

  /// Throws Error if a drawing is refused.
  void report_to(Report& report) const {
    for (const auto& one : said_) one(report);
  }
  bool has_text(const std::string& name) const { return texts_.contains(name); }

 private:
  std::vector<std::function<void(Report&)>> said_;
  std::set<std::string> texts_;
};

}  // namespace semblance::python
