// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/testing.hpp"

/// What the tests of the evaluators share.
namespace semblance::evaluators::testing {

using namespace semblance::testing;
using Parameters = std::vector<std::pair<std::string, Value>>;

/// A component with parameters, as the runtime makes it.
template <class T>
T make(const Parameters& parameters = {}) {
  T component;
  const ComponentEntry entry = T::declare().entry();
  for (const auto& [name, value] : parameters) {
    std::size_t p = 0;
    while (p < entry.info.parameters.size() && entry.info.parameters[p].name != name) ++p;
    if (p == entry.info.parameters.size()) throw Error("no parameter '" + name + "'");
    entry.setters[p].value(component, value);
  }
  component.check_parameters();
  return component;
}

/// What `body` complains about; empty where it does not.
template <class Body>
std::string message_of(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Evaluates scores of no rows that came about as `lineage` says.
template <class T>
MemoryReport judge(const Lineage& lineage, const std::vector<std::string>& classes,
                   const Parameters& parameters = {}) {
  const T evaluator = make<T>(parameters);
  MemoryReport report;
  TestContext context;
  Scored scored{{nullptr, 0, classes.size(), classes.size()}, {}, classes, lineage};
  evaluator.evaluate(scored, report, context);
  return report;
}

}  // namespace semblance::evaluators::testing
