// SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>

#include "files/byte_reader.hpp"
#include "rows/memory_limit.hpp"
#include "rows/table_source.hpp"
#include "semblance_tables/text_values.hpp"
#include "text/document_folder.hpp"
#include "text/string_rows.hpp"
#include "text/terms.hpp"
#include "text/text_lines.hpp"

namespace semblance::sources {
namespace {

/// Documents as counts of their terms.
class TextSource final : public TableSource {
 public:
  TextSource() : TableSource(Answers::words, "1") {}

  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  std::vector<std::string> files() const override;
  bool reads_slowly() const override { return true; }
  std::unique_ptr<Dataset> open(Context& context) const override;
  std::unique_ptr<RowLines> lines(const NewData& model) const override;
  static Declaration<TextSource> declare();

 private:
  StringFormat format() const;
  TermFormat term_format() const;
  void read(const std::string& path, const StringFormat& format, StringRows& rows,
            Context& context) const;
  /// The model's, hashed ones, or those of the training samples' vocabulary.
  TermColumns columns_for(const StringRows& rows, const Split& parts, Context& context) const;
  /// Warns of documents, by their position of reading, that have terms, but none with a column.
  void report_unknown(std::span<const std::size_t> unknown, std::size_t rows, std::size_t first,
                      Context& context) const;
  std::vector<std::string> vocabulary(const StringRows& rows,
                                      const std::vector<std::size_t>& training,
                                      Context& context) const;

  std::string header_ = "auto";
  std::string text_ = "2";
  std::string encoding_ = "utf8";
  std::string terms_ = "words";
  std::int64_t shortest_ = 1;
  std::int64_t longest_ = 1;
  std::int64_t letters_ = 2;
  bool keep_case_ = false;
  std::int64_t least_rows_ = 2;
  std::int64_t most_columns_ = 0;
  std::int64_t hashed_columns_ = 0;
};

std::string_view text_of(const StringRows& rows, std::size_t row) {
  const auto text = rows.strings.row(row);
  return {text.data(), text.size()};
}

/// Converts a row's columns, one per occurrence of a term, to sorted entries.
void end_row(std::vector<std::uint32_t>& found, SpillingRows& counts) {
  std::ranges::sort(found);
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (k > 0 && found[k] == found[k - 1]) {
      ++counts.values.back();
      continue;
    }
    counts.columns.push_back(found[k]);
    counts.values.push_back(1);
  }
  counts.end_row();
  found.clear();
}

void TextSource::check_parameters() const {
  TableSource::check_parameters();
  if (shortest_ > longest_)
    throw Error("'shortest' is " + std::to_string(shortest_) + ", more than 'longest', " +
                std::to_string(longest_) + "; lower it or raise 'longest'");
  if (hashed_columns_ > 0 && most_columns_ > 0)
    throw Error(
        "'hashed_columns' and 'most_columns' exclude each other: one takes all terms, the other "
        "those of a vocabulary; remove one");
}

void TextSource::apply_model(const NewData& data) {
  refuse_fixed(data, {"terms", "shortest", "longest", "letters", "keep_case", "least_rows",
                      "most_columns", "hashed_columns"});
  TableSource::apply_model(data);
}

std::vector<std::string> TextSource::files() const {
  std::vector<std::string> all;
  for (const std::string& path : TableSource::files()) {
    if (!is_folder(path)) {
      all.push_back(path);
      continue;
    }
    const std::vector<std::string> documents = list_documents(path);
    all.insert(all.end(), documents.begin(), documents.end());
  }
  return all;
}

StringFormat TextSource::format() const {
  StringFormat format;
  format.format = "table";
  format.header = header_;
  name_facts(format);
  format.text = text_;
  return format;
}

std::unique_ptr<RowLines> TextSource::lines(const NewData& model) const {
  return text_lines(model, format(), term_format());
}

TermFormat TextSource::term_format() const {
  return {terms_ == "words", static_cast<std::size_t>(shortest_),
          static_cast<std::size_t>(longest_), static_cast<std::size_t>(letters_), keep_case_};
}

void TextSource::read(const std::string& path, const StringFormat& format, StringRows& rows,
                      Context& context) const {
  if (is_folder(path)) return read_documents(path, encoding_, format, rows, context);
  if (encoding_ != "utf8")
    throw DataError(path, "",
                    "is a table, which must be UTF-8 text; 'encoding' is for folders of documents");
  read_strings(path, format, rows, context);
}

std::vector<std::string> TextSource::vocabulary(const StringRows& rows,
                                                const std::vector<std::size_t>& training,
                                                Context& context) const {
  struct Count {
    std::size_t rows = 0;
    std::size_t last_row = SIZE_MAX;
  };
  std::unordered_map<std::string, Count> counts;
  Terms terms(term_format());
  std::string key;
  for (const std::size_t row : training) {
    context.check_stop();
    terms.for_each(text_of(rows, row), [&](std::string_view term) {
      key = term;
      Count& count = counts[key];
      if (count.last_row == row) return;
      count.last_row = row;
      ++count.rows;
    });
    const double bytes = rows.bytes() + 100.0 * static_cast<double>(counts.size());
    check_fits(bytes, "the documents and their terms so far", train_file(), "", context);
  }
  std::vector<std::pair<std::size_t, std::string>> frequent;
  for (auto& [term, count] : counts)
    if (count.rows >= static_cast<std::size_t>(least_rows_))
      frequent.emplace_back(count.rows, term);
  const auto most = static_cast<std::size_t>(most_columns_);
  if (most > 0 && frequent.size() > most) {
    std::ranges::sort(frequent, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    frequent.resize(most);
  }
  std::vector<std::string> all;
  all.reserve(frequent.size());
  for (auto& [count, term] : frequent) all.push_back(std::move(term));
  return all;
}

TermColumns TextSource::columns_for(const StringRows& rows, const Split& parts,
                                    Context& context) const {
  if (model() && !model()->columns.empty()) return TermColumns(model()->columns);
  if (model()) return TermColumns(model()->layout.size());
  if (hashed_columns_ > 0) return TermColumns(static_cast<std::size_t>(hashed_columns_));
  TermColumns columns(vocabulary(rows, parts.learned_rows(), context));
  if (columns.count() == 0)
    throw DataError(train_file(), "",
                    "no term occurs in " + std::to_string(least_rows_) +
                        " training rows; lower 'least_rows' or 'letters', or check that these are "
                        "texts");
  return columns;
}

void TextSource::report_unknown(std::span<const std::size_t> unknown, std::size_t rows,
                                std::size_t first, Context& context) const {
  if (unknown.empty()) return;
  const bool in_test = unknown.front() >= first;
  context.log(LogLevel::warning,
              train_file() + ": " + std::to_string(unknown.size()) + " of " + std::to_string(rows) +
                  " documents have no term that has a column, so that all of their counts are 0; "
                  "the first: row " +
                  std::to_string(in_test ? unknown.front() - first : unknown.front()) + " of " +
                  (in_test ? test_file() : train_file()));
}

std::unique_ptr<Dataset> TextSource::open(Context& context) const {
  StringFormat format = this->format();
  if (is_folder(train_file())) check_has_beside();
  StringRows rows;
  const std::size_t first = read_files(train_file(), test_file(), rows,
                                       [&](const std::string& file, const FactRules& rules) {
                                         format.facts = rules;
                                         read(file, format, rows, context);
                                       });
  check_facts(rows, context);
  const double text_bytes = rows.bytes();
  Split parts = finish_facts(rows, first, context);
  const TermColumns columns = columns_for(rows, parts, context);
  SpillingRows counts;
  spill_beyond_share(context, counts.values, counts.columns);
  std::vector<std::uint32_t> found;
  std::vector<std::size_t> unknown_rows;
  Terms terms(term_format());
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    if (row % 1024 == 0) context.check_stop();
    bool unknown = false;
    terms.for_each(text_of(rows, row), [&](std::string_view term) {
      const std::uint32_t column = columns.of(term);
      if (column != TermColumns::none)
        found.push_back(column);
      else
        unknown = true;
    });
    if (unknown && found.empty()) unknown_rows.push_back(row);
    end_row(found, counts);
    check_fits(text_bytes + static_cast<double>(counts.bytes()), "the counts so far", train_file(),
               "", context);
  }
  report_unknown(unknown_rows, rows.rows(), first, context);
  rows.strings = {};
  return make_dataset(Layout::sparse(columns.count()), rows.classes.names(), rows.answers(),
                      std::move(parts), ragged(std::move(counts)), columns.terms());
}

Declaration<TextSource> TextSource::declare() {
  Declaration<TextSource> declaration("source/text", "Documents, as counts of their words");
  declaration
      .parameter("path", &TextSource::path_,
                 "a folder with a folder for each class, whose files are the documents; or a table "
                 "of labels and texts, plain or as .gz, .xz, .bz2 or .zst",
                 required())
      .parameter("text", &TextSource::text_, "for a table, the column of the text")
      .parameter("header", &TextSource::header_,
                 "whether the first line of a table names the columns; auto: yes if 'label' or "
                 "'text' is a name, or if the line holds words such as label and text",
                 choices({"auto", "present", "absent"}))
      .parameter("encoding", &TextSource::encoding_, "for the documents of a folder",
                 choices({"utf8", "latin1"}))
      .parameter("terms", &TextSource::terms_, "what is counted: runs of words or of characters",
                 choices({"words", "characters"}))
      .parameter("shortest", &TextSource::shortest_, "fewest words or characters of a term",
                 at_least(1), at_most(100))
      .parameter("longest", &TextSource::longest_,
                 "most words or characters of a term: 2 counts single words and pairs of them",
                 at_least(1), at_most(100))
      .parameter("letters", &TextSource::letters_,
                 "fewest letters of a word: shorter words are skipped", at_least(1), at_most(1000))
      .parameter("keep_case", &TextSource::keep_case_,
                 "distinguish upper and lower case; false: all becomes lower case")
      .parameter("least_rows", &TextSource::least_rows_,
                 "terms that occur in fewer training rows get no column", at_least(1), at_most(1e9),
                 unit("rows"))
      .parameter("most_columns", &TextSource::most_columns_,
                 "keep only this many terms, those that the most training rows have; 0: all",
                 at_least(0), at_most(1e9))
      .parameter("hashed_columns", &TextSource::hashed_columns_,
                 "number of columns, instead of a vocabulary: a hash assigns terms to them, and "
                 "several may share one; 0: a vocabulary",
                 at_least(0), at_most(2147483648.0));
  declare_rows(declaration,
               {.label_column = "a column, by name or number, where the documents are in a table",
                .target_word = "for a table, what 'label' names: the class, or the number to "
                               "predict, for regression",
                .facts = "for a table, the column, by name or number"});
  return declaration.gives(LayoutKind::sparse)
      .random()
      .documentation(
          "A word is a run of letters, marks, digits and underscores, as Unicode has them; a run "
          "of blanks is one character. Each term of the training rows has a column, named after "
          "it, in the order of its bytes, and a row counts how often it has each: terms that only "
          "other rows have are skipped, so that they do not count for the length by which "
          "normalizer/unit_length divides a row; documents of nothing else are counted in a "
          "warning. A model knows its terms. With cross-validation the "
          "vocabulary is that of all training rows, of all folds; weights by frequency are a "
          "matter of normalizer/tfidf, which learns them in each fold.\n\nFiles must be UTF-8, "
          "unless `encoding` says otherwise.")
      .complexity(
          "memory: the texts while they are read, then 8 bytes for each different term of a row")
      .example(R"(
        words: {is: source/text, path: text/reuters-r8.train.tsv, test_path: text/reuters-r8.test.tsv}
        tfidf: {is: normalizer/tfidf, sublinear: true, from: words}
        x:     {is: normalizer/unit_length, from: tfidf}
        svm:   {is: solver/linear_svm, from: x}
        test:  {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_text_source() { return TextSource::declare().entry(); }

}  // namespace semblance::sources
