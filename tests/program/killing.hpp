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

/// How often a test repeats what is random: `usually`, or what the environment variable says.
int repetitions(const char* variable, int usually);

}  // namespace semblance::testing
