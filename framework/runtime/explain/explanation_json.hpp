// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <utility>
#include <vector>

#include "runtime/explain/explanation.hpp"

namespace semblance {

/// The terms that are shown: the `top` largest positive ones and the `top` largest negative ones,
/// each the largest magnitude first.
std::pair<std::vector<ExampleTerm>, std::vector<ExampleTerm>> shown_examples(
    const Explanation& explanation, std::size_t top);

/// An explanation with its `top` examples for and against, if it has any; "other_examples" is the
/// sum of the contributions that are not listed, so that bias and contributions add up to the
/// value.
nlohmann::ordered_json explanation_to_json(const Explanation& explanation, std::size_t top);

}  // namespace semblance
