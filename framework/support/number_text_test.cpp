// SPDX-License-Identifier: MIT
#include "support/number_text.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace semblance::number_text_test {
namespace {

TEST_CASE("seconds are shown in the unit that fits") {
  CHECK(seconds_text(0) == "0 s");
  CHECK(seconds_text(0.0001) == "0 ms");
  CHECK(seconds_text(0.0042) == "4 ms");
  CHECK(seconds_text(0.351) == "0.35 s");
  CHECK(seconds_text(3.21) == "3.2 s");
  CHECK(seconds_text(9.96) == "10 s");
  CHECK(seconds_text(99.7) == "1 min 40 s");
  CHECK(seconds_text(125) == "2 min 05 s");
  CHECK(seconds_text(3900) == "1 h 05 min");
  CHECK(seconds_text(std::numeric_limits<double>::quiet_NaN()) == "unknown");
}

TEST_CASE("bytes are shown in the unit that fits") {
  CHECK(bytes_text(0) == "0 B");
  CHECK(bytes_text(999) == "999 B");
  CHECK(bytes_text(1000) == "1.0 KiB");
  CHECK(bytes_text(1536) == "1.5 KiB");
  CHECK(bytes_text(340.0 * 1024 * 1024) == "340 MiB");
}

TEST_CASE("sizes are read as people write them") {
  CHECK(bytes_from_text("512M") == std::size_t{512} << 20);
  CHECK(bytes_from_text("1.5GiB") == std::size_t{3} << 29);
  CHECK(bytes_from_text("800000000") == 800000000);
  for (const char* wrong : {"", "M", "4X", "-1G", "0", "1e30", "4 G", "nan"})
    CHECK_MESSAGE(!bytes_from_text(wrong), wrong);
}

TEST_CASE("counts of five and more digits are grouped") {
  CHECK(count_text(1234) == "1234");
  CHECK(count_text(50000) == "50,000");
  CHECK(count_text(-1234567) == "-1,234,567");
}

TEST_CASE("quantities keep the digits that say something") {
  CHECK(quantity_text(0.5) == "0.5");
  CHECK(quantity_text(1234.5678) == "1234.6");
  CHECK(quantity_text(1e-7) == "1e-07");
  CHECK(quantity_text(60000) == "60,000");
  CHECK(quantity_text(-60000.25) == "-60,000.2");
  CHECK(quantity_text(1.5e20) == "1.5e+20");
}

}  // namespace
}  // namespace semblance::number_text_test
