// SPDX-License-Identifier: MIT
#include "killing.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

namespace semblance::testing {

bool kill_at_random(const Workplace& work, const std::string& arguments, std::mt19937& random,
                    unsigned microseconds) {
  const pid_t process = work.start(arguments);
  ::usleep(std::uniform_int_distribution<useconds_t>(1000, microseconds)(random));
  ::kill(process, SIGKILL);
  const int end = wait_for(process);
  CHECK_MESSAGE((end == -SIGKILL || end == 0), work.content("background.log"));
  return end == -SIGKILL;
}

int repetitions(const char* variable, int usually) {
  const char* value = ::getenv(variable);
  const int given = value ? std::atoi(value) : 0;
  return given > 0 ? given : usually;
}

}  // namespace semblance::testing
