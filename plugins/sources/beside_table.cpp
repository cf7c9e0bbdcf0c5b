// SPDX-License-Identifier: MIT
#include "beside_table.hpp"

#include "memory_limit.hpp"
#include "semblance/error.hpp"
#include "text/csv_records.hpp"
#include "text_values.hpp"

namespace semblance::sources {

RowFacts read_beside(const std::string& file, const FactNames& names, std::size_t rows,
                     const std::string& rows_file, Context& context) {
  LineReader lines(file);
  const TableFormat format;
  CsvRecords records(lines, format);
  const auto fail = [&](const std::string& what) {
    throw DataError(lines.path(), lines.place(), what);
  };
  RowFacts facts;
  FactRules rules;
  rules.weights = !names.weight.empty();
  rules.groups = !names.groups.empty();
  FactColumns columns;
  rules.name = [&](Fact fact, std::size_t) {
    const bool weight = fact == Fact::weight;
    return std::string("the ") +
           (weight                ? "weight"
            : fact == Fact::group ? "group"
                                  : "name") +
           " in column " +
           std::to_string(*(weight                ? columns.weight
                            : fact == Fact::group ? columns.group
                                                  : columns.id) +
                          1);
  };
  std::vector<std::string_view> fields;
  for (std::size_t count = 0; records.next(fields);) {
    if (lines.number() % 4096 == 0) context.check_stop();
    if (count == 0) {
      count = fields.size();
      std::vector<std::string> header;
      if (names.any_is_name())
        for (const std::string_view name : fields) header.emplace_back(trimmed(name));
      columns = find_facts(names, header, count, {}, false, fail);
      if (!header.empty()) continue;
    }
    if (fields.size() != count)
      fail("has " + std::to_string(fields.size()) + " fields, but the first line has " +
           std::to_string(count) + "; every row needs the same number");
    facts.append(columns.texts(fields), rules, fail);
    check_fits(facts.bytes(), "the rows so far", lines.path(), lines.place(), context);
  }
  if (facts.rows() != rows)
    throw DataError(file, "",
                    "has " + std::to_string(facts.rows()) + " rows, but " + rows_file + " has " +
                        std::to_string(rows) + "; give a row for each, in the same order");
  if (!facts.ids.empty()) facts.ids.resize(rows);
  return facts;
}

}  // namespace semblance::sources
