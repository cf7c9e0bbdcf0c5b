// SPDX-License-Identifier: MIT
#include "text/sparse_text.hpp"

#include <limits>

#include "memory_limit.hpp"
#include "semblance/error.hpp"
#include "text/line_reader.hpp"
#include "text/number_text.hpp"
#include "text/text_table.hpp"

namespace semblance {
namespace {

constexpr std::int64_t largest_index = std::int64_t{1} << 31;

[[noreturn]] void fail(const LineReader& lines, const std::string& what) {
  throw DataError(lines.path(), lines.place(), what);
}

/// One `index:value`; returns the index.
std::int64_t append_entry(const LineReader& lines, std::string_view token, std::int64_t previous,
                          SparseRows& rows) {
  const auto colon = token.find(':');
  if (colon == token.npos)
    fail(lines, quoted(token) +
                    " is not of the form index:value; correct the line, or read a "
                    "plain table with source/csv");
  if (token.substr(0, colon) == "qid")
    fail(lines, "holds a query number (qid), which is for ranking; remove it");
  const auto index = parse_integer(token.substr(0, colon));
  if (!index || *index < 1 || *index > largest_index)
    fail(lines, quoted(token.substr(0, colon)) +
                    " is not an index from 1 to 2147483648; indices "
                    "count from 1");
  if (*index <= previous)
    fail(lines, "index " + std::to_string(*index) + " comes after " + std::to_string(previous) +
                    "; indices must ascend within a line");
  float value = 0;
  if (const char* problem = parse_float(token.substr(colon + 1), value))
    fail(lines, "the value of index " + std::to_string(*index) + ", " +
                    quoted(token.substr(colon + 1)) + ", " + problem + "; correct it");
  rows.columns.push_back(static_cast<std::uint32_t>(*index - 1));
  rows.values.push_back(value);
  return *index;
}

}  // namespace

void read_sparse_text(const std::string& file, bool may_lack_labels, SparseRows& rows,
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
    if (!has_label && !may_lack_labels)
      fail(lines, "has no label; add it, or say 'role: test' where the rows are to be predicted");
    if (has_label != labelled)
      fail(lines, std::string(has_label ? "has a label, but the rows before have none"
                                        : "has no label, but the rows before have one") +
                      "; give one to all rows or to none");
    std::int64_t previous = 0;
    for (std::size_t k = has_label; k < tokens.size(); ++k)
      previous = append_entry(lines, tokens[k], previous, rows);
    rows.width = std::max(rows.width, static_cast<std::size_t>(previous));
    rows.starts.push_back(rows.values.size());
    if (has_label && !is_utf8(tokens[0]))
      fail(lines, "its label is not UTF-8 text; save the file as UTF-8");
    rows.labels.push_back(has_label ? rows.classes.add(tokens[0]) : -1);
    check_fits(rows.bytes(), "the rows so far", file, lines.place(), context);
  }
  if (rows.rows() == before)
    throw DataError(file, "", "holds no rows; check that this is the right file");
}

}  // namespace semblance
