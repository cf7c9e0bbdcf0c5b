// SPDX-License-Identifier: MIT
#include "tables/text_table_source.hpp"

#include <string>
#include <utility>
#include <vector>

#include "rows/memory_limit.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"
#include "tables/category_columns.hpp"
#include "tables/text_table.hpp"

namespace semblance::sources {
namespace {

/// The treatment of a category without training samples.
struct CategoryRules {
  bool accepts_unknown = false;  ///< all its column's values are 0; else it is an error
  bool found = false;            ///< the categorical columns were not listed: too many are an error
};

/// Rows with only numbers.
struct OneHotTable {
  std::size_t cols = 0;
  std::vector<std::string> columns;  ///< their names; empty: none
  std::vector<float> values;         ///< of the rows that are held
};

class OneHot {
 public:
  OneHot(TextTable& table, const CategoryRules& rules, const std::string& file)
      : table_(table), rules_(rules), file_(file) {}

  OneHotTable encode(const Split& split, Context& context) {
    learn(split.learned_rows());
    name_columns();
    check_fits(table_.bytes() + double(table_.stored_rows()) * double(result_.cols) * sizeof(float),
               "rows of " + std::to_string(result_.cols) + " values, one per category,", file_, "",
               context);
    fill();
    return std::move(result_);
  }

 private:
  /// "column 'color'", or "column 3" without a header.
  std::string describe(std::size_t k) const {
    return "column " + (table_.columns.empty() ? std::to_string(table_.places[k] + 1)
                                               : in_quotes(table_.columns[k]));
  }

  void learn(const std::vector<std::size_t>& training) {
    std::size_t next = 0;
    for (std::size_t k = 0; k < table_.is_categorical.size(); ++k) {
      if (!table_.is_categorical[k]) continue;
      CategoryColumn& column = table_.categorical[next++];
      if (!column.fixed() && rules_.found) check_count(k, column);
      column.learn(training);
      if (rules_.accepts_unknown) continue;
      if (const auto stranger = column.first_stranger()) refuse(k, *stranger);
    }
  }

  /// Like labels; see check_class_count().
  void check_count(std::size_t k, const CategoryColumn& column) const {
    constexpr std::size_t many = 100;
    if (column.different() <= many || column.rows() >= 2 * column.different()) return;
    throw DataError(file_, "",
                    describe(k) + " has " + std::to_string(column.different()) +
                        " different texts in " + std::to_string(column.rows()) +
                        " rows, which looks like names or remarks and not like categories; name it "
                        "in 'ignore' or 'id', or list all categorical columns in 'categorical'");
  }

  [[noreturn]] void refuse(std::size_t k, const CategoryColumn::Stranger& stranger) const {
    const std::string what = stranger.name == CategoryColumn::missing
                                 ? " has no value, but has one in all of "
                                 : " is " + in_quotes(stranger.name) + ", which is not in ";
    throw DataError(
        stranger.file, "line " + std::to_string(stranger.line),
        describe(k) + what + "the training rows" +
            "; correct it, or set 'unknown: none' to read it as none of the categories");
  }

  void name_columns() {
    std::size_t next = 0;
    for (std::size_t k = 0; k < table_.is_categorical.size(); ++k) {
      const std::string name =
          table_.columns.empty() ? numbered_column(table_.places[k]) : table_.columns[k];
      if (!table_.is_categorical[k]) {
        result_.columns.push_back(name);
        continue;
      }
      for (const std::string& category : table_.categorical[next++].categories())
        result_.columns.push_back(category_name(name, category));
    }
    result_.cols = result_.columns.size();
  }

  void fill() {
    const std::vector<float> numbers = std::exchange(table_.values, {});
    result_.values.assign(table_.stored_rows() * result_.cols, 0.0f);
    const float* from = numbers.data();
    float* to = result_.values.data();
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      if (!table_.held.holds(row)) continue;
      fill_row(row, from, to);
      from += table_.cols;
      to += result_.cols;
    }
  }

  void fill_row(std::size_t row, const float* number, float* to) const {
    std::size_t next = 0;
    for (const bool categorical : table_.is_categorical) {
      if (!categorical) {
        *to++ = *number++;
        continue;
      }
      const CategoryColumn& column = table_.categorical[next++];
      if (const auto category = column.category(row)) to[*category] = 1;
      to += column.categories().size();
    }
  }

  TextTable& table_;
  const CategoryRules& rules_;
  const std::string& file_;
  OneHotTable result_;
};

/// The table's rows with one value per category in place of each categorical column: 1 in rows of
/// the category, else 0. The categories are those of the training samples, or of all rows if there
/// are none. Moves the values out of `table`. Throws DataError naming the first row with an unknown
/// category.
OneHotTable one_hot(TextTable& table, const Split& split, const CategoryRules& rules,
                    const std::string& file, Context& context) {
  if (table.categorical.empty())
    return {table.cols, std::move(table.columns), std::move(table.values)};
  return OneHot(table, rules, file).encode(split, context);
}

}  // namespace

void TextTableSource::check_parameters() const {
  TableSource::check_parameters();
  if (missing_ == "refuse" || missing_ == "keep") return;
  // Filling in values requires learning, and a source does not know the training samples of a fold.
  const bool mean = missing_ == "mean" || missing_ == "median";
  if (mean || missing_ == "indicator")
    throw Error(
        "'missing' keeps or refuses values and does not fill them in, which is learned from the "
        "training rows alone; write 'missing: keep' and add after it a node {is: "
        "normalizer/impute, " +
        (mean ? "strategy: " + missing_ : std::string("indicator: true")) + ", from: ...}");
  throw Error("'missing' must be refuse or keep, got " + in_quotes(missing_));
}

void TextTableSource::fill(FileFormat& format) const {
  name_facts(format);
  format.ignore = ignore_;
  format.columns = columns_;
  format.understands = understands_columns() && columns_.size() == 1 && columns_.front() == "auto";
  if (format.understands) format.columns.clear();
  format.keeps_missing = keeps_missing();
  format.labels = label_rule(format.declares_types);
}

std::unique_ptr<Dataset> TextTableSource::open_with(const Read& read, const FileFormat& format,
                                                    Context& context) const {
  TextTable table;
  table.wanted = wanted();
  if (model()) expect_model(table);
  read(train_file(), table);
  const std::size_t first = table.rows();
  if (!test_file().empty()) read(test_file(), table);
  check_labels(table.labels, table.classes, context);
  return finish_table(std::move(table), first, format.finds_categorical(), context);
}

void TextTableSource::expect_model(TextTable& table) const {
  const NewData& data = *model();
  table.model = &data;
  table.accepts_unknown = accepts_unknown_categories();
  if (target_columns_.empty()) return;
  if (target_columns_.size() != data.targets.size() && !data.targets.empty())
    throw Error("'target' names " + std::to_string(target_columns_.size()) +
                " columns, but the model predicts " + std::to_string(data.targets.size()) +
                " numbers per row; name the column of each, or omit it");
  table.targets.set_names(data.targets);
}

std::unique_ptr<Dataset> TextTableSource::finish_table(TextTable table, std::size_t first,
                                                       bool found_categorical,
                                                       Context& context) const {
  Split parts = finish_facts(table, first, context);
  const CategoryRules rules{accepts_unknown_categories(), found_categorical};
  OneHotTable rows = one_hot(table, parts, rules, train_file(), context);
  return make_dataset(
      Layout::vector(rows.cols), table.classes.names(), table.answers(), std::move(parts),
      packed(std::move(rows.values), rows.cols, std::move(table.held)), std::move(rows.columns));
}

}  // namespace semblance::sources
