// SPDX-License-Identifier: MIT
#include "report/judged_rows.hpp"

#include <algorithm>
#include <cmath>

namespace semblance {

std::optional<double> figure_by_rows(std::string_view figure,
                                     const std::vector<std::uint8_t>& correct) {
  if (correct.empty() || (figure != "accuracy" && figure != "error_rate")) return std::nullopt;
  const auto right = static_cast<double>(std::ranges::count(correct, 1));
  const auto all = static_cast<double>(correct.size());
  return figure == "accuracy" ? right / all : (all - right) / all;
}

bool adds_up(double by_rows, const Measurement& measurement) {
  return std::abs(by_rows - measurement.value) <= 1e-9;
}

void add_rows(const RowsRecord& rows, Measurement& measurement) {
  measurement.trained += rows.train;
  measurement.tested += rows.test;
  if (!rows.tested.empty())
    measurement.test_rows += (measurement.test_rows.empty() ? "" : "+") + rows.tested;
  for (const auto& name : rows.drawn_from)
    if (std::ranges::find(measurement.drawn_from, name) == measurement.drawn_from.end())
      measurement.drawn_from.push_back(name);
}

}  // namespace semblance
