// SPDX-License-Identifier: MIT
#include "basis_testing.hpp"

namespace semblance::bases::all_rows_test {
namespace {

using namespace testing;

TEST_CASE("all takes every training row, with or without classes") {
  const LabelledRows data({5, 6, 7}, {}, 0);
  TestContext context;
  auto basis = make_basis("basis/all", {});
  CHECK(basis->select(data.set(), context) == std::vector<std::int64_t>{0, 1, 2});
  CHECK(basis->count(3, 0) == 3);
}

}  // namespace
}  // namespace semblance::bases::all_rows_test
