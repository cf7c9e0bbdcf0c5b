// SPDX-License-Identifier: MIT
#include <cmath>

#include "string_testing.hpp"

namespace semblance::strings::lcs_test {
namespace {

using namespace testing;

double brute_force(const std::string& b, const std::string& x) {
  Cells l = cells(b, x);
  for (std::size_t i = 1; i <= b.size(); ++i)
    for (std::size_t j = 1; j <= x.size(); ++j)
      l[i][j] = b[i - 1] == x[j - 1] ? l[i - 1][j - 1] + 1 : std::max(l[i - 1][j], l[i][j - 1]);
  return l[b.size()][x.size()];
}

float lcs(const std::string& b, const std::string& x, const std::string& normalize) {
  return measured("similarity/lcs", {{"normalize", normalize}}, "ABCDGHRTXYZJMAUW", b, x);
}

TEST_CASE("longest common subsequences that are known") {
  CHECK(lcs("ABCBDAB", "BDCABA", "none") == 4);  // Cormen et al., section 15.4
  CHECK(lcs("AGGTAB", "GXTXAYB", "none") == 4);
  CHECK(lcs("MZJAWXU", "XMJYAUZ", "none") == 4);
  CHECK(lcs("A", "B", "none") == 0);
}

TEST_CASE("the length of common subsequences is divided as asked") {
  CHECK(lcs("ABCBDAB", "BDCABA", "longer") == doctest::Approx(4.0 / 7));
  CHECK(lcs("ABCBDAB", "BDCABA", "shorter") == doctest::Approx(4.0 / 6));
  CHECK(lcs("ABCBDAB", "BDCABA", "mean") == doctest::Approx(8.0 / 13));
  CHECK(lcs("ABCBDAB", "BDCABA", "geometric") == doctest::Approx(4 / std::sqrt(42.0)));
}

TEST_CASE("longest common subsequences agree with the recurrence") {
  for (const std::size_t longest : {7u, 64u, 130u, 700u})
    check_pairs("similarity/lcs", {{"normalize", std::string("none")}}, Layout::string(700, "abcd"),
                random_strings(40, longest, "abcd", 1), random_strings(9, longest, "abcd", 2), 0,
                brute_force);
}

TEST_CASE("lcs keeps the contract of similarities") {
  check_contract("similarity/lcs", {}, Layout::string(150, "abc"));
}

}  // namespace
}  // namespace semblance::strings::lcs_test
