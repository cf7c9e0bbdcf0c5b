// SPDX-License-Identifier: MIT
#include "support/files/process_identity.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace semblance::process_identity_test {

using Life = ProcessIdentity::Life;

TEST_CASE("an identity is read back from its text") {
  const auto own = ProcessIdentity::own();
  CHECK(own.life() == Life::alive);
  CHECK(ProcessIdentity::parse(own.text()) == own);
}

TEST_CASE("what is no identity is not taken for one") {
  for (const char* text :
       {"", "---", "1-2-3-4", "0123456789abcdef-1-2", "0123456789abcdef-1-2-3-4",
        "0123456789abcdeF-1-2-3", "0123456789abcdef-1--2-3", "0123456789abcdef-1-0-3",
        "0123456789abcdef-1-99999999999-3", "0123456789abcdef-x-2-3", "0123456789abcdef-1-2-3 "})
    CHECK_FALSE_MESSAGE(ProcessIdentity::parse(text), text);
}

TEST_CASE("a process that ended is dead, whether or not anybody has waited for it") {
  const pid_t child = ::fork();
  if (child == 0)
    for (;;) ::pause();
  auto identity = ProcessIdentity::own();
  identity.pid = child;
  identity.start = 1;
  CHECK(identity.life() == Life::dead);  // this number, but another start
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  CHECK(identity.life() == Life::dead);
}

TEST_CASE("nothing is known of processes of other machines and containers") {
  auto identity = ProcessIdentity::own();
  identity.space += 1;
  CHECK(identity.life() == Life::unknown);
  identity = ProcessIdentity::own();
  identity.kernel = "0123456789abcdef";
  CHECK(identity.life() == Life::unknown);
}

}  // namespace semblance::process_identity_test
