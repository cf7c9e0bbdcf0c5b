// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "export/onnx_door.hpp"

namespace semblance::onnx_door {

/// See OnnxFunctions::write.
std::string write_graph(const ExportedMachine& machine);

/// See OnnxFunctions::read.
std::unique_ptr<OnnxProgram> read_program(const std::string& bytes);

}  // namespace semblance::onnx_door
