// SPDX-License-Identifier: MIT
#include "support/files/npy.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <utility>

#include "semblance/error.hpp"

namespace npy_test {

using namespace semblance;

TEST_CASE("arrays come back bit for bit") {
  FloatMatrix matrix(3, 2);
  matrix.values = {1.5F, -0.0F, INFINITY, 1e-40F, NAN, 3};
  const auto again = npy::floats(npy::to_bytes(std::as_const(matrix).view()), "m");
  REQUIRE(again.rows == 3);
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(std::bit_cast<std::uint32_t>(again.values[i]) ==
          std::bit_cast<std::uint32_t>(matrix.values[i]));
  const std::vector<double> numbers = {0.1, -1e300};
  CHECK(npy::doubles(npy::to_bytes(numbers), "d") == numbers);
  const std::vector<std::int64_t> integers = {-1, std::int64_t{1} << 60};
  CHECK(npy::integers(npy::to_bytes(integers), "i") == integers);
  CHECK(npy::integers(npy::to_bytes(std::span<const std::int64_t>()), "e").empty());
}

TEST_CASE("a header that is not ours, or promises other data, is refused") {
  const std::vector<double> numbers = {1, 2, 3};
  const std::string good = npy::to_bytes(numbers);
  CHECK_THROWS_AS(npy::doubles("", "a"), Error);
  CHECK_THROWS_AS(npy::doubles(good.substr(0, 60), "a"), Error);
  CHECK_THROWS_AS(npy::doubles(good.substr(0, good.size() - 1), "a"), Error);
  CHECK_THROWS_AS(npy::doubles(good + "x", "a"), Error);
  CHECK_THROWS_AS(npy::integers(good, "a"), Error);
  CHECK_THROWS_AS(npy::floats(good, "a"), Error);
  std::string huge = good;
  huge.replace(huge.find("(3,"), 3, "(9999999999999999999,");
  huge.erase(huge.find("  "), 18);
  CHECK_THROWS_AS(npy::doubles(huge, "a"), Error);
  // Without values there are no bytes from which to count rows.
  std::string nothing = npy::to_bytes(FloatMatrix(0, 1).view());
  nothing.replace(nothing.find("(0, 1), }          "), 19, "(9999999999999, 0) ");
  CHECK_THROWS_WITH_AS(npy::floats(nothing, "a"), doctest::Contains("its shape is too large"),
                       Error);
}

}  // namespace npy_test
