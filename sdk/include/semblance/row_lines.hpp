// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "semblance/source.hpp"

namespace semblance {

/// Rows of a model that come one by one, as lines of text without their LF or CRLF. Members throw
/// Error saying column, problem and remedy; which line it is, says the caller.
class RowLines {
 public:
  virtual ~RowLines();

  /// Whether a first line is neither names nor a row, but says how the others are to be read, and
  /// takes note of that: `sep=;`.
  virtual bool is_preamble(std::string_view line) = 0;
  /// Whether the next line belongs to these as well: a quoted field is not closed.
  virtual bool is_open(std::string_view lines) = 0;
  /// Whether the first line names the columns. Throws Error where it may be a row as well.
  virtual bool is_header(std::string_view line) = 0;
  /// Takes the names of the columns.
  virtual void read_header(std::string_view line) = 0;
  /// Reads a row's values as the source gives them, as many as its layout has.
  virtual void read_row(std::string_view line, std::span<float> values) = 0;
};

/// A source of which a model can be asked about rows that are in no file. Derive from it in
/// addition to Source.
class ReadsLines {
 public:
  virtual ~ReadsLines();

  /// Reads lines as the files of the source are read for this model, which must live as long.
  /// nullptr: its files are not rows line by line.
  virtual std::unique_ptr<RowLines> lines(const NewData& model) const = 0;

  /// Whether a row may have a category that the model does not know: it has none then. As it is:
  /// no.
  virtual bool accepts_unknown_categories() const { return false; }
};

}  // namespace semblance
