// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "semblance/source.hpp"

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

/// A source whose models can score rows that are not in a file. Derive from it in addition to
/// Source.
class ReadsLines {
 public:
  virtual ~ReadsLines();

  /// A reader of lines in the format of the source's files for this model, which must outlive it.
  /// nullptr if the files do not have one row per line.
  virtual std::unique_ptr<RowLines> lines(const NewData& model) const = 0;

  /// Whether a row may have a category that the model does not know, which then counts as no
  /// category. By default, no.
  virtual bool accepts_unknown_categories() const { return false; }
};

}  // namespace semblance
