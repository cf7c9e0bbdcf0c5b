// SPDX-License-Identifier: MIT
#include "report/page/warning_kinds.hpp"

#include <doctest/doctest.h>

#include "report/page/html_testing.hpp"

namespace semblance::warning_kinds_test {
namespace {

using testing::contains;
using testing::count;
using testing::nesting_fault;
using Texts = std::vector<std::string>;

TEST_CASE("warnings that differ in nodes, numbers and names are of one kind") {
  const std::vector<WarningKind> kinds =
      warning_kinds({"svm[0.1,seed=1]: 3 of 10 problems did not converge (gap 1e-05)",
                     "test: column 'age' is constant",
                     "svm[10,seed=2]: 12 of 1,000 problems did not converge (gap 0.25)",
                     "test: column 'sex' is constant", "test: column 'sex' is empty",
                     "variant 'a 1': Wilcoxon's test needs 6 blocks",
                     "variant 'b': Wilcoxon's test needs 6 blocks"});
  REQUIRE(kinds.size() == 4);
  CHECK(kinds[0].warnings.size() == 2);
  CHECK(kinds[0].warnings[1].starts_with("svm[10,seed=2]"));
  CHECK(kinds[1].warnings ==
        Texts{"test: column 'age' is constant", "test: column 'sex' is constant"});
  CHECK(kinds[2].warnings == Texts{"test: column 'sex' is empty"});
  CHECK(kinds[3].warnings.size() == 2);
}

TEST_CASE("texts that only look alike are of different kinds") {
  CHECK(warning_kinds({"the file is old", "the fold is old"}).size() == 2);
  CHECK(warning_kinds({"s1 is old", "s2 is old"}).size() == 2);  // a name, not a number
  CHECK(warning_kinds({"it's old", "it's older"}).size() == 2);
  CHECK(warning_kinds({"", "'", "[", "1", "1e"}).size() == 5);
}

TEST_CASE("the page has one line per kind, closed beyond a few") {
  CHECK(warnings_html({}) == "");
  CHECK(contains(warnings_html({"one"}), "<h2>Warnings</h2><ul><li>one</li></ul></section>"));
  Texts warnings;
  for (int i = 0; i < 50; ++i) warnings.push_back("svm: " + std::to_string(i) + " <rows> are old");
  const std::string one = warnings_html(warnings);
  CHECK(nesting_fault(one) == "");
  CHECK(contains(one, "<h2>50 warnings of 1 kind</h2>"));
  CHECK(contains(one, "<summary>svm: 0 &lt;rows&gt; are old "));
  CHECK(contains(one, "and 49 more like it"));
  CHECK(count(one, "<details>") == 1);
  CHECK(count(one, "<li>") == 50);
  for (const char* kind : {"a", "b", "c"}) warnings.emplace_back(kind);
  const std::string four = warnings_html(warnings);
  CHECK(nesting_fault(four) == "");
  CHECK(contains(four, "<summary>1 more kind</summary><ul><li>c</li></ul></details>"));
}

TEST_CASE("a page does not grow with the number of warnings") {
  const std::string page = warnings_html(Texts(100'000, "1 row is old"));
  CHECK(page.size() < 20'000);
  CHECK(contains(page, "run.log has the other 99800."));
}

}  // namespace
}  // namespace semblance::warning_kinds_test
