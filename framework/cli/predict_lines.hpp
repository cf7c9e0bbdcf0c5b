// SPDX-License-Identifier: MIT
#pragma once

#include "cli/verb.hpp"

namespace semblance::cli {

/// The options of `predict --stdin`.
void add_line_options(options::options_description& described);

/// Throws UsageError where options need --stdin that are given without it, or the other way round.
void check_line_options(const options::variables_map& values);

/// Answers each line of standard input; the exit code.
int predict_lines(const options::variables_map& values, const Verb& verb);

}  // namespace semblance::cli
