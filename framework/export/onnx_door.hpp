// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "export/exported_machine.hpp"
#include "semblance/matrix.hpp"

namespace semblance {

/// An ONNX file that was read back, for computing.
class OnnxProgram {
 public:
  virtual ~OnnxProgram() = default;
  /// Scores of dense rows. Throws Error.
  virtual ExportedScores scores(MatrixView rows) const = 0;
};

/// The functions of the door to ONNX (framework/export/onnx, a library that is loaded on demand).
/// All throw Error.
struct OnnxFunctions {
  /// The bytes of an ONNX file with the machine: input `rows` (float32, N x inputs), outputs
  /// `label` (int64, N: the class) and `scores` (float32, N x classes).
  std::string (*write)(const ExportedMachine& machine);
  /// Reads such bytes back. The program uses only the operators of the file, nothing of the
  /// machine.
  std::unique_ptr<OnnxProgram> (*read)(const std::string& bytes);
};

/// The functions of the door, from its function `semblance_onnx`. Throws Error where it does not
/// exist.
const OnnxFunctions& onnx_functions();

}  // namespace semblance
