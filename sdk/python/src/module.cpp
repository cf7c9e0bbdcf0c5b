// SPDX-License-Identifier: MIT
#include <pybind11/pybind11.h>

#include <nlohmann/json.hpp>

#include "places/places.hpp"
#include "registry/component_info_json.hpp"

namespace semblance::python {
namespace {

/// The declarations of all components, as JSON.
std::string catalogue_json() {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  const Discovery found = discover({});
  for (const auto* entry : found.catalogue.entries()) all.push_back(to_json(entry->info));
  return all.dump();
}

}  // namespace
}  // namespace semblance::python

PYBIND11_MODULE(_native, module) {
  using namespace semblance;
  module.attr("version") = SEMBLANCE_VERSION;
  module.def("catalogue", &python::catalogue_json);
}
