// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "semblance/component_info.hpp"
#include "semblance/parameters.hpp"

namespace semblance {

/// A declaration as JSON: printed by `list --json` and `describe --json`, and stored for each
/// plugin so that listing needs no loading.
nlohmann::ordered_json to_json(const ComponentInfo& info);

/// Throws nlohmann::json::exception when something is missing.
ComponentInfo component_info_from_json(const nlohmann::ordered_json& json);

nlohmann::ordered_json value_to_json(const Value& value);

Value value_from_json(const nlohmann::ordered_json& json, ParameterType type);

/// A parameter's value as JSON, with keys sorted or in order, depending on `Json`. Numbers retain
/// their type: 1.0 is not 1. Finite numbers only, as ParameterInfo::check() guarantees: JSON has no
/// others.
template <class Json>
struct ValueJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(const std::vector<Scalar>& list) const {
    Json json = Json::array();
    for (const Scalar& x : list) json.push_back(std::visit(*this, x));
    return json;
  }
  Json operator()(const NamedValues& mapping) const {
    Json json = Json::object();
    for (const auto& [name, value] : mapping) json[name] = std::visit(*this, value);
    return json;
  }
  template <class T>
  Json operator()(const T& x) const {
    return x;
  }
};

template <class Json>
Json value_json(const Value& value) {
  return std::visit(ValueJson<Json>(), value);
}

}  // namespace semblance
