// SPDX-License-Identifier: MIT
#include "semblance/constraints.hpp"

#include <utility>

namespace semblance {

Constraint above(double low) {
  return [=](ParameterInfo& p) { p.interval.low = low, p.interval.low_open = true; };
}

Constraint at_least(double low) {
  return [=](ParameterInfo& p) { p.interval.low = low; };
}

Constraint below(double high) {
  return [=](ParameterInfo& p) { p.interval.high = high, p.interval.high_open = true; };
}

Constraint at_most(double high) {
  return [=](ParameterInfo& p) { p.interval.high = high; };
}

Constraint choices(std::vector<std::string> values) {
  return [values = std::move(values)](ParameterInfo& p) { p.choices = values; };
}

Constraint unit(std::string text) {
  return [text = std::move(text)](ParameterInfo& p) { p.unit = text; };
}

Constraint required() {
  return [](ParameterInfo& p) { p.required = true, p.fallback = {}; };
}

Constraint optional() {
  return [](ParameterInfo& p) { p.optional = true; };
}

Constraint default_component(std::string id) {
  return [id = std::move(id)](ParameterInfo& p) { p.default_component = id; };
}

}  // namespace semblance
