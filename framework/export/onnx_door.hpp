// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "export/exported_machine.hpp"
#include "semblance/matrix.hpp"

namespace semblance {

/// An ONNX file that was read back, to be computed with.
class OnnxProgram {
 public:
  virtual ~OnnxProgram() = default;
  /// Of dense rows. Throws Error.
  virtual ExportedScores scores(MatrixView rows) const = 0;
};

/// What the door to ONNX can do (framework/onnx, a library that is loaded when it is asked for).
/// All throw Error.
struct OnnxFunctions {
  /// The bytes of an ONNX file with the machine: input `rows` (float32, N x inputs), outputs
  /// `label` (int64, N: the class) and `scores` (float32, N x classes).
  std::string (*write)(const ExportedMachine& machine);
  /// Reads such bytes back. The program needs nothing of the machine but its operators.
  std::unique_ptr<OnnxProgram> (*read)(const std::string& bytes);
};

/// Of the door, whose function `semblance_onnx` gives it. Throws Error where it is not there.
const OnnxFunctions& onnx_functions();

}  // namespace semblance
