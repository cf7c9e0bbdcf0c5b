// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "program.hpp"

namespace sampled_test {

using namespace semblance::testing;

namespace {

/// The numbers below 20 of the cases that run today, one in seven.
std::string cases_of_the_day() {
  std::string cases;
  for (std::size_t n = 0; n < 20; ++n)
    if (of_the_day(n, 7)) cases += std::to_string(n) + "\n";
  return cases;
}

}  // namespace

TEST_CASE("tests in C++ and in Python run the same cases of the day") {
  const Workplace work;
  if (work.shell("python3 -c ''").exit != 0) {
    MESSAGE("skipped: there is no python3");
    return;
  }
  const std::string before = cases_of_the_day();
  const auto outcome = work.shell("cd " SEMBLANCE_TESTS_FOLDER
                                  " && exec python3 -B -c 'from sampled import of_the_day\n"
                                  "for n in of_the_day(range(20), 7): print(n)'\n");
  INFO(outcome.output);
  CHECK(outcome.exit == 0);
  const bool same = outcome.output == before || outcome.output == cases_of_the_day();  // midnight
  CHECK(same);
}

}  // namespace sampled_test
