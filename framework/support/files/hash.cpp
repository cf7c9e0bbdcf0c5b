// SPDX-License-Identifier: MIT
#include "support/files/hash.hpp"

#include <xxhash.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
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

Digest digest_of(std::string_view bytes, std::uint64_t seed) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
  return {hash.low64, hash.high64};
}

struct PiecewiseHash::State {
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> xxh{XXH3_createState(),
                                                                      XXH3_freeState};
};

PiecewiseHash::PiecewiseHash() : state_(std::make_unique<State>()) {
  if (!state_->xxh) throw std::bad_alloc();
  XXH3_128bits_reset(state_->xxh.get());
}

PiecewiseHash::~PiecewiseHash() = default;

void PiecewiseHash::add(std::string_view bytes) {
  XXH3_128bits_update(state_->xxh.get(), bytes.data(), bytes.size());
}

void PiecewiseHash::add(const Digest& digest) {
  const std::uint64_t words[] = {digest.low, digest.high};
  add(std::string_view(reinterpret_cast<const char*>(words), sizeof words));
}

std::string PiecewiseHash::text() const {
  return hexadecimal(XXH3_128bits_digest(state_->xxh.get()));
}

std::string hash_of_file(const std::filesystem::path& file) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"),
                                                           std::fclose);
  if (!in) throw Error("cannot read '" + file.string() + "': " + std::strerror(errno));
  PiecewiseHash hash;
  std::vector<char> piece(std::size_t{1} << 16);
  while (const std::size_t n = std::fread(piece.data(), 1, piece.size(), in.get()))
    hash.add({piece.data(), n});
  if (std::ferror(in.get()))
    throw Error("cannot read '" + file.string() + "': " + std::strerror(errno));
  return hash.text();
}

}  // namespace semblance
