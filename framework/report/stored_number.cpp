// SPDX-License-Identifier: MIT
#include "report/stored_number.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "semblance/error.hpp"

namespace semblance {

nlohmann::ordered_json number_to_json(double value) {
  if (std::isfinite(value)) return value;
  const char* sign = std::signbit(value) ? "-" : "";
  return fmt::format("{}{}", sign, std::isnan(value) ? "nan" : "inf");
}

double number_from_json(const nlohmann::ordered_json& stored) {
  if (stored.is_number()) return stored.get<double>();
  const auto& text = stored.get_ref<const std::string&>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "-nan") return -std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  throw Error(fmt::format("'{}' is not a number", text));
}

}  // namespace semblance
