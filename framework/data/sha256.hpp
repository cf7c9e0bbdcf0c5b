// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

namespace semblance {

/// SHA-256 (FIPS 180-4) by OpenSSL, of data that come piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;

  void add(const void* data, std::size_t bytes);
  /// 64 hexadecimal digits; ends the computation.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The checksum of a file's content, read in pieces. Throws Error naming the file.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace semblance
