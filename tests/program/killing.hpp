// SPDX-License-Identifier: MIT
#pragma once

#include <random>
#include <string>

#include "program.hpp"

namespace semblance::testing {

/// Starts the program and kills it after at most `microseconds`. Returns whether it was still
/// running; anything but that or a good end fails the test.
bool kill_at_random(const Workplace& work, const std::string& arguments, std::mt19937& random,
                    unsigned microseconds);

/// The number of repetitions of a randomized test: `usually`, or the value of the environment
/// variable.
int repetitions(const char* variable, int usually);

}  // namespace semblance::testing
