// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "semblance/matrix.hpp"
#include "semblance/state.hpp"

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

/// What an exported form gives for some rows.
struct ExportedScores {
  std::vector<std::int32_t> classes;  ///< -1: it refuses the row
  FloatMatrix scores;
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
