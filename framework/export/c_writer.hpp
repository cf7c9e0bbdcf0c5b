// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "export/exported_machine.hpp"

namespace semblance {

/// A machine as one C file.
struct CSource {
  std::string text;
  std::size_t stack_bytes = 0;     ///< of intermediate values, per call
  std::size_t constant_bytes = 0;  ///< of its constants
};

/// Throws Error unless `name` is a valid prefix for names of C functions.
void check_c_name(const std::string& name);

/// C99 that requires only <math.h>, with the function NAME_predict(). `said` ends the comment at
/// its top: how it was proved.
CSource write_c(const ExportedMachine& machine, const std::string& name, const std::string& said);

}  // namespace semblance
