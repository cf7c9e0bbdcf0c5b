// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "semblance/component_testing.hpp"
#include "semblance/evaluator.hpp"

/// What the tests of the evaluators share.
namespace semblance::evaluators::testing {

using namespace semblance::testing;

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
