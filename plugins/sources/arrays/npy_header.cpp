// SPDX-License-Identifier: MIT
#include <charconv>

#include "arrays/npy_file.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

constexpr std::size_t most_npy_values_a_row = std::size_t{1} << 26;
constexpr std::size_t most_values = std::size_t{1} << 48;

/// Reads the few forms that NumPy writes: quoted texts, True and False, tuples of numbers.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, NpyHeader& header) : text_(text), header_(header) {}

  std::string parse() {
    if (!take('{')) return "the header is not a dictionary";
    while (!take('}')) {
      std::string_view key;
      if (!quoted_text(key) || !take(':')) return "cannot read the header's dictionary";
      std::string problem;
      if (key == "descr")
        problem = parse_type();
      else if (key == "fortran_order")
        problem = parse_order();
      else if (key == "shape")
        problem = parse_shape();
      else
        problem = "the header has an unknown entry " + in_quotes(key);
      if (!problem.empty()) return problem;
      take(',');
    }
    if (!typed_ || !ordered_ || !shaped_) return "the header lacks descr, fortran_order or shape";
    return "";
  }

 private:
  void skip_blanks() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n')) text_.remove_prefix(1);
  }
  bool take(char c) {
    skip_blanks();
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view word) {
    skip_blanks();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  bool quoted_text(std::string_view& out) {
    skip_blanks();
    if (text_.empty() || (text_[0] != '\'' && text_[0] != '"')) return false;
    const auto end = text_.find(text_[0], 1);
    if (end == text_.npos) return false;
    out = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return true;
  }

  std::string parse_type() {
    std::string_view type;
    if (!quoted_text(type)) return "the values are records, not numbers; store a plain array";
    typed_ = true;
    header_.big_endian = type.starts_with('>');
    const std::string_view plain =
        type.substr(type.starts_with('<') || type.starts_with('|') || type.starts_with('>'));
    if (plain.starts_with('U') || plain.starts_with('S')) return parse_text_type(plain);
    if (plain.starts_with('O'))
      return "the values are Python objects, which are not read; store numbers, or texts with "
             "array.astype(str)";
    for (const char* known :
         {"f2", "f4", "f8", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "b1"})
      if (plain == known) {
        header_.kind = known[0];
        header_.bytes = static_cast<std::size_t>(known[1] - '0');
        return "";
      }
    return "the type of the values, " + in_quotes(type) +
           ", is not supported; store numbers or, for labels, texts";
  }

  /// U5: five characters of four bytes each; S5: five bytes.
  std::string parse_text_type(std::string_view plain) {
    constexpr std::size_t longest = std::size_t{1} << 18;
    std::size_t length = 0;
    const auto [end, error] =
        std::from_chars(plain.data() + 1, plain.data() + plain.size(), length);
    if (error != std::errc() || end != plain.data() + plain.size() || length > longest)
      return "the type of the values, " + in_quotes(plain) +
             ", is not supported; store shorter texts";
    if (length == 0) return "the texts are all empty";
    header_.kind = plain[0];
    header_.bytes = plain[0] == 'U' ? 4 * length : length;
    return "";
  }

  std::string parse_order() {
    ordered_ = true;
    if (take_word("False")) return "";
    if (take_word("True")) {
      header_.by_columns = true;
      return "";
    }
    return "the header's fortran_order is neither True nor False";
  }

  std::string parse_shape() {
    shaped_ = true;
    header_.shape.clear();
    if (!take('(')) return "the header's shape is not a tuple";
    while (!take(')')) {
      skip_blanks();
      std::uint64_t extent = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), extent);
      if (error != std::errc()) return "cannot read the header's shape";
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      take(',');
      header_.shape.push_back(extent);
      if (header_.shape.size() > 4) return "the array has more than 4 dimensions; reshape it";
    }
    return check_shape();
  }

  std::string check_shape() const {
    if (header_.shape.empty()) return "the array is a single number; expected an array of rows";
    std::size_t row = 1;
    for (std::size_t d = 0; d < header_.shape.size(); ++d) {
      const std::size_t extent = header_.shape[d];
      if (extent == 0) return "one of the dimensions is 0, so there are no values";
      if (d > 0 && (extent > most_npy_values_a_row || (row *= extent) > most_npy_values_a_row))
        return "the header claims rows of more than 67,108,864 values";
    }
    if (header_.shape[0] > most_values / row) return "the header claims impossibly many values";
    return "";
  }

  std::string_view text_;
  NpyHeader& header_;
  bool typed_ = false, ordered_ = false, shaped_ = false;
};

}  // namespace

std::string parse_npy_header(std::string_view text, NpyHeader& header) {
  return HeaderParser(text, header).parse();
}

std::size_t NpyHeader::row_size() const {
  std::size_t size = 1;
  for (std::size_t d = 1; d < shape.size(); ++d) size *= shape[d];
  return size;
}

std::string NpyHeader::type() const {
  if (is_text()) return "texts";
  const char* base = kind == 'f' ? "float" : kind == 'u' ? "uint" : kind == 'i' ? "int" : "bool";
  return kind == 'b' ? base : base + std::to_string(8 * bytes);
}

}  // namespace semblance::sources
