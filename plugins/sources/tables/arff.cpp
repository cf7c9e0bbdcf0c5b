// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "rows/memory_limit.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"
#include "tables/arff_attributes.hpp"
#include "tables/text_table.hpp"
#include "tables/text_table_source.hpp"

namespace semblance::sources {
namespace {

/// The values of a nominal attribute as categories are spelled.
std::vector<std::string> declared_values(const ArffAttribute& attribute) {
  std::vector<std::string> values;
  values.reserve(attribute.values.size());
  for (const std::string& value : attribute.values) values.push_back(canonical_label(value));
  return values;
}

/// Reads one file: attributes, then rows, dense or sparse.
class ArffTableReader {
 public:
  ArffTableReader(const std::string& file, const FileFormat& format, TextTable& table)
      : lines_(file), format_(format), table_(table), rows_(lines_, format, table) {}

  void read(Context& context) {
    attributes_ = read_arff_attributes(lines_, context);
    check_attributes();
    rows_.begin(roles());
    fields_.resize(attributes_.size());
    std::string_view line;
    while (lines_.next(line)) {
      if (lines_.number() % 4096 == 0) context.check_stop();
      line = trimmed(line);
      if (line.empty() || line.starts_with('%')) continue;
      weight_ = "1";
      if (line.starts_with('{'))
        take_sparse_row(line);
      else
        take_row(line);
      check_declared();
      rows_.append(std::vector<std::string_view>(fields_.begin(), fields_.end()), weight_);
      check_fits(table_.bytes(), "the rows so far", lines_.path(), lines_.place(), context);
    }
    rows_.finish(context);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(lines_.path(), lines_.place(), what);
  }
  [[noreturn]] void fail(const ArffAttribute& attribute, const std::string& what) const {
    throw DataError(lines_.path(), "line " + std::to_string(attribute.line),
                    "the attribute " + in_quotes(attribute.name) + " " + what);
  }

  void check_attributes() {
    for (const ArffAttribute& attribute : attributes_) {
      if (attribute.relational())
        fail(attribute,
             "is relational, as those of time series are; read the file with source/ucr");
      if (!attribute.nominal() && !attribute.numeric() && attribute.type != "string" &&
          attribute.type != "date")
        fail(attribute,
             "has the type " + in_quotes(attribute.type) +
                 ", which is not known in .arff; expected numeric, {values}, string or date");
      const auto values = declared_values(attribute);
      declared_.emplace_back(values.begin(), values.end());
      if (declared_.back().size() != values.size())
        fail(attribute, "declares a value twice; remove one");
    }
  }

  ColumnRoles roles() {
    std::vector<std::string> names;
    names.reserve(attributes_.size());
    for (const ArffAttribute& attribute : attributes_) names.push_back(attribute.name);
    ColumnRoles roles = rows_.find({}, std::move(names), [this](const std::string& what) {
      throw DataError(lines_.path(), "", what);
    });
    check_targets(roles);
    const bool first = !table_.model && table_.expected.count == 0;
    for (std::size_t k = 0; k < roles.values.size(); ++k) {
      const ArffAttribute& attribute = attributes_[roles.values[k]];
      check_holds_values(attribute);
      if (first)
        roles.categorical[k] = attribute.nominal();
      else
        check_type(attribute, roles.categorical[k]);
      if (first && attribute.nominal())
        table_.categorical.emplace_back().declare(declared_values(attribute));
    }
    return roles;
  }

  void check_targets(const ColumnRoles& roles) const {
    for (const std::size_t c : roles.targets)
      if (c != ColumnRoles::none && !attributes_[c].numeric())
        fail(attributes_[c],
             (attributes_[c].nominal() ? std::string("is nominal")
                                       : "is of the type " + attributes_[c].type) +
                 ", and a target must be numeric; name it in 'label' if it is the class");
  }

  void check_holds_values(const ArffAttribute& attribute) const {
    if (attribute.type == "string")
      fail(attribute,
           "is a string; name it in 'ignore' or 'id', or read strings with source/strings");
    if (attribute.type == "date")
      fail(attribute,
           "is a date; turn it into numbers, such as days since a fixed day, or name it in "
           "'ignore'");
  }

  void check_type(const ArffAttribute& attribute, bool categorical) const {
    if (attribute.nominal() == categorical) return;
    const std::string before =
        table_.model ? "the data that the model was trained on" : "the training file";
    fail(attribute, (categorical ? "is numeric, but nominal in " : "is nominal, but numeric in ") +
                        before + "; declare it alike");
  }

  void take_row(std::string_view line) {
    std::size_t number = 0;
    for (bool more = true; more; ++number) {
      line = trimmed(line);
      if (line.starts_with('{')) {
        take_weight(line);
        break;
      }
      if (number == attributes_.size())
        fail("has more fields than the " + std::to_string(attributes_.size()) +
             " attributes of the header; correct the row");
      take_word(line, ",", fields_[number]);
      more = take_separator(line);
    }
    if (number != attributes_.size())
      fail("has " + std::to_string(number) + " fields, but the header names " +
           std::to_string(attributes_.size()) + " attributes; correct the row");
  }

  /// A comma or a tab; false at the end of the row, or before a comment.
  bool take_separator(std::string_view& line) const {
    const std::size_t field = std::min(line.find_first_not_of(" \t"), line.size());
    const bool tab = line.substr(0, field).find('\t') != line.npos;
    line.remove_prefix(field);
    if (line.empty() || line.starts_with('%')) return false;
    if (line.starts_with(','))
      line.remove_prefix(1);
    else if (!tab)
      fail(
          "has blanks within a field, or text after a quoted one; separate fields by commas, and "
          "put texts with blanks in quotes");
    return true;
  }

  /// `{2}` after the values of a row.
  void take_weight(std::string_view line) {
    if (!format_.row_weights)
      fail("has a weight after its values; set 'weight: \"{}\"' to use it, or remove it");
    line.remove_prefix(1);
    const std::size_t end = line.find('}');
    const std::string_view rest = end == line.npos ? "" : trimmed(line.substr(end + 1));
    if (end == line.npos || !(rest.empty() || rest.starts_with('%')))
      fail("has text after its weight, or a weight that is not closed by '}'; correct the row");
    weight_ = trimmed(line.substr(0, end));
  }

  void take_word(std::string_view& line, std::string_view ends, std::string& field) const {
    if (!take_arff_word(line, ends, field)) fail("a quote is not closed; correct it");
  }

  /// {NUMBER VALUE, NUMBER VALUE}: the numbers of attributes from 0, ascending.
  void take_sparse_row(std::string_view line) {
    for (std::size_t k = 0; k < fields_.size(); ++k)
      fields_[k] = attributes_[k].nominal()   ? attributes_[k].values.front()
                   : attributes_[k].numeric() ? "0"
                                              : "";
    line.remove_prefix(1);
    std::size_t next = 0;
    for (line = trimmed(line); !line.starts_with('}'); line = trimmed(line)) {
      std::string word;
      take_word(line, ",}", word);
      const auto number = parse_integer(word);
      if (!number || *number < 0 || static_cast<std::size_t>(*number) >= fields_.size())
        fail(in_quotes(word) + " is no number of an attribute; they count from 0 to " +
             std::to_string(fields_.size() - 1));
      const auto k = static_cast<std::size_t>(*number);
      if (k < next) fail("the numbers of its attributes do not ascend; sort the row");
      next = k + 1;
      take_word(line, ",}", fields_[k]);
      line = trimmed(line);
      if (line.starts_with(','))
        line.remove_prefix(1);
      else if (!line.starts_with('}'))
        fail(
            "the sparse row is not closed by '}', or text stands between its fields; write {NUMBER "
            "VALUE, NUMBER VALUE}");
    }
    line.remove_prefix(1);
    line = trimmed(line);
    if (line.starts_with(',')) line = trimmed(line.substr(1));
    if (line.empty() || line.starts_with('%')) return;
    if (!line.starts_with('{'))
      fail("has text after its values; write {NUMBER VALUE, NUMBER VALUE}");
    take_weight(line);
  }

  /// A value that the header does not declare is an error, regardless of 'unknown'.
  void check_declared() const {
    for (std::size_t k = 0; k < fields_.size(); ++k) {
      if (!attributes_[k].nominal() || format_.is_missing(fields_[k]) ||
          declared_[k].contains(canonical_label(fields_[k])))
        continue;
      fail("column " + rows_.roles().describe(k) + " is " + in_quotes(fields_[k]) +
           ", which is not among the values that the header declares; correct one of them");
    }
  }

  LineReader lines_;
  const FileFormat& format_;
  TextTable& table_;
  TableRows rows_;
  std::vector<ArffAttribute> attributes_;
  std::vector<std::set<std::string>> declared_;  ///< one an attribute
  std::vector<std::string> fields_;              ///< of a row
  std::string_view weight_;                      ///< of the row, in braces
};

/// Tables in Weka's .arff: numeric and nominal attributes.
class Arff final : public TextTableSource {
 public:
  std::unique_ptr<Dataset> open(Context& context) const override {
    FileFormat format;
    format.separator.clear();
    format.header = "present";
    format.declares_types = true;
    fill(format);
    format.row_weights = weight_ == "{}" && !has_beside();
    if (format.row_weights) format.weight.clear();
    return open_table<ArffTableReader>(format, context);
  }

  static Declaration<Arff> declare() {
    Declaration<Arff> declaration("source/arff", "A table in Weka's .arff format");
    declare_text_file(declaration, ".arff file");
    declare_columns(declaration);
    return declaration.gives(LayoutKind::vector)
        .random()
        .documentation(
            "A nominal attribute becomes one value per declared value, in the order of the "
            "declaration: 1 in rows that have it, else 0. The class attribute may be of any type; "
            "classes are ordered by value if all are integers, else by name. Attributes of other "
            "types (string, date) cannot be values: name them in `ignore`. Sparse rows, `{1 0.5, 3 "
            "red}`, count attributes from 0; those they omit are 0, or the first declared value. "
            "Fields end at commas or tabs, and `%` after them begins a remark. With `weight: "
            "\"{}\"` the number in braces after a row's values is its weight, or 1 if it has none. "
            "`?` is a missing value. Kept, it is filled in by normalizer/impute, which must take "
            "the rows; of a nominal attribute it is a value of its own, `color=`.\n\nThe "
            "attributes of the files of `path` and `test_path`, or of a model and the file it is "
            "applied to, are matched by name. Time series in .arff files are read by source/ucr.")
        .complexity("memory: 4 bytes per value; a nominal attribute has one for each of its values")
        .example(R"(
        table: {is: source/arff, path: table.arff, label: class, test_fraction: 0.3}
        x:     {is: normalizer/zscore, from: table}
        svm:   {is: solver/linear_svm, from: x}
        test:  {is: evaluator/classification, from: svm})");
  }
};

}  // namespace

ComponentEntry declare_arff() { return Arff::declare().entry(); }

}  // namespace semblance::sources
