// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace semblance {

/// A curve of a report: y over x, both of the same length.
struct Curve {
  std::string name;
  std::string x_label;
  std::string y_label;
  std::vector<double> x;
  std::vector<double> y;
};

/// A table of numbers with named rows and columns, row-major.
struct Table {
  std::string name;
  std::string row_label;
  std::string column_label;
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<double> values;
};

/// Where solvers and evaluators put what they found. Scalars go to metrics.json under the node,
/// by their name (lower_case); curves and tables also to the report. Not thread-safe.
class Report {
 public:
  virtual ~Report();
  virtual void number(std::string_view name, double value) = 0;
  virtual void integer(std::string_view name, std::int64_t value) = 0;
  virtual void text(std::string_view name, std::string_view value) = 0;
  virtual void curve(const Curve& curve) = 0;
  virtual void table(const Table& table) = 0;
};

}  // namespace semblance
