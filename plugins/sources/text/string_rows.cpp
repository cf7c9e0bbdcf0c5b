// SPDX-License-Identifier: MIT
#include "text/string_rows.hpp"

#include "byte_reader.hpp"
#include "memory_limit.hpp"
#include "semblance/error.hpp"
#include "text_values.hpp"

namespace semblance::sources {
namespace {

char32_t in_case(char32_t symbol, const std::string& letters) {
  if (letters == "upper" && symbol >= U'a' && symbol <= U'z') return symbol - U'a' + U'A';
  if (letters == "lower" && symbol >= U'A' && symbol <= U'Z') return symbol - U'A' + U'a';
  return symbol;
}

}  // namespace

void StringBuilder::fail(std::size_t line, const std::string& what) const {
  throw DataError(lines_.path(), "line " + std::to_string(line), what);
}

void StringBuilder::add(std::string_view text) {
  if (!is_utf8(text)) fail("the string is not UTF-8 text; save the file as UTF-8");
  while (!text.empty()) add_symbol(in_case(take_symbol(text), format_.letters));
}

void StringBuilder::add_symbol(char32_t symbol) {
  had_symbols_ = true;
  if (format_.alphabet && !format_.alphabet->knows(symbol)) {
    if (!format_.drop_unknown)
      fail("symbol " + std::to_string(symbols_ + 1) + " of the string, " + describe_symbol(symbol) +
           ", is not in " + format_.why_alphabet +
           "; correct it, or set 'unknown: drop' to drop such symbols");
    ++rows_.dropped;
    return;
  }
  rows_.found.add(symbol);
  for (const char byte : utf8(symbol)) rows_.strings.values.push_back(byte);
  ++symbols_;
}

std::string_view StringBuilder::shortened(std::string_view label, std::size_t line) const {
  if (format_.facts.labels.is_missing(label) || !is_utf8(label)) return label;
  std::size_t end = 0;
  for (std::size_t part = 1; part <= format_.label_parts; ++part) {
    const std::size_t next = label.find(format_.label_separator, end);
    if (part == format_.label_parts && next == 0)
      fail(line, "nothing is left of its label " + in_quotes(label) +
                     " before the first separator; correct it, or 'label_separator'");
    if (part == format_.label_parts) return label.substr(0, next);
    if (next == label.npos)
      fail(line, "its label " + in_quotes(label) + " has " + std::to_string(part) +
                     (part == 1 ? " part" : " parts") + ", but 'label_parts' asks for " +
                     std::to_string(format_.label_parts) +
                     "; lower it or correct 'label_separator'");
    end = next + format_.label_separator.size();
  }
  return label;
}

void StringBuilder::check_string(std::size_t line) const {
  if (symbols_ == 0)
    fail(line, had_symbols_ ? "no symbol of the string is in " + format_.why_alphabet +
                                  ", so nothing is left of it; remove the row"
                            : "the string is empty; fill it in or remove the row");
  if (format_.longest != 0 && symbols_ > format_.longest)
    fail(line, "the string has " + std::to_string(symbols_) + " symbols, more than " +
                   format_.why_longest);
}

void StringBuilder::end_string(FactTexts facts, std::size_t line, Context& context) {
  if (!leaves_out(facts.label)) check_string(line);
  if (format_.numbers) {
    facts.targets = {facts.label};
    facts.label = {};
  } else if (facts.label) {
    facts.label = shortened(*facts.label, line);
  }
  rows_.append(facts, format_.facts, [&](const std::string& what) { fail(line, what); });
  rows_.strings.end_row();
  rows_.longest = std::max(rows_.longest, symbols_);
  rows_.symbols += symbols_;
  symbols_ = 0;
  had_symbols_ = false;
  check_fits(rows_.bytes(), "the strings so far", lines_.path(), "line " + std::to_string(line),
             context);
}

void StringBuilder::end_file() const {
  if (rows_.rows() == first_row_)
    throw DataError(lines_.path(), "", "holds no strings; check that it is the right file");
}

bool is_fasta(const std::string& file, const StringFormat& format) {
  return format.format == "fasta" ||
         (format.format == "auto" &&
          has_ending(file, {".fasta", ".fa", ".faa", ".fna", ".ffn", ".fas"}));
}

void read_strings(const std::string& file, const StringFormat& format, StringRows& rows,
                  Context& context) {
  if (is_fasta(file, format)) return read_fasta(file, format, rows, context);
  read_string_table(file, format, rows, context);
}

}  // namespace semblance::sources
