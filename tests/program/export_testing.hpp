// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "program.hpp"

namespace semblance::testing {

/// A pipeline of nodes between a source and the evaluator of the node svm.
inline std::string machine_on(const std::string& source, const std::string& nodes) {
  return "name: machine\nseed: 3\nnodes:\n  t: {is: " + source + "}\n" + nodes +
         "  e: {is: evaluator/classification, from: svm}\n";
}

/// The output of the exported function for rows, by a program of the test: one line per row, with
/// the class and the scores.
std::string scores_of_c(const Workplace& work, const std::string& file, const std::string& rows,
                        int inputs, int classes);

/// Whether this machine has such a program.
bool has_program(const std::string& name);

}  // namespace semblance::testing
