// SPDX-License-Identifier: MIT
#include "beside_table.hpp"

#include <algorithm>
#include <array>

#include "memory_limit.hpp"
#include "semblance/error.hpp"
#include "text/column_roles.hpp"
#include "text/csv_records.hpp"
#include "text_values.hpp"

namespace semblance::sources {
namespace {

class BesideReader {
 public:
  BesideReader(const BesideTable& table, Context& context)
      : lines_(table.file), records_(lines_, format_), context_(context) {
    rules_.weights = !table.weight.empty();
    rules_.groups = !table.groups.empty();
    wanted_ = {{{"id", &table.id}, {"weight", &table.weight}, {"groups", &table.groups}}};
  }

  RowFacts read() {
    RowFacts facts;
    const RowFacts::Refuse refuse = [&](Fact fact, std::size_t, const std::string& what) {
      const std::size_t k = fact == Fact::id ? 0 : fact == Fact::weight ? 1 : 2;
      fail("the " +
           std::string(k == 0   ? "name"
                       : k == 1 ? "weight"
                                : "group") +
           " in column " + std::to_string(*places_[k] + 1) + " " + what);
    };
    for (std::size_t count = 0; records_.next(fields_);) {
      if (lines_.number() % 4096 == 0) context_.check_stop();
      if (count == 0) count = fields_.size();
      if (fields_.size() != count)
        fail("has " + std::to_string(fields_.size()) + " fields, but the first line has " +
             std::to_string(count) + "; every row needs the same number");
      if (!begun_ && begins_with_header()) continue;
      FactTexts texts;
      texts.id = field(0);
      texts.weight = field(1);
      texts.group = field(2);
      facts.append(texts, rules_, refuse);
      check_fits(facts.bytes(), "the rows so far", lines_.path(), lines_.place(), context_);
    }
    return facts;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(lines_.path(), lines_.place(), what);
  }

  std::optional<std::string_view> field(std::size_t k) const {
    return places_[k] ? std::optional(trimmed(fields_[*places_[k]])) : std::nullopt;
  }

  /// Finds the columns.
  bool begins_with_header() {
    begun_ = true;
    const bool header = std::ranges::any_of(wanted_, [](const auto& column) {
      return !column.second->empty() && !parse_integer(*column.second);
    });
    std::vector<std::string> names;
    if (header)
      for (const std::string_view name : fields_) names.emplace_back(trimmed(name));
    for (std::size_t k = 0; k < wanted_.size(); ++k) {
      const auto& [parameter, column] = wanted_[k];
      if (column->empty()) continue;
      places_[k] = column_of(*column, names, fields_.size());
      if (places_[k]) continue;
      fail(parse_integer(*column) ? "no column " + *column + " for '" + parameter +
                                        "': the line has " + std::to_string(fields_.size()) +
                                        " fields; columns count from 1, or from -1 at the end"
                                  : "no column " + in_quotes(*column) + " for '" + parameter +
                                        "'; columns are: " + enumerated(names));
    }
    return header;
  }

  LineReader lines_;
  TableFormat format_;
  CsvRecords records_;
  Context& context_;
  FactRules rules_;
  std::array<std::pair<const char*, const std::string*>, 3> wanted_;
  std::array<std::optional<std::size_t>, 3> places_;
  std::vector<std::string_view> fields_;
  bool begun_ = false;
};

}  // namespace

RowFacts read_beside(const BesideTable& table, std::size_t rows, const std::string& rows_file,
                     Context& context) {
  RowFacts facts = BesideReader(table, context).read();
  if (facts.rows() != rows)
    throw DataError(table.file, "",
                    "has " + std::to_string(facts.rows()) + " rows, but " + rows_file + " has " +
                        std::to_string(rows) + "; give a row for each, in the same order");
  if (!facts.ids.empty()) facts.ids.resize(rows);
  return facts;
}

}  // namespace semblance::sources
