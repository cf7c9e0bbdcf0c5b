// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include "semblance/explanation.hpp"

namespace semblance {

/// An explanation with its shown examples, if it has any; "other_examples" has the number and sum
/// of the remaining contributions: bias and contributions add up to the value.
nlohmann::ordered_json explanation_to_json(const Explanation& explanation,
                                           const ShownExamples& shown);
/// The same with the `top` largest examples for and against.
nlohmann::ordered_json explanation_to_json(const Explanation& explanation, std::size_t top);

}  // namespace semblance
