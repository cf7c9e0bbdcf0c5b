// SPDX-License-Identifier: MIT
#include "text/string_rows.hpp"

#include <algorithm>

#include "files/byte_reader.hpp"
#include "rows/memory_limit.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"

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
  if (facts.label) facts.label = shortened(*facts.label, line);
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

namespace {

/// One row per line, with fields separated by tabs: one is the string, which is taken literally,
/// others are the label, the row's name, weight and group.
class StringTableReader {
 public:
  StringTableReader(const std::string& file, const StringFormat& format, StringRows& rows)
      : lines_(file), format_(format), builder_(lines_, format, rows) {}

  void read(Context& context) {
    std::string_view line;
    while (lines_.next(line)) {
      if (lines_.number() % 1024 == 0) context.check_stop();
      if (line.empty()) continue;
      split_at_tabs(line, fields_);
      const bool first = columns_ == 0;
      if (first) columns_ = fields_.size();
      if (fields_.size() != columns_) wrong_count();
      if (first && take_first_line()) continue;
      FactTexts facts = columns_of_.texts(fields_);
      if (!builder_.leaves_out(facts.label)) builder_.add(fields_[text_]);
      builder_.end_string(std::move(facts), lines_.number(), context);
    }
    builder_.end_file();
  }

 private:
  [[noreturn]] void wrong_count() const {
    if (fields_.size() == 1)
      builder_.fail("has no tab between label and string; write the label, a tab and the string");
    builder_.fail("has " + std::to_string(fields_.size()) + " fields separated by tabs, but line " +
                  std::to_string(first_line_) + " has " + std::to_string(columns_) +
                  "; every row needs the same number");
  }

  /// Finds the columns; returns whether the line is a header.
  bool take_first_line() {
    first_line_ = lines_.number();
    const bool header = is_header();
    std::vector<std::string> names;
    if (header)
      for (const std::string_view field : fields_) names.emplace_back(trimmed(field));
    // New data, and data that are all for testing, may consist of only the strings.
    const bool only_strings =
        columns_ == 1 && (format_.facts.may_lack_labels || format_.label == "none");
    const auto fail = [&](const std::string& what) {
      if (columns_ == 1) wrong_count();
      builder_.fail(what);
    };
    text_ = only_strings ? 0 : required_column(format_.text, "text", names, columns_, fail);
    if (!only_strings)
      columns_of_ = find_facts(format_, names, columns_, {{text_, "text"}},
                               format_.facts.may_lack_labels, fail);
    return header;
  }

  /// Without a word about it: where columns are named, or where the line names label and text.
  bool is_header() const {
    if (format_.header != "auto") return format_.header == "present";
    if (format_.any_is_name() || !parse_integer(format_.text)) return true;
    return say_label_and_text(fields_);
  }

  LineReader lines_;
  const StringFormat& format_;
  StringBuilder builder_;
  std::vector<std::string_view> fields_;
  std::size_t columns_ = 0;
  std::size_t first_line_ = 0;
  std::size_t text_ = 1;
  FactColumns columns_of_;
};

/// FASTA: a header after `>`, then the lines of the string, which are joined. The label is a word
/// of the header; the first word is the row's name unless it is the label.
class FastaReader {
 public:
  FastaReader(const std::string& file, const StringFormat& format, StringRows& rows)
      : lines_(file), format_(format), builder_(lines_, format, rows) {}

  void read(Context& context) {
    std::string_view line;
    while (lines_.next(line)) {
      if (lines_.number() % 1024 == 0) context.check_stop();
      line = trimmed(line);
      if (line.empty() || line.starts_with(';')) continue;
      if (!line.starts_with('>')) {
        if (header_line_ == 0)
          builder_.fail("holds a sequence before the first header; FASTA begins with '>'");
        add_symbols(line);
        continue;
      }
      end_string(context);
      header_line_ = lines_.number();
      take_header(line.substr(1));
    }
    end_string(context);
    builder_.end_file();
  }

 private:
  void add_symbols(std::string_view line) {
    if (line.find_first_of(" \t") != line.npos)
      builder_.fail("holds a blank within the sequence; write its symbols without blanks");
    if (line.find('#') != line.npos && !(format_.alphabet && format_.alphabet->knows(U'#')))
      builder_.fail(
          "holds a '#', which is no symbol of a sequence; remove the remark, begin it with ';', or "
          "name '#' in 'alphabet'");
    if (!builder_.leaves_out(label())) builder_.add(line);
  }

  void take_header(std::string_view header) {
    if (!is_utf8(header)) builder_.fail("the header is not UTF-8 text; save the file as UTF-8");
    // The row's name is its whole id, such as sp|P12345|NAME, wherever words end.
    name_ = trimmed(header).substr(0, trimmed(header).find_first_of(" \t"));
    const std::string_view ends = format_.words == "bar"    ? "|"
                                  : format_.words == "both" ? "| \t"
                                                            : " \t";
    std::vector<std::string_view> words;
    while (!header.empty()) {
      const std::size_t end = std::min(header.find_first_of(ends), header.size());
      if (const auto word = trimmed(header.substr(0, end)); !word.empty()) words.push_back(word);
      header.remove_prefix(std::min(end + 1, header.size()));
    }
    labelled_ = format_.label != "none";
    if (!labelled_) return;
    const auto number = column_of(format_.label, {}, words.size());
    if (!number && !parse_integer(format_.label))
      builder_.fail("'label: " + printable(format_.label) +
                    "' is a name, but words of a FASTA header have none; give the word's number, "
                    "counted from 1");
    if (!number && format_.facts.may_lack_labels) {
      labelled_ = false;
      return;
    }
    if (!number)
      builder_.fail("the header has " + std::to_string(words.size()) +
                    (words.size() == 1 ? " word" : " words") + ", but the label is word " +
                    format_.label + " of it; correct the header or 'label'");
    label_ = words[*number];
    if (name_ == label_) name_.clear();
  }

  void end_string(Context& context) {
    if (header_line_ == 0) return;
    FactTexts facts;
    facts.label = label();
    if (!name_.empty()) facts.id = name_;
    builder_.end_string(std::move(facts), header_line_, context);
  }

  std::optional<std::string_view> label() const {
    return labelled_ ? std::optional<std::string_view>(label_) : std::nullopt;
  }

  LineReader lines_;
  const StringFormat& format_;
  StringBuilder builder_;
  std::size_t header_line_ = 0;  ///< 0: there was none yet
  std::string name_, label_;
  bool labelled_ = false;
};

}  // namespace

void split_at_tabs(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  for (;;) {
    const std::size_t tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == line.npos) return;
    line.remove_prefix(tab + 1);
  }
}

bool say_label_and_text(std::span<const std::string_view> fields) {
  const auto any_of = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(fields, [&](std::string_view field) {
      return std::ranges::find(words, lower_case(trimmed(field))) != words.end();
    });
  };
  return any_of({"label", "class", "category", "target"}) &&
         any_of({"text", "string", "sequence", "sentence", "message", "name"});
}

bool is_fasta(const std::string& file, const StringFormat& format) {
  return format.format == "fasta" ||
         (format.format == "auto" &&
          has_ending(file, {".fasta", ".fa", ".faa", ".fna", ".ffn", ".fas"}));
}

void read_strings(const std::string& file, const StringFormat& format, StringRows& rows,
                  Context& context) {
  if (is_fasta(file, format)) return FastaReader(file, format, rows).read(context);
  StringTableReader(file, format, rows).read(context);
}

}  // namespace semblance::sources
