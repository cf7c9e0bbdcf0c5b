// SPDX-License-Identifier: MIT
#pragma once

#include "report/tables/comparison.hpp"

namespace semblance {

/// Fills the difference of a method to the baseline and the tests of it that fit the blocks; see
/// compare(). `by_rows` is set where rows and blocks together were tested.
void test_against(const Method& baseline, const Method& method, Standing& standing, bool& by_rows);

}  // namespace semblance
