// SPDX-License-Identifier: MIT
#include "export/onnx_door.hpp"

#include "registry/doors.hpp"

namespace semblance {

const OnnxFunctions& onnx_functions() {
  using Function = const OnnxFunctions*();
  auto* const function = reinterpret_cast<Function*>(
      door_function("onnx", "semblance_onnx",
                    "build it on a machine with ONNX's library (apt-get install libonnx-dev "
                    "libprotobuf-dev), or use another format"));
  return *function();
}

}  // namespace semblance
