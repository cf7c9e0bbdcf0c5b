// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace semblance {

/// XXH3, 128 bits, as 32 hexadecimal digits: fast, and sufficient against accidents (not against
/// deliberate collisions).
std::string hash_of(std::string_view bytes);

/// The same hash as a number, of bytes combined with `seed`.
struct Digest {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend auto operator<=>(const Digest&, const Digest&) = default;
};
Digest digest_of(std::string_view bytes, std::uint64_t seed);

/// The hash of a sequence of pieces, which need not be in memory at once: equals the hash of their
/// concatenation.
class PiecewiseHash {
 public:
  PiecewiseHash();
  ~PiecewiseHash();
  void add(std::string_view bytes);
  void add(const Digest& digest);
  std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The hash of a file's content, read in pieces. Throws Error naming the file.
std::string hash_of_file(const std::filesystem::path& file);

}  // namespace semblance
