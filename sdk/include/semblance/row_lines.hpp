// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace semblance {

/// Reads rows for a model one by one, as lines of text without LF or CRLF. Members throw Error with
/// column, problem and remedy; the caller adds the line number.
class RowLines {
 public:
  virtual ~RowLines();

  /// Whether a first line is neither names nor a row but says how to read the other lines, such as
  /// `sep=;`. If so, it is applied.
  virtual bool is_preamble(std::string_view line) = 0;
  /// Whether the next line continues these lines, because a quoted field is not closed.
  virtual bool is_open(std::string_view lines) = 0;
  /// Whether the first line names the columns. Throws Error if it could also be a row.
  virtual bool is_header(std::string_view line) = 0;
  /// Takes the names of the columns.
  virtual void read_header(std::string_view line) = 0;
  /// Reads a row's values in the source's layout.
  virtual void read_row(std::string_view line, std::span<float> values) = 0;
};

/// What RowLines are as well if a row's values are made from a text, such as a document or a
/// SMILES.
class RowTexts {
 public:
  virtual ~RowTexts();

  /// What a row calls its text, such as "smiles".
  virtual std::string text_name() const = 0;
  /// Reads a row from texts with these names. Without names it is the text alone, or the fields of
  /// a line. Throws Error as RowLines do.
  virtual void read_texts(std::span<const std::string> names,
                          std::span<const std::string_view> texts, std::span<float> values) = 0;
  /// Whether a line of blanks is a row of a table; by default, it is skipped.
  virtual bool takes_blanks() const { return false; }
};

}  // namespace semblance
