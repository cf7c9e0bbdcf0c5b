// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace semblance::sources {

/// The terms of texts.
struct TermFormat {
  bool words = true;         ///< else characters
  std::size_t shortest = 1;  ///< words or characters of a term, at least
  std::size_t longest = 1;   ///< and at most
  std::size_t letters = 2;   ///< of a word, at least: shorter ones are passed over
  bool keep_case = false;
};

/// The terms of texts: runs of words or of characters. A word is a run of letters, marks, digits
/// and underscores, as Unicode has them; a run of blanks counts as one character, except at both
/// ends of the text, where it is ignored. Upper case becomes lower case. Words within a term are
/// separated by one blank.
class Terms {
 public:
  explicit Terms(const TermFormat& format) : format_(format) {}

  /// Calls body(term) for each term, in the order of their starts; `text` must be UTF-8. The term
  /// is valid during the call.
  void for_each(std::string_view text, const std::function<void(std::string_view)>& body);

 private:
  void cut(std::string_view text);
  void end_piece(std::size_t letters);

  TermFormat format_;
  std::string folded_;               ///< the pieces, one after the other, with blanks between words
  std::vector<std::size_t> begins_;  ///< of each piece within it
  std::vector<std::size_t> ends_;
};

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
