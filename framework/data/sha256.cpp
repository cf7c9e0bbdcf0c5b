// SPDX-License-Identifier: MIT
#include "data/sha256.hpp"

#include <openssl/evp.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "semblance/error.hpp"

namespace semblance {

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }
};

namespace {

void demand(bool worked) {
  if (!worked) throw Error("OpenSSL cannot compute SHA-256 on this machine");
}

}  // namespace

Sha256::Sha256() : state_(std::make_unique<State>()) {
  demand(state_->context && EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;

void Sha256::add(const void* data, std::size_t bytes) {
  demand(EVP_DigestUpdate(state_->context, data, bytes) == 1);
}

std::string Sha256::finish() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  demand(EVP_DigestFinal_ex(state_->context, digest, &length) == 1);
  std::string text;
  char digits[3];
  for (unsigned i = 0; i < length; ++i) {
    std::snprintf(digits, sizeof digits, "%02x", digest[i]);
    text += digits;
  }
  return text;
}

std::string sha256_of_file(const std::filesystem::path& file) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"),
                                                           std::fclose);
  if (!in) throw Error("cannot read '" + file.string() + "': " + std::strerror(errno));
  Sha256 sum;
  std::vector<char> piece(std::size_t{1} << 18);
  while (const std::size_t n = std::fread(piece.data(), 1, piece.size(), in.get()))
    sum.add(piece.data(), n);
  if (std::ferror(in.get()))
    throw Error("cannot read '" + file.string() + "': " + std::strerror(errno));
  return sum.finish();
}

}  // namespace semblance
