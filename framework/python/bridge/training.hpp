// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

#include "semblance/report.hpp"
#include "semblance/samples.hpp"

namespace semblance::python {

/// All training rows in one view. Made without the interpreter's lock: rows may be computed now, by
/// components that are written in Python as well.
class WholeRows {
 public:
  explicit WholeRows(const Rows& rows) : rows_(rows), view_(rows.view(0, rows.rows())) {}
  ~WholeRows() { rows_.release(0, rows_.rows()); }
  WholeRows(const WholeRows&) = delete;
  WholeRows& operator=(const WholeRows&) = delete;
  MatrixView view() const noexcept { return view_; }

 private:
  const Rows& rows_;
  MatrixView view_;
};

/// The names of the classes, as a tuple; under the lock.
pybind11::tuple classes_of(std::span<const std::string> names);

/// What a solver or an evaluator found: numbers and texts by name. Read from a dictionary under the
/// lock, told without it.
struct Figures {
  std::vector<std::pair<std::string, std::int64_t>> integers;
  std::vector<std::pair<std::string, double>> numbers;
  std::vector<std::pair<std::string, std::string>> texts;

  explicit Figures(const pybind11::dict& found);
  Figures() = default;

  void tell(Report& report) const;
  bool has_text(std::string_view name) const;
};

}  // namespace semblance::python
