// SPDX-License-Identifier: MIT
#include "text/term_columns.hpp"

#include <algorithm>

namespace semblance::sources {
namespace {

/// FNV-1a, whose values are the same everywhere, as a model's columns must be.
std::uint64_t hash_of(std::string_view text) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash ^ hash >> 32U;
}

}  // namespace

TermColumns::TermColumns(std::vector<std::string> terms) : terms_(std::move(terms)) {
  std::ranges::sort(terms_);
  columns_.reserve(terms_.size());
  for (std::size_t i = 0; i < terms_.size(); ++i)
    columns_.emplace(terms_[i], static_cast<std::uint32_t>(i));
}

std::uint32_t TermColumns::of(std::string_view term) const {
  if (hashed_ > 0) return static_cast<std::uint32_t>(hash_of(term) % hashed_);
  const auto found = columns_.find(term);
  return found == columns_.end() ? none : found->second;
}

}  // namespace semblance::sources
