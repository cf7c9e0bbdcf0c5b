// SPDX-License-Identifier: MIT
#include "report/page/warning_kinds.hpp"

#include <doctest/doctest.h>

namespace semblance::warning_kinds_test {
namespace {

using Texts = std::vector<std::string>;

TEST_CASE("warnings that differ in nodes, numbers and names are of one kind") {
  const auto kinds =
      warning_kinds({"svm[0.1,seed=1]: 3 of 10 problems did not converge (gap 1e-05)",
                     "test: column 'age' is constant",
                     "svm[10,seed=2]: 12 of 1,000 problems did not converge (gap 0.25)",
                     "test: column 'sex' is constant", "test: column 'sex' is empty",
                     "variant 'a 1': Wilcoxon's test needs 6 blocks",
                     "variant 'b': Wilcoxon's test needs 6 blocks"});
  REQUIRE(kinds.size() == 4);
  CHECK(kinds[0].size() == 2);
  CHECK(kinds[0][1].starts_with("svm[10,seed=2]"));
  CHECK(kinds[1] == Texts{"test: column 'age' is constant", "test: column 'sex' is constant"});
  CHECK(kinds[2] == Texts{"test: column 'sex' is empty"});
  CHECK(kinds[3].size() == 2);
}

TEST_CASE("texts that only look alike are of different kinds") {
  CHECK(warning_kinds({"the file is old", "the fold is old"}).size() == 2);
  CHECK(warning_kinds({"s1 is old", "s2 is old"}).size() == 2);  // a name, not a number
  CHECK(warning_kinds({"it's old", "it's older"}).size() == 2);
  CHECK(warning_kinds({"", "'", "[", "1", "1e"}).size() == 5);
}

}  // namespace
}  // namespace semblance::warning_kinds_test
