// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "rows/memory_limit.hpp"
#include "rows/table_source.hpp"
#include "semblance_tables/text_values.hpp"
#include "text/string_rows.hpp"

namespace semblance::sources {
namespace {

/// Removes the rows of classes with fewer than `smallest` rows among the `first` ones; rows without
/// a label stay. Returns how many classes it removes, and sets `first` to how many of these rows
/// stay.
std::size_t leave_out_rare_classes(std::size_t smallest, std::size_t& first, StringRows& rows) {
  std::vector<std::size_t> members(rows.classes.names().size(), 0);
  for (std::size_t i = 0; i < first; ++i)
    if (rows.labels[i] >= 0) ++members[static_cast<std::size_t>(rows.labels[i])];
  const auto rare = [&](std::int32_t label) {
    return label >= 0 && members[static_cast<std::size_t>(label)] < smallest;
  };
  std::vector<bool> kept;
  for (const std::int32_t label : rows.labels) kept.push_back(!rare(label));
  first = static_cast<std::size_t>(
      std::count(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(first), true));
  rows.keep(kept);
  rows.strings.keep(kept);
  rows.found = {};
  rows.symbols = rows.longest = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const std::span<const char> string = rows.strings.row(i);
    std::size_t symbols = 0;
    for (std::string_view text(string.data(), string.size()); !text.empty(); ++symbols)
      rows.found.add(take_symbol(text));
    rows.symbols += symbols;
    rows.longest = std::max(rows.longest, symbols);
  }
  return static_cast<std::size_t>(
      std::ranges::count_if(members, [&](std::size_t count) { return count < smallest; }));
}

/// Strings over an alphabet, from tables of labels and texts and from FASTA.
class Strings final : public TableSource {
 public:
  Strings() : TableSource(Answers::words, "1") {}

  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  bool reads_slowly() const override { return true; }
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Strings> declare();

 private:
  StringFormat string_format() const;
  /// The symbols that strings may have; empty: any.
  Alphabet allowed() const;
  template <class Code>
  std::unique_ptr<Dataset> encoded(StringRows rows, const Alphabet& alphabet, Split parts,
                                   Context& context) const;

  std::string format_ = "auto";
  std::string header_ = "auto";
  std::string text_ = "2";
  std::string words_ = "blank";
  std::int64_t label_parts_ = 0;
  std::string label_separator_ = ".";
  std::int64_t smallest_class_ = 0;
  std::string letters_ = "keep";
  std::string alphabet_;
  std::string unknown_ = "refuse";
  std::int64_t longest_ = 0;
};

void log_left_out(std::size_t before, const StringRows& rows, std::size_t classes,
                  std::int64_t smallest, const std::string& file, Context& context) {
  if (classes == 0) return;
  context.log(LogLevel::info, file + ": dropped by 'smallest_class: " + std::to_string(smallest) +
                                  "': " + std::to_string(before - rows.rows()) + " of " +
                                  std::to_string(before) + " rows, " + std::to_string(classes) +
                                  " of " + std::to_string(classes + rows.classes.names().size()) +
                                  " classes");
}

Alphabet symbols_of(const StringRows& rows, std::span<const std::size_t> chosen) {
  Alphabet symbols;
  for (const std::size_t row : chosen) {
    const std::span<const char> string = rows.strings.row(row);
    for (std::string_view text(string.data(), string.size()); !text.empty();)
      symbols.add(take_symbol(text));
  }
  symbols.number();
  return symbols;
}

template <class Code>
RaggedRows<Code> codes_of(const StringRows& rows, const Alphabet& alphabet) {
  RaggedRows<Code> codes;
  codes.values.reserve(rows.symbols);
  codes.offsets.reserve(rows.rows() + 1);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const std::span<const char> string = rows.strings.row(i);
    for (std::string_view text(string.data(), string.size()); !text.empty();) {
      const char32_t symbol = take_symbol(text);
      codes.values.push_back(alphabet.knows(symbol) ? static_cast<Code>(alphabet.code(symbol))
                                                    : static_cast<Code>(new_symbol_value(symbol)));
    }
    codes.end_row();
  }
  return codes;
}

void Strings::check_parameters() const {
  TableSource::check_parameters();
  if (!is_utf8(alphabet_)) throw Error("'alphabet' is not UTF-8 text; save the pipeline as UTF-8");
  Alphabet given;
  if (const char32_t twice = given.add_all(alphabet_))
    throw Error("'alphabet' has the symbol " + describe_symbol(twice) +
                " twice; give each symbol once");
  if (label_separator_.empty()) throw Error("'label_separator' is empty; give at least one symbol");
  if (target_kind() == TargetKind::numbers && (label_parts_ > 0 || smallest_class_ > 0))
    throw Error(
        "'label_parts' and 'smallest_class' are for classes, but 'target' is numbers; remove them");
  if (label_ == "none" && (label_parts_ > 0 || smallest_class_ > 0))
    throw Error("'label_parts' and 'smallest_class' need labels, but 'label' is none; remove them");
}

void Strings::apply_model(const NewData& data) {
  if (smallest_class_ > 0) refuse_splits(data, {"smallest_class"});
  TableSource::apply_model(data);
}

Alphabet Strings::allowed() const {
  Alphabet symbols;
  symbols.add_all(alphabet_.empty() && model() && unknown_ == "drop" ? model()->layout.alphabet
                                                                     : alphabet_);
  return symbols;
}

StringFormat Strings::string_format() const {
  StringFormat format;
  format.format = format_;
  format.header = header_;
  name_facts(format);
  format.text = text_;
  format.words = words_;
  format.letters = letters_;
  format.label_parts = static_cast<std::size_t>(label_parts_);
  format.label_separator = label_separator_;
  format.drop_unknown = unknown_ == "drop";
  format.longest = static_cast<std::size_t>(longest_);
  format.why_longest =
      "'longest: " + std::to_string(longest_) + "' allows; raise it or cut the string";
  format.why_alphabet = alphabet_.empty() ? "the alphabet that the model knows" : "'alphabet'";
  return format;
}

template <class Code>
std::unique_ptr<Dataset> Strings::encoded(StringRows rows, const Alphabet& alphabet, Split parts,
                                          Context& context) const {
  check_fits(rows.bytes() + static_cast<double>(rows.symbols * (sizeof(Code) - 1)),
             "the strings as codes of " + std::to_string(sizeof(Code)) + " bytes", train_file(), "",
             context);
  auto codes = codes_of<Code>(rows, alphabet);
  rows.strings = {};
  const std::size_t longest = longest_ > 0 ? static_cast<std::size_t>(longest_) : rows.longest;
  const Layout layout = model() ? model()->layout : Layout::string(longest, alphabet.text());
  return make_dataset(layout, rows.classes.names(), rows.answers(), std::move(parts),
                      ragged(std::move(codes)));
}

std::unique_ptr<Dataset> Strings::open(Context& context) const {
  Alphabet alphabet = allowed();
  StringFormat format = string_format();
  if (alphabet.size() > 0) format.alphabet = &alphabet;
  if (is_fasta(train_file(), format)) check_has_beside();
  StringRows rows;
  std::size_t first = read_files(train_file(), test_file(), rows,
                                 [&](const std::string& file, const FactRules& rules) {
                                   format.facts = rules;
                                   if (smallest_class_ > 0) format.facts.new_classes = true;
                                   read_strings(file, format, rows, context);
                                 });
  if (rows.dropped > 0)
    context.log(LogLevel::info, train_file() + ": " + std::to_string(rows.dropped) +
                                    " symbols outside of the alphabet are dropped");
  const std::size_t numbered_rows = first;
  if (smallest_class_ > 1 && !model()) {
    const std::size_t before = rows.rows();
    const std::size_t classes =
        leave_out_rare_classes(static_cast<std::size_t>(smallest_class_), first, rows);
    log_left_out(before, rows, classes, smallest_class_, train_file(), context);
    if (rows.rows() == 0)
      throw DataError(train_file(), "",
                      "no class has " + std::to_string(smallest_class_) +
                          " rows; lower 'smallest_class' or correct 'label_parts'");
  }
  check_facts(rows, context);
  Split parts = finish_facts(rows, first, context, numbered_rows);
  if (model()) {
    alphabet = {};
    alphabet.add_all(model()->layout.alphabet);
  } else if (alphabet.size() == 0) {
    alphabet = symbols_of(rows, parts.learned_rows());
  }
  const auto open_as = [&]<class Code>(Code) {
    return encoded<Code>(std::move(rows), alphabet, std::move(parts), context);
  };
  if (!alphabet.has_all_of(rows.found)) return open_as(std::int32_t{});
  if (alphabet.size() <= 256) return open_as(std::uint8_t{});
  if (alphabet.size() <= 65536) return open_as(std::uint16_t{});
  return open_as(std::uint32_t{});
}

Declaration<Strings> Strings::declare() {
  Declaration<Strings> declaration("source/strings",
                                   "Strings: tables of labels and texts, and FASTA");
  declare_text_file(declaration, "text file");
  declaration
      .parameter("format", &Strings::format_,
                 "table: one row per line, fields separated by tabs; auto: fasta if the name ends "
                 "in .fasta, .fa, .fas, .faa, .fna or .ffn, else table",
                 choices({"auto", "table", "fasta"}))
      .parameter("header", &Strings::header_,
                 "whether the first line of a table names the columns; auto: yes if 'label' or "
                 "'text' is a name, or if the line holds words such as label and text",
                 choices({"auto", "present", "absent"}))
      .parameter("text", &Strings::text_, "the column of the string, by name or number")
      .parameter("words", &Strings::words_,
                 "what the words of a FASTA header end at; bar: |; both: | and blanks, so that the "
                 "last part of an id stands alone",
                 choices({"blank", "bar", "both"}))
      .parameter("label_parts", &Strings::label_parts_,
                 "number of parts of a label, from its front, that make the class; 0: all of it",
                 at_least(0), at_most(1000))
      .parameter("label_separator", &Strings::label_separator_, "what separates parts of a label")
      .parameter(
          "smallest_class", &Strings::smallest_class_,
          "drop the rows of classes with fewer rows in 'path' than this, but not those of new data",
          at_least(0), at_most(1e9), unit("rows"))
      .parameter("letters", &Strings::letters_, "what becomes of the letters A to Z and a to z",
                 choices({"keep", "upper", "lower"}))
      .parameter(
          "alphabet", &Strings::alphabet_,
          "all symbols that strings may have, also those of new data, in any order; empty: any")
      .parameter("unknown", &Strings::unknown_,
                 "what to do with symbols that `alphabet` lacks: refuse or drop them; drop: "
                 "without `alphabet`, also those that a model does not know",
                 choices({"refuse", "drop"}))
      .parameter("longest", &Strings::longest_,
                 "symbols that a string may have, also one of new data; 0: any number", at_least(0),
                 at_most(67108864.0), unit("symbols"));
  declare_rows(
      declaration,
      {.label_column = "a column of the table, by name or number, or a word of a FASTA header, by "
                       "number, counted from 1 or, if negative, from the end",
       .target_word = "what 'label' names: the class, or the number to predict, for regression",
       .facts = "the column of a table, by name or number"});
  return declaration.gives(LayoutKind::string)
      .random()
      .documentation(
          "A symbol is a Unicode code point of the file, which must be UTF-8. The alphabet is what "
          "the training rows hold, or what `alphabet` says, in the order of code points; "
          "a string is given as its symbols' positions in it. Other rows may have other symbols, "
          "unless `alphabet` says which; measures find them equal to none of those that the model "
          "knows, and `unknown: drop` drops them.\n\nIn a table, each "
          "line has the same number of fields, separated by tabs; the string is taken as it "
          "stands, with its blanks and quotes. Empty lines are skipped, empty strings refused. In "
          "FASTA the lines of a sequence are joined, lines that begin with `;` are skipped, a `#` "
          "is an error unless `alphabet` has it, and what stands before the first blank of a "
          "header names the row where it is not the label. New data may lack the label: a table "
          "may then be one column.\n\n`label_parts: 3` makes the superfamily a.1.1 of SCOP's "
          "a.1.1.1; `smallest_class: 20` drops classes with fewer than 20 rows.")
      .reference(
          "Pearson and Lipman, Improved tools for biological sequence comparison, 1988 (FASTA)")
      .complexity("memory: 1 byte per symbol, 2 where the alphabet has more than 256")
      .example(R"(
        names: {is: source/strings, path: strings/surnames.tsv, test_fraction: 0.2}
        grams: {is: feature/spectrum, longest: 2, from: names}
        svm:   {is: solver/linear_svm, from: grams}
        test:  {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_strings() { return Strings::declare().entry(); }

}  // namespace semblance::sources
