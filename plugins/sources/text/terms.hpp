// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
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

}  // namespace semblance::sources
