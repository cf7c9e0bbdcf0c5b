// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "data/data_set.hpp"

namespace semblance {

/// What a content turned out to be.
struct ContentFigures {
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;
  std::string sha256;
};

/// Reads a file, decompressed where it is compressed. Throws Error naming it, also when it has more
/// than `at_most` bytes (a small file may claim to be a huge one).
ContentFigures content_of(const std::filesystem::path& file, std::uint64_t at_most);

/// What differs: "has 12 bytes, not 345"; empty where all that is known is right.
std::string difference(const ContentFigures& found, const ContentCheck& known);

/// A new file that is written piece by piece. Throws Error with the path and the reason; one that
/// exists is never written into.
class NewFile {
 public:
  /// Makes the folders above it. Lines that begin with `without_lines` are left out, if that is not
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
  std::string line_;  ///< not yet ended
  int descriptor_ = -1;
};

/// Copies a file; the same errors as NewFile.
void copy_content(const std::filesystem::path& from, NewFile& to);

}  // namespace semblance
