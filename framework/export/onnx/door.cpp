// SPDX-License-Identifier: MIT
#include "export/onnx/door.hpp"

#include "semblance/plugin.hpp"

/// The function that export/onnx_door.cpp requests.
SEMBLANCE_EXPORT const semblance::OnnxFunctions* semblance_onnx() {
  static const semblance::OnnxFunctions functions = {semblance::onnx_door::write_graph,
                                                     semblance::onnx_door::read_program};
  return &functions;
}
