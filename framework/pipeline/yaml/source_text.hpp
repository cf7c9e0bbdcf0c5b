// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace semblance {

/// A place in a pipeline file or in a --set argument; line and column count from 1, 0: unknown.
struct Position {
  int line = 0;
  int column = 0;
};

class SourceText;

/// The place of a token, for diagnostics.
struct Place {
  const SourceText* source = nullptr;
  Position position;
  int length = 1;  ///< in characters
};

/// A pipeline file or one --set argument; converts byte offsets to lines and columns.
class SourceText {
 public:
  /// `order` sorts diagnostics: 0 for the file, 1 for a file that it names, then the overrides.
  SourceText(std::string name, std::string text, std::size_t order = 0);

  const std::string& name() const noexcept { return name_; }
  const std::string& text() const noexcept { return text_; }
  std::size_t order() const noexcept { return order_; }

  /// The place of bytes [offset, offset + length), cut at the end of the line.
  Place place(std::size_t offset, std::size_t length = 1) const;

  /// The whole file.
  Place whole() const { return {this, {0, 0}, 1}; }

  /// Without its end-of-line; counted from 1.
  std::string_view line(int number) const;

 private:
  std::size_t characters_before(std::size_t offset) const;

  std::string name_;
  std::string text_;
  std::size_t order_;
  std::vector<std::size_t> starts_;      ///< of the lines
  std::vector<std::size_t> characters_;  ///< before each block of bytes: lines can be very long
};

}  // namespace semblance
