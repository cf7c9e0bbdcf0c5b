// SPDX-License-Identifier: MIT
#include "semblance/explanation.hpp"

namespace semblance {

ShownExamples shown_examples(const Explanation& explanation, std::size_t top) {
  ShownExamples shown;
  for (const ExampleTerm& term : explanation.examples) {
    auto& side = term.contribution >= 0 ? shown.plus : shown.minus;
    if (side.size() < top) {
      side.push_back(term);
      continue;
    }
    ++shown.others;
    shown.others_contribution += term.contribution;
  }
  return shown;
}

}  // namespace semblance
