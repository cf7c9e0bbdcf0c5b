// SPDX-License-Identifier: MIT
#include "support/base64.hpp"

#include <doctest/doctest.h>

#include "semblance/error.hpp"

namespace semblance::base64_test {

TEST_CASE("base64: the examples of RFC 4648, and any bytes there and back") {
  CHECK(base64("") == "");
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foobar") == "Zm9vYmFy");
  std::string bytes;
  for (int i = 0; i < 700; ++i) {
    CHECK(from_base64(base64(bytes)) == bytes);
    bytes += static_cast<char>(i * 37);
  }
  CHECK_THROWS_WITH_AS(from_base64("Zm<v"), "a text is not in base64", Error);
}

}  // namespace semblance::base64_test
