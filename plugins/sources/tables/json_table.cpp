// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rows/memory_limit.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"
#include "tables/text_table.hpp"
#include "tables/text_table_source.hpp"

namespace semblance::sources {
namespace {

using JsonRow = nlohmann::ordered_json;

/// Reads one file: an object per line, whose keys name the columns.
class JsonTableReader {
 public:
  JsonTableReader(const std::string& file, const FileFormat& format, TextTable& table)
      : lines_(file), table_(table), rows_(lines_, format, table) {}

  void read(Context& context) {
    std::string_view line;
    while (lines_.next(line)) {
      if (lines_.number() % 4096 == 0) context.check_stop();
      line = trimmed(line);
      if (line.empty()) continue;
      const JsonRow row = parsed(line);
      if (places_.empty()) begin(row);
      take(row);
      rows_.append(std::vector<std::string_view>(fields_.begin(), fields_.end()));
      check_fits(table_.bytes(), "the rows so far", lines_.path(), lines_.place(), context);
    }
    rows_.finish(context);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(lines_.path(), lines_.place(), what);
  }

  JsonRow parsed(std::string_view line) const {
    if (!is_utf8(line)) fail("is not UTF-8 text; save the file as UTF-8");
    std::set<std::string> keys;
    std::string twice;
    const auto note = [&](int depth, JsonRow::parse_event_t event, const JsonRow& value) {
      if (depth > 1) fail("holds a list or object in a value; write numbers, texts, true or null");
      if (event == JsonRow::parse_event_t::key && !keys.insert(value.get<std::string>()).second)
        twice = value.get<std::string>();
      return true;
    };
    JsonRow json = JsonRow::parse(line, note, false);
    if (json.is_discarded() || !json.is_object() || json.empty())
      fail(std::string(
               "is no JSON object; write a row per line, such as {\"age\": 31, \"kind\": \"a\"}") +
           (line.find("NaN") == line.npos ? "" : ", and null for NaN"));
    if (!twice.empty()) fail("gives " + in_quotes(twice) + " twice; give it once");
    return json;
  }

  /// The keys of the first row are the columns.
  void begin(const JsonRow& row) {
    std::vector<std::string> names;
    for (const auto& [key, value] : row.items()) {
      places_.emplace(key, names.size());
      names.push_back(key);
    }
    fields_.resize(names.size());
    rows_.begin(rows_.find({}, names, [this](const std::string& what) { fail(what); }));
  }

  /// A key that a later row lacks is a missing value.
  void take(const JsonRow& row) {
    std::ranges::fill(fields_, std::string());
    for (const auto& [key, value] : row.items()) {
      const auto place = places_.find(key);
      if (place == places_.end())
        fail(
            "gives " + in_quotes(key) +
            ", which the first row lacks; give the first row all keys, null where it has no value");
      if (!value.is_null())
        fields_[place->second] = value.is_string() ? value.get<std::string>() : value.dump();
    }
  }

  LineReader lines_;
  TextTable& table_;
  TableRows rows_;
  std::map<std::string, std::size_t, std::less<>> places_;
  std::vector<std::string> fields_;
};

/// Tables of numbers and categories as lines of JSON.
class JsonTable final : public TextTableSource {
 public:
  void apply_model(const NewData& data) override {
    refuse_fixed(data, {"categorical"});
    TextTableSource::apply_model(data);
  }
  std::unique_ptr<Dataset> open(Context& context) const override {
    FileFormat format;
    format.separator.clear();
    format.header = "present";
    fill(format);
    format.categorical = categorical_;
    return open_table<JsonTableReader>(format, context);
  }
  static Declaration<JsonTable> declare();

 private:
  std::vector<std::string> categorical_;
};

Declaration<JsonTable> JsonTable::declare() {
  Declaration<JsonTable> declaration("source/jsonl", "A table as lines of JSON, an object per row");
  declare_text_file(declaration, "text file with an object per line");
  declaration.parameter("categorical", &JsonTable::categorical_,
                        "the keys whose values are categories");
  declare_columns(declaration);
  return declaration.gives(LayoutKind::vector)
      .random()
      .documentation(
          "The keys of the first row are the columns, and later rows may lack some. Values are "
          "numbers, texts, true (1), false (0), or null for a missing one; a text such as NA or ? "
          "is missing, too. The columns of `path` and `test_path`, or of a model and the file it "
          "is applied to, are matched by name. All else is as for source/csv.")
      .complexity("memory: 4 bytes per value; a column of categories has one for each of them")
      .example(R"(
        table: {is: source/jsonl, path: table.jsonl, label: class, test_fraction: 0.3}
        x:     {is: normalizer/zscore, from: table}
        svm:   {is: solver/linear_svm, from: x}
        test:  {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_jsonl() { return JsonTable::declare().entry(); }

}  // namespace semblance::sources
