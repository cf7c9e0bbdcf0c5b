// SPDX-License-Identifier: MIT
#pragma once

#include "report/tables/comparison.hpp"

namespace semblance {

/// Sets the difference of a method to the baseline and the tests that suit the blocks; see
/// compare(). Sets `by_rows` if samples and blocks were tested together.
void test_against(const Method& baseline, const Method& method, Standing& standing, bool& by_rows);

}  // namespace semblance
