// SPDX-License-Identifier: MIT
#include "support/files/heartbeat.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace semblance::heartbeat_test {

using namespace std::chrono_literals;

TEST_CASE("a heartbeat beats while it lives, beside others, and not afterwards") {
  std::atomic<int> quick{0}, slow{0};
  {
    const Heartbeat hourly(1h, [&] { ++slow; });
    const Heartbeat often(5ms, [&] { ++quick; });
    while (quick < 3) std::this_thread::sleep_for(1ms);
  }
  const int beats = quick;
  std::this_thread::sleep_for(30ms);
  CHECK(quick == beats);
  CHECK(slow == 0);
}

TEST_CASE("a child of fork() has heartbeats of its own, and none of its parent's") {
  std::atomic<int> parents{0};
  const Heartbeat inherited(5ms, [&] { ++parents; });
  const pid_t child = ::fork();
  if (child == 0) {
    const int before = parents;
    std::atomic<int> own{0};
    const Heartbeat beat(5ms, [&] { ++own; });
    while (own < 3) std::this_thread::sleep_for(1ms);
    ::_exit(parents == before ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
}

}  // namespace semblance::heartbeat_test
