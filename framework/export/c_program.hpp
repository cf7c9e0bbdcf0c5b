// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "export/exported_machine.hpp"
#include "semblance/matrix.hpp"
#include "support/files/temporary_folder.hpp"

namespace semblance {

/// An exported C file, compiled into a program that computes scores. Throws Error where there is no
/// C compiler ($CC, or cc), or where it rejects the file.
class CProgram {
 public:
  CProgram(const std::string& source, const std::string& name, std::size_t inputs,
           std::size_t classes);

  /// Scores of dense rows. Throws Error.
  ExportedScores scores(MatrixView rows) const;

  /// The compiler, as in "cc -std=c99 -O2".
  const std::string& compiler() const noexcept { return compiler_; }

 private:
  TemporaryFolder folder_;
  std::size_t inputs_;
  std::size_t classes_;
  std::string compiler_;
};

}  // namespace semblance
