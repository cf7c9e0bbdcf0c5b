// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "export/exported_machine.hpp"
#include "semblance/matrix.hpp"

namespace semblance {

/// A folder that goes when it is no longer needed.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

/// An exported C file, compiled into a program that computes scores. Throws Error where there is no
/// C compiler ($CC, or cc), or where it does not take the file.
class CProgram {
 public:
  CProgram(const std::string& source, const std::string& name, std::size_t inputs,
           std::size_t classes);

  /// Dense rows. Throws Error.
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
