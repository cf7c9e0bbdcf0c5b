// SPDX-License-Identifier: MIT
#pragma once

#include "report/tables/comparison.hpp"

namespace semblance {

/// Fills in the difference of a method to the baseline and the tests of it that suit the blocks;
/// see compare(). `by_rows` is set if rows and blocks were tested together.
void test_against(const Method& baseline, const Method& method, Standing& standing, bool& by_rows);

}  // namespace semblance
