// SPDX-License-Identifier: MIT
#pragma once

#include "cli/verb.hpp"

namespace semblance::cli {

/// The options of `predict --stdin`.
void add_line_options(options::options_description& described);

/// Throws UsageError for options that require --stdin without it, or exclude it.
void check_line_options(const options::variables_map& values);

/// Answers each line of standard input; returns the exit code.
int predict_lines(const options::variables_map& values, const Verb& verb);

}  // namespace semblance::cli
