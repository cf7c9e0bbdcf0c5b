// SPDX-License-Identifier: MIT
#include "support/utc_time.hpp"

#include <doctest/doctest.h>

#include <ctime>

namespace semblance::utc_time_test {
namespace {

TEST_CASE("times are written as the C library writes them") {
  for (const std::time_t time : {std::time_t{0}, std::time_t{951'782'399}, std::time_t{951'868'800},
                                 std::time_t{1'735'689'599}, std::time_t{4'102'444'800}}) {
    std::tm parts = {};
    ::gmtime_r(&time, &parts);
    char expected[32];
    std::strftime(expected, sizeof expected, "%Y-%m-%dT%H:%M:%SZ", &parts);
    CHECK(utc_text(std::chrono::sys_seconds(std::chrono::seconds(time))) == expected);
  }
  CHECK(utc_now().size() == 20);
}

}  // namespace
}  // namespace semblance::utc_time_test
