// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "class_names.hpp"
#include "ragged_dataset.hpp"
#include "semblance/context.hpp"
#include "target_numbers.hpp"
#include "text/alphabet.hpp"
#include "text/line_reader.hpp"

namespace semblance::sources {

/// How files of strings are to be read.
struct StringFormat {
  std::string format = "auto";   ///< table, fasta; auto: by the file's name
  std::string header = "auto";   ///< of a table: auto, present, absent
  std::string label = "1";       ///< name or number of a column, or of a word; or none
  std::string text = "2";        ///< name or number of a column
  std::string words = "blank";   ///< the separator of words in a FASTA header: blank, bar, both
  std::string letters = "keep";  ///< keep, upper, lower
  std::size_t label_parts = 0;   ///< 0: the whole label
  std::string label_separator = ".";
  bool numbers = false;  ///< the label is a number to predict
  bool may_lack_labels = false;
  LabelRule labels = {};
  bool new_classes = true;             ///< whether classes may occur that no previous file had
  const Alphabet* alphabet = nullptr;  ///< null: any symbols
  std::string why_alphabet;            ///< completes "... is not in "
  bool drop_unknown = false;           ///< symbols that are not in the alphabet
  std::size_t longest = 0;             ///< allowed symbols per string; 0: any number
  std::string why_longest;             ///< completes "... symbols, more than "
};

/// Strings of one or several files.
struct StringRows {
  RaggedRows<char> strings;          ///< UTF-8
  std::vector<std::int32_t> labels;  ///< as ClassNames numbers them; -1 without one
  TargetNumbers targets;             ///< if labels are numbers to predict
  std::vector<std::string> names;    ///< of rows, if FASTA headers have one; or empty
  ClassNames classes;
  Alphabet found;           ///< the symbols of all strings
  std::size_t longest = 0;  ///< symbols of the longest string
  std::size_t symbols = 0;  ///< of all strings
  std::size_t dropped = 0;  ///< symbols that are not in the alphabet
  std::size_t name_bytes = 0;

  std::size_t rows() const noexcept { return labels.size(); }
  /// The approximate memory in bytes, including the strings' future codes.
  double bytes() const noexcept {
    return 2 * double(strings.bytes()) + double(rows()) * sizeof(std::int32_t) +
           double(classes.bytes()) + targets.bytes() +
           double(names.size() * sizeof(std::string) + name_bytes);
  }
};

/// Appends the strings of a file: a table of labels and texts, or FASTA. Throws DataError naming
/// the line and the problem.
void read_strings(const std::string& file, const StringFormat& format, StringRows& rows,
                  Context& context);

/// FASTA: a header after `>`, then the lines of the string, which are joined. The label is a word
/// of the header; the first word is the row's name unless it is the label.
void read_fasta(const std::string& file, const StringFormat& format, StringRows& rows,
                Context& context);

/// One row per line, with fields separated by tabs: one is the label, one the string, which is
/// taken literally.
void read_string_table(const std::string& file, const StringFormat& format, StringRows& rows,
                       Context& context);

/// Takes the pieces of one string after the other and appends the string to the rows: checked, with
/// symbols dropped if requested. Errors name the reader's current line.
class StringBuilder {
 public:
  StringBuilder(const LineReader& lines, const StringFormat& format, StringRows& rows)
      : lines_(lines), format_(format), rows_(rows), first_row_(rows.rows()) {
    if (format.numbers && rows.targets.empty()) rows.targets.set_names(numbered_targets(1));
  }

  /// Whether a row with this label is omitted: its string must not be added.
  bool leaves_out(const std::string_view* label) const {
    return label && format_.labels.leaves_out(*label);
  }
  /// More of the string.
  void add(std::string_view text);
  /// A null label means none. `line`: the start of the row.
  void end_string(const std::string_view* label, std::string_view name, std::size_t line,
                  Context& context);
  /// Throws DataError if the file had no strings.
  void end_file() const;

  [[noreturn]] void fail(const std::string& what) const { fail(lines_.number(), what); }
  [[noreturn]] void fail(std::size_t line, const std::string& what) const;

 private:
  void add_symbol(char32_t symbol);
  void check_string(std::size_t line) const;
  void add_label(const std::string_view* label, std::size_t line);
  void add_target(const std::string_view* target, std::size_t line);
  std::string_view shortened(std::string_view label, std::size_t line) const;

  const LineReader& lines_;
  const StringFormat& format_;
  StringRows& rows_;
  std::size_t first_row_;     ///< of this file's
  std::size_t symbols_ = 0;   ///< of the string so far
  bool had_symbols_ = false;  ///< even if all of them were dropped
};

}  // namespace semblance::sources
