// SPDX-License-Identifier: MIT
#include "support/csv_field.hpp"

#include <doctest/doctest.h>

namespace semblance::csv_field_test {

TEST_CASE("no field for a spreadsheet is a formula, and numbers stay numbers") {
  CHECK(spreadsheet_field("=1+2") == "'=1+2");
  CHECK(spreadsheet_field("@SUM(A1)") == "'@SUM(A1)");
  CHECK(spreadsheet_field("+cmd|' /C calc'!A0") == "'+cmd|' /C calc'!A0");
  CHECK(spreadsheet_field("-a,b") == "\"'-a,b\"");
  CHECK(spreadsheet_field("\t=1") == "'\t=1");
  CHECK(spreadsheet_field("-1+2") == "'-1+2");
  CHECK(spreadsheet_field("'=1") == "''=1");
  for (const char* plain :
       {"+1", "-1", "-1.5", "-0.5", "+1e-3", "-", "+", "=", "a=b", "a@b", "", "'", "'a", "-inf"})
    CHECK(spreadsheet_field(plain) == plain);
}

TEST_CASE("a field for programs is as it is, in quotes where it has to be") {
  CHECK(csv_field("=1+2") == "=1+2");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("say \"a\"") == "\"say \"\"a\"\"\"");
}

}  // namespace semblance::csv_field_test
