// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace semblance::libraries {

/// The nodes of an imported machine, as below `nodes:`: a source of the format that LIBSVM and
/// LIBLINEAR read, and the solver with these parameters.
inline std::string imported_nodes(std::size_t inputs, const std::string& solver) {
  return "  data: {is: source/libsvm, path: rows.libsvm, dimension: " + std::to_string(inputs) +
         ", rows: sparse}\n"
         "  svm:  {is: " +
         solver + ", from: data}\n";
}

}  // namespace semblance::libraries
