// SPDX-License-Identifier: MIT
#include "support/safe_text.hpp"

#include <doctest/doctest.h>

namespace semblance::safe_text_test {

TEST_CASE("what steers a terminal or an editor is not shown, and everything else is") {
  CHECK(safe_text("a\tb\nc") == "a\tb\nc");
  CHECK(safe_text("\x1b[31mred\x07\x7f") == "?[31mred??");
  CHECK(safe_text("a\xc2\x9b"
                  "31m") == "a?31m");
  CHECK(safe_text("a\xe2\x80\xae"
                  "b\xe2\x81\xa6"
                  "c\xd8\x9c") == "a?b?c?");
  CHECK(safe_text("Äpfel €, 中文, \xe2\x80\x9cquoted\xe2\x80\x9d") ==
        "Äpfel €, 中文, \xe2\x80\x9cquoted\xe2\x80\x9d");
  CHECK(safe_text("\xe2") == "\xe2");
}

}  // namespace semblance::safe_text_test
