// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace semblance::sources {

/// Maps terms to columns of counts: those of a vocabulary, in byte order, or a fixed number of
/// columns, by the term's hash.
class TermColumns {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  /// `terms` without repetition; sorted here.
  explicit TermColumns(std::vector<std::string> terms);
  explicit TermColumns(std::size_t hashed_columns) : hashed_(hashed_columns) {}
  TermColumns(TermColumns&&) = default;
  TermColumns(const TermColumns&) = delete;

  std::size_t count() const noexcept { return hashed_ > 0 ? hashed_ : terms_.size(); }
  /// `none` for a term that is not in the vocabulary.
  std::uint32_t of(std::string_view term) const;
  /// The vocabulary; empty where columns are hashed.
  const std::vector<std::string>& terms() const noexcept { return terms_; }

 private:
  std::size_t hashed_ = 0;
  std::vector<std::string> terms_;
  std::unordered_map<std::string_view, std::uint32_t> columns_;  // views of the terms
};

}  // namespace semblance::sources
