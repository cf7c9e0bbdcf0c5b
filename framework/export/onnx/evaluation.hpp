// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "export/onnx_door.hpp"

namespace semblance::onnx_door {

/// See OnnxFunctions::read.
std::unique_ptr<OnnxProgram> read_program(const std::string& bytes);

}  // namespace semblance::onnx_door
