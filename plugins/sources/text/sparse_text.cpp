// SPDX-License-Identifier: MIT
#include "text/sparse_text.hpp"

#include <algorithm>
#include <optional>

#include "memory_limit.hpp"
#include "semblance/error.hpp"
#include "text/line_reader.hpp"
#include "text/text_table.hpp"
#include "text/text_values.hpp"

namespace semblance {
namespace {

[[noreturn]] void fail(const LineReader& lines, const std::string& what) {
  throw DataError(lines.path(), lines.place(), what);
}

/// The index of an entry, before its colon.
std::uint32_t index_of(const LineReader& lines, std::string_view text, const SparseFormat& format) {
  if (text == "qid") fail(lines, "holds a query number (qid), which is for ranking; remove it");
  const auto index = parse_integer(text);
  if (index == 0 && format.first == 1)
    fail(lines,
         "holds the index 0, but indices count from 1; set 'first_index: 0' if they count from 0 "
         "in this file, as scikit-learn writes it");
  if (!index || *index < 0 || *index > std::int64_t{1} << 31)
    fail(lines, in_quotes(text) + " is not an index from " + std::to_string(format.first) +
                    " to 2147483648; correct the line");
  if (*index > format.last)
    fail(lines, "holds the index " + std::to_string(*index) + ", larger than " + format.why_last);
  return static_cast<std::uint32_t>(*index);
}

/// Indices beyond what memory has room for are not watched: such rows will not fit when dense.
void watch_precision(std::uint32_t index, float value, std::string_view text, SparseRows& rows,
                     const Context& context) {
  ColumnPrecision& precision = rows.precision;
  if (index >= precision.columns()) {
    const ColumnPrecision needed(1);
    if (needed.bytes() * (double(index) + 1) > double(context.memory_budget()) / 4) return;
    precision.resize(std::size_t{index} + 1);
    rows.named.resize(precision.columns());
  }
  ++rows.named[index];
  if (!precision.wants(index, value)) return;
  const ExactNumber exact = exact_number(text);
  precision.note(index, value, exact.value, exact.whole);
}

/// One `index:value`; returns the index.
std::uint32_t append_entry(const LineReader& lines, std::string_view token,
                           const std::optional<std::uint32_t>& previous, const SparseFormat& format,
                           SparseRows& rows, Context& context) {
  const auto colon = token.find(':');
  if (colon == token.npos)
    fail(lines, in_quotes(token) +
                    " does not have the form index:value; correct the line, or read a plain table "
                    "with source/csv");
  const std::uint32_t index = index_of(lines, token.substr(0, colon), format);
  if (previous && index <= *previous)
    fail(lines, "index " + std::to_string(index) + " comes after " + std::to_string(*previous) +
                    "; indices must ascend within a line");
  const std::string_view text = token.substr(colon + 1);
  float value = 0;
  if (const char* problem = parse_float(text, value))
    fail(lines, "the value of index " + std::to_string(index) + ", " + in_quotes(text) + ", " +
                    problem + "; correct it");
  rows.indices.push_back(index);
  rows.values.push_back(value);
  ++rows.given;
  rows.least = std::min(rows.least, index);
  if (index > rows.largest) {
    rows.largest = index;
    rows.largest_at = lines.place() + " of " + lines.path();
  }
  watch_precision(index, value, text, rows, context);
  return index;
}

void append_label(const LineReader& lines, std::string_view label, SparseRows& rows) {
  if (!is_utf8(label)) fail(lines, "its label is not UTF-8 text; save the file as UTF-8");
  if (label.find(',') != label.npos)
    fail(lines, "its label " + in_quotes(label) +
                    " has a comma, as in multi-label data; give each row one class");
  rows.labels.push_back(rows.classes.add(label));
}

/// The row whose entries were just read.
void keep_if_wanted(SparseRows& rows) {
  if (!rows.wanted.all()) {
    const bool kept = rows.wanted.contains(static_cast<std::int64_t>(rows.rows()));
    rows.held.add(kept);
    if (!kept) {
      rows.indices.resize(rows.starts.back());
      rows.values.resize(rows.starts.back());
      return;
    }
  }
  rows.starts.push_back(rows.values.size());
}

}  // namespace

void read_sparse_text(const std::string& file, const SparseFormat& format, SparseRows& rows,
                      Context& context) {
  LineReader lines(file);
  const std::size_t before = rows.rows();
  std::string_view line;
  std::vector<std::string_view> tokens;
  std::vector<std::string> owned;
  bool labelled = true;
  while (lines.next(line)) {
    if (lines.number() % 4096 == 0) context.check_stop();
    split_fields(line.substr(0, line.find('#')), 0, tokens, owned);
    if (tokens.empty()) continue;
    const bool has_label = tokens[0].find(':') == tokens[0].npos;
    if (rows.rows() == before) labelled = has_label;
    if (!has_label && !format.may_lack_labels)
      fail(lines, "has no label; add it, or set 'role: test' if the rows are to be predicted");
    if (has_label != labelled)
      fail(lines, std::string(has_label ? "has a label, but earlier rows have none"
                                        : "has no label, but earlier rows have one") +
                      "; label all rows or none");
    std::optional<std::uint32_t> previous;
    for (std::size_t k = has_label; k < tokens.size(); ++k)
      previous = append_entry(lines, tokens[k], previous, format, rows, context);
    keep_if_wanted(rows);
    if (has_label)
      append_label(lines, tokens[0], rows);
    else
      rows.labels.push_back(-1);
    check_fits(rows.bytes(), "the rows so far", file, lines.place(), context);
  }
  if (rows.rows() == before)
    throw DataError(file, "", "holds no rows; check that it is the right file");
}

}  // namespace semblance
