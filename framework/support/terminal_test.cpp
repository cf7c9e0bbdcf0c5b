// SPDX-License-Identifier: MIT
#include "support/terminal.hpp"

#include <doctest/doctest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace semblance::terminal_test {
namespace {

TEST_CASE("text is wrapped at spaces, and what follows is indented") {
  CHECK(wrapped("one two three", 20, 4) == "one two three");
  CHECK(wrapped("one two three four", 9, 2) == "one two\n  three\n  four");
  CHECK(wrapped("  run   run a pipeline", 14, 8) == "  run   run a\n        pipeline");
  CHECK(wrapped("a_word_that_is_too_long b", 8, 2) == "a_word_that_is_too_long\n  b");
  CHECK(wrapped("", 8, 2).empty());
}

TEST_CASE("the size of a terminal, and of what is none") {
  int master = -1, slave = -1;
  winsize size{12, 50, 0, 0};
  REQUIRE(::openpty(&master, &slave, nullptr, nullptr, &size) == 0);
  CHECK(terminal_size(slave).columns == 50);
  CHECK(terminal_size(slave).rows == 12);
  ::close(slave);
  ::close(master);
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  CHECK(terminal_size(ends[1]).columns == 80);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace semblance::terminal_test
