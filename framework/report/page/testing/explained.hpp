// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/explanation.hpp"

namespace semblance::testing {

inline Explanation sum_of_three() {
  Explanation made{.predicted = "a & b", .explained = "a & b", .against = "c", .value = 0.5};
  made.bias = -0.25;
  made.examples = {{"map", 4, 0, "c", 0.5, 2, 1},
                   {"map", 7, 1, "a & b", 0.25, -2, -0.5},
                   {"map", 8, 0, "c", 0.5, 0.5, 0.25}};
  made.method = ShareMethod::exact;
  made.background = 50;
  made.expected = 0.1;
  made.shares = {{"x", 0, 1, 0.5, 0.75}, {"<y>", 1, 1, 2.0, -0.35}};
  return made;
}

/// One explained sample of two columns.
inline ExplainedSamples explained_vectors() {
  ExplainedSamples samples{"explanations", Layout::vector(2), {"x", "<y>"}, 1, {}};
  samples.entries.push_back({{"row 3", "c", {0.5F, 2}},
                             3,
                             "a & b",
                             sum_of_three(),
                             {{"row 0", "c", {1, 2}}, {"row 1", "a & b", {1, 2}}}});
  return samples;
}

}  // namespace semblance::testing
