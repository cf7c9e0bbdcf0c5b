// SPDX-License-Identifier: MIT
#include "text/sparse_text.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "files/line_reader.hpp"
#include "rows/memory_limit.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"
#include "tables/csv_records.hpp"

namespace semblance::sources {
namespace {

[[noreturn]] void fail(const LineReader& lines, const std::string& what) {
  throw DataError(lines.path(), lines.place(), what);
}

/// The index of an entry, before its colon.
std::uint32_t index_of(const LineReader& lines, std::string_view text, const SparseFormat& format) {
  if (text == "qid") fail(lines, "holds a query number (qid), which is for ranking; remove it");
  const auto index = parse_integer(text);
  if (index == 0 && format.first == 1)
    fail(
        lines,
        "holds the index 0, but indices count from 1; set 'first_index: 0' if they count from 0 "
        "in this file, as scikit-learn writes it, or 'precomputed: true' if it numbers the rows of "
        "a kernel matrix");
  if (!index || *index < 0 || *index > std::int64_t{1} << 31)
    fail(lines, in_quotes(text) + " is not an index from " + std::to_string(format.first) +
                    " to 2147483648; correct the line");
  if (*index > format.last)
    fail(lines, "holds the index " + std::to_string(*index) + ", larger than " + format.why_last);
  return static_cast<std::uint32_t>(*index);
}

/// An entry of a row whose digits are still to be watched.
struct Watched {
  std::uint32_t index;
  double wide;
  std::string_view text;
};

/// Indices too large for memory are not watched: such rows will not fit when dense.
void watch_precision(const Watched& entry, SparseRows& rows, const Context& context) {
  ColumnPrecision& precision = rows.precision;
  const std::size_t index = entry.index;
  if (index >= precision.columns()) {
    const double needed = ColumnPrecision::bytes(index + 1, 1);
    if (needed > double(context.memory_budget()) / 4) return;
    precision.resize(index + 1);
    rows.named.resize(precision.columns());
  }
  ++rows.named[index];
  add_exact(precision, index, entry.wide, entry.text);
}

/// The entries of a row. Their columns are far apart in memory, so those that follow are fetched
/// meanwhile: half the time to read 20 Newsgroups.
void watch_precision(std::span<const Watched> entries, SparseRows& rows, const Context& context) {
  constexpr std::size_t far = 16, near = 8;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (k + far < entries.size()) rows.precision.fetch(entries[k + far].index);
    if (k + near < entries.size()) rows.precision.fetch_sample(entries[k + near].index);
    watch_precision(entries[k], rows, context);
  }
}

/// One `index:value`.
Watched append_entry(const LineReader& lines, std::string_view token,
                     const std::optional<std::uint32_t>& previous, const SparseFormat& format,
                     SparseRows& rows) {
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
  double wide = 0;
  if (const char* problem = parse_float(text, value, wide))
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
  return {index, wide, text};
}

/// What a line begins with; empty: nothing, its values follow.
void append_answer(const LineReader& lines, std::string_view answer, const SparseFormat& format,
                   SparseRows& rows) {
  const bool comma = answer.find(',') != answer.npos && !format.facts.labels.ignored;
  if (comma && format.facts.numbers)
    fail(lines, "its target " + in_quotes(answer) +
                    " has a comma; give each row one number, with a decimal point");
  if (comma)
    fail(lines, "its label " + in_quotes(answer) +
                    " has a comma, as in multi-label data; give each row one class");
  FactTexts texts;
  if (!answer.empty()) texts.label = answer;
  rows.append(texts, format.facts, [&](const std::string& what) { fail(lines, what); });
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

/// Checks the serial number in a row of a kernel matrix, which is not a value. `number`: that of
/// the row, from 1.
void check_serial_number(const LineReader& lines, std::string_view token, std::size_t number,
                         bool counts) {
  const auto said = token.starts_with("0:") ? parse_integer(token.substr(2)) : std::nullopt;
  if (!said)
    fail(lines,
         "does not begin with 0:NUMBER, as rows of LIBSVM's precomputed kernels do; correct it, or "
         "omit 'precomputed'");
  if (counts && *said != static_cast<std::int64_t>(number))
    fail(lines, "has the number " + std::to_string(*said) + ", but is row " +
                    std::to_string(number) +
                    ", and values stand in the order of the rows; sort the file by its numbers");
}

void check_is_whole(const LineReader& lines, std::size_t values, std::uint32_t last) {
  if (values != last)
    fail(lines, "has " + std::to_string(values) + " values up to index " + std::to_string(last) +
                    ", but a precomputed kernel has one for each training row; write all of them");
}

}  // namespace

void read_sparse_text(const std::string& file, const SparseFormat& format, SparseRows& rows,
                      Context& context) {
  LineReader lines(file);
  const std::size_t before = rows.rows();
  std::string_view line;
  std::vector<std::string_view> tokens;
  std::vector<std::string> owned;
  std::vector<Watched> watched;
  bool labelled = true;
  const std::string answer = format.facts.numbers ? "target" : "label";
  while (lines.next(line)) {
    if (lines.number() % 4096 == 0) context.check_stop();
    if (split_fields(line.substr(0, line.find('#')), 0, tokens, owned) != FieldSplit::complete)
      fail(lines, "holds a quote that is not closed, or text after one; remove the quotes");
    if (tokens.empty()) continue;
    const bool has_label = tokens[0].find(':') == tokens[0].npos;
    if (rows.rows() == before) labelled = has_label;
    if (!has_label && !format.facts.may_lack_labels)
      fail(lines,
           "has no " + answer + "; add it, or set " +
               (format.facts.numbers ? "" : "'label: none' if nothing learns from classes, or ") +
               "'role: test' if the rows are to be predicted");
    if (has_label != labelled)
      fail(lines, (has_label ? "has a " + answer + ", but earlier rows have none"
                             : "has no " + answer + ", but earlier rows have one") +
                      "; give all rows one, or none");
    if (has_label && format.facts.labels.leaves_out(tokens[0])) {
      if (rows.wanted.all())
        rows.starts.push_back(rows.values.size());
      else
        rows.held.add(false);
      append_answer(lines, tokens[0], format, rows);
      continue;
    }
    std::optional<std::uint32_t> previous;
    std::size_t k = has_label;
    const std::size_t number = rows.rows() - before + 1;
    if (format.precomputed) {
      check_serial_number(lines, k < tokens.size() ? tokens[k] : "", number, format.numbers_count);
      ++k;
    } else if (k < tokens.size() && tokens[k] == "0:" + std::to_string(number)) {
      ++rows.numbered;
    }
    const std::size_t values = tokens.size() - k;
    watched.clear();
    for (; k < tokens.size(); ++k) {
      watched.push_back(append_entry(lines, tokens[k], previous, format, rows));
      previous = watched.back().index;
    }
    watch_precision(watched, rows, context);
    if (format.precomputed) check_is_whole(lines, values, previous.value_or(0));
    keep_if_wanted(rows);
    append_answer(lines, has_label ? tokens[0] : std::string_view(), format, rows);
    check_fits(rows.bytes(), "the rows so far", file, lines.place(), context);
  }
  if (rows.rows() == before)
    throw DataError(file, "", "holds no rows; check that it is the right file");
}

}  // namespace semblance::sources
