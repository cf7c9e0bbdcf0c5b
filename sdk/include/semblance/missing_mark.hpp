// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace semblance {

/// Whether a field of a text table stands for a missing value: it is empty, `?` or `None`, or NA,
/// N/A, NaN, null, #N/A, #NA or <NA> in upper or lower case.
inline bool marks_missing(std::string_view text) noexcept {
  if (text.empty() || text == "?" || text == "None") return true;
  // The last three are what spreadsheets and pandas write; "none" may be a category.
  constexpr std::array<std::string_view, 7> words = {"na",  "n/a",  "nan", "null",
                                                     "#na", "#n/a", "<na>"};
  if (text.size() > 4) return false;
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::ranges::any_of(
      words, [&](std::string_view word) { return std::ranges::equal(text, word, {}, lower); });
}

}  // namespace semblance
