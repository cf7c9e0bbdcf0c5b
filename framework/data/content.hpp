// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "data/data_set.hpp"

namespace semblance {

/// The measured properties of a content.
struct ContentFigures {
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;
  std::string sha256;
};

/// The figures of a file as it is. Throws Error naming it.
ContentFigures figures_of(const std::filesystem::path& file);

/// Reads a file, decompressing it if necessary. Throws Error naming it, also when it has more than
/// `at_most` bytes (a small file may claim to be a huge one).
ContentFigures content_of(const std::filesystem::path& file, std::uint64_t at_most);

/// The difference: "has 12 bytes, not 345"; empty where all known properties match.
std::string difference(const ContentFigures& found, const ContentCheck& known);

/// A new file that is written piece by piece. Throws Error with the path and the reason; never
/// writes into an existing file.
class NewFile {
 public:
  /// Makes the folders above it. Lines that begin with `without_lines` are omitted, unless that is
  /// empty.
  NewFile(std::filesystem::path file, std::string without_lines = "");
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::string_view bytes);
  void close();

 private:
  void put(std::string_view bytes);
  [[noreturn]] void fail(const char* what, int code) const;

  std::filesystem::path file_;
  std::string without_lines_;
  std::string line_;  ///< not complete yet
  int descriptor_ = -1;
};

/// Copies a file; the same errors as NewFile.
void copy_content(const std::filesystem::path& from, NewFile& to);

}  // namespace semblance
