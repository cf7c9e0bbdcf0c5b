// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "export/exported_machine.hpp"

namespace semblance::onnx_door {

/// The bytes of an ONNX file, see OnnxFunctions::write.
std::string write_graph(const ExportedMachine& machine);

}  // namespace semblance::onnx_door
