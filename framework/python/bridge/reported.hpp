// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "semblance/report.hpp"

namespace semblance::python {

/// What a solver or an evaluator has returned: numbers, texts, curves and drawings by name. Read
/// from a dictionary under the lock, reported without it.
class Reported {
 public:
  Reported() = default;
  /// `found` is made by figures() in semblance/_bridge/figures.py.
  explicit Reported(const pybind11::dict& found);

  /// Throws Error if a drawing is refused.
  void report_to(Report& report) const;
  bool has_text(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::int64_t>> integers_;
  std::vector<std::pair<std::string, double>> numbers_;
  std::vector<std::pair<std::string, std::string>> texts_;
  std::vector<Curve> curves_;
  std::vector<Drawing> drawings_;
};

}  // namespace semblance::python
