// SPDX-License-Identifier: MIT
#include "registry/hash.hpp"

#include <xxhash.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "semblance/error.hpp"

namespace semblance {
namespace {

std::string hexadecimal(XXH128_hash_t hash) {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text;
}

}  // namespace

std::string hash_of(std::string_view bytes) {
  return hexadecimal(XXH3_128bits(bytes.data(), bytes.size()));
}

std::string hash_of_file(const std::filesystem::path& file) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"),
                                                           std::fclose);
  if (!in) throw Error("cannot read '" + file.string() + "': " + std::strerror(errno));
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  XXH3_128bits_reset(state.get());
  std::vector<char> piece(std::size_t{1} << 20);
  while (const std::size_t n = std::fread(piece.data(), 1, piece.size(), in.get()))
    XXH3_128bits_update(state.get(), piece.data(), n);
  if (std::ferror(in.get()))
    throw Error("cannot read '" + file.string() + "': " + std::strerror(errno));
  return hexadecimal(XXH3_128bits_digest(state.get()));
}

}  // namespace semblance
