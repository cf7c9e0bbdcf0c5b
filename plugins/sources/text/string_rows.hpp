// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/line_reader.hpp"
#include "rows/fact_columns.hpp"
#include "rows/row_dataset.hpp"
#include "rows/row_facts.hpp"
#include "semblance/context.hpp"
#include "text/alphabet.hpp"

namespace semblance::sources {

/// How files of strings are to be read. A label may also be a word of a FASTA header.
struct StringFormat : FactNames {
  std::string format = "auto";   ///< table, fasta; auto: by the file's name
  std::string header = "auto";   ///< of a table: auto, present, absent
  std::string text = "2";        ///< name or number of a column
  std::string words = "blank";   ///< the separator of words in a FASTA header: blank, bar, both
  std::string letters = "keep";  ///< keep, upper, lower
  std::size_t label_parts = 0;   ///< 0: the whole label
  std::string label_separator = ".";
  FactRules facts = {};
  const Alphabet* alphabet = nullptr;  ///< null: any symbols
  std::string why_alphabet;            ///< completes "... is not in "
  bool drop_unknown = false;           ///< symbols that are not in the alphabet
  std::size_t longest = 0;             ///< allowed symbols per string; 0: any number
  std::string why_longest;             ///< completes "... symbols, more than "
};

/// Strings of one or several files.
struct StringRows : RowFacts {
  RaggedRows<char> strings;  ///< UTF-8
  Alphabet found;            ///< the symbols of all strings
  std::size_t longest = 0;   ///< symbols of the longest string
  std::size_t symbols = 0;   ///< of all strings
  std::size_t dropped = 0;   ///< symbols that are not in the alphabet

  /// The approximate memory in bytes, including the strings' future codes.
  double bytes() const noexcept { return RowFacts::bytes() + 2 * double(strings.bytes()); }
};

/// Whether the file is FASTA, by its name or as the format says.
bool is_fasta(const std::string& file, const StringFormat& format);

/// The fields of a table's line, which are taken literally.
void split_at_tabs(std::string_view line, std::vector<std::string_view>& fields);

/// Whether the fields of a first line say what they are, such as label and text.
bool say_label_and_text(std::span<const std::string_view> fields);

/// Appends the strings of a file: a table of labels and texts, or FASTA. Throws DataError naming
/// the line and the problem.
void read_strings(const std::string& file, const StringFormat& format, StringRows& rows,
                  Context& context);

/// Takes the pieces of one string after the other and appends the string to the rows: checked, with
/// symbols dropped if requested. Errors name the reader's current line.
class StringBuilder {
 public:
  StringBuilder(const LineReader& lines, const StringFormat& format, StringRows& rows)
      : lines_(lines), format_(format), rows_(rows), first_row_(rows.rows()) {}

  /// Whether a row with this label is omitted: its string must not be added.
  bool leaves_out(const std::optional<std::string_view>& label) const {
    return label && format_.facts.labels.leaves_out(*label);
  }
  /// More of the string.
  void add(std::string_view text);
  /// `line`: the start of the row.
  void end_string(FactTexts facts, std::size_t line, Context& context);
  /// Throws DataError if the file had no strings.
  void end_file() const;

  [[noreturn]] void fail(const std::string& what) const { fail(lines_.number(), what); }
  [[noreturn]] void fail(std::size_t line, const std::string& what) const;

 private:
  void add_symbol(char32_t symbol);
  void check_string(std::size_t line) const;
  std::string_view shortened(std::string_view label, std::size_t line) const;

  const LineReader& lines_;
  const StringFormat& format_;
  StringRows& rows_;
  std::size_t first_row_;     ///< of this file's
  std::size_t symbols_ = 0;   ///< of the string so far
  bool had_symbols_ = false;  ///< even if all of them were dropped
};

}  // namespace semblance::sources
