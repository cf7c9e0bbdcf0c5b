// SPDX-License-Identifier: MIT
#include "fuzzing.hpp"
#include "semblance_tables/table_lines.hpp"
#include "serve/answers.hpp"
#include "serve/media_type.hpp"
#include "serve/rows/json_rows.hpp"
#include "serve/rows/libsvm_rows.hpp"
#include "serve/rows/table_text.hpp"
#include "support/json_string.hpp"

using namespace semblance;
using namespace semblance::fuzzing;
using namespace semblance::serving;

namespace {

/// Checks that the data read are rows of the layout, within the limits.
void check_read(const GivenRows& rows, const RowLimits& limits) {
  const MatrixView view = rows.view();
  require(view.rows == rows.rows() && view.rows <= limits.rows, "more rows than are taken");
  require(view.values() <= limits.values, "more values than are taken");
  for (std::size_t i = 0; i < view.rows; ++i) {
    for (const float value : view.row_span(i))
      require(value - value == 0, "a value that is not finite");
    if (!view.sparse()) continue;
    const auto columns = view.columns_of(i);
    for (std::size_t k = 0; k < columns.size(); ++k)
      require(columns[k] < view.cols && (k == 0 || columns[k] > columns[k - 1]),
              "columns that do not ascend");
  }
}

}  // namespace

// A byte with the mode, then the body of a request (or a line, or a header's value).
FUZZ_TARGET(rows) {
  const std::uint8_t how = input.byte();
  const std::string_view body = input.rest();
  const std::vector<std::string> with = {"a", "b", "t=u", "t=v, w"};
  const RowLimits limits{.rows = 50, .values = 1000};
  GivenRows rows(how & 16 ? Layout::sparse(4) : Layout::vector(4), limits);
  expect_result_or_error([&] {
    const auto header = static_cast<Header>(how >> 5U & 3U);
    LibsvmLines lines(how >> 5U & 1U);
    const NewData model{"",
                        how & 16 ? Layout::sparse(4) : Layout::vector(4),
                        {},
                        how & 8 ? with : std::vector<std::string>()};
    TableFormat format;
    format.rows_alone = true;
    const ModelRowRules rules{(how & 1U) != 0, rows.sparse()};
    TableLines table(format, model, rules);
    JsonRows json({model, format, rules});
    switch (how & 7U) {
      case 0:
        json.read(body, rows);
        break;
      case 1:
        json.read_row(body, rows);
        break;
      case 2:
      case 3:
        read_table(body, header == Header{3} ? Header::absent : header, table, rows);
        break;
      case 4:
        lines.read_row(body, rows);
        break;
      case 5:
      case 6:
        static_cast<void>(body_type(body));
        break;
      default:
        static_cast<void>(answer_form(body));
        require(json_string(body).size() >= 2, "a text that is none");
    }
  });
  check_read(rows, limits);
}
