// SPDX-License-Identifier: MIT
#include "runtime/store/leases.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <string>
#include <thread>

#include "semblance/error.hpp"
#include "support/test_folder.hpp"

namespace semblance::leases_test {
namespace {

namespace fs = std::filesystem;
using testing::TestFolder;
using namespace std::chrono_literals;

constexpr LeaseTimes quick{20ms, 300ms};

/// As if a process of another machine held it, without a heartbeat.
void leave_behind(const fs::path& file) {
  std::ofstream(file) << R"({"key": "a", "host": "far", "pid": 7,)"
                         R"( "process": "0123456789abcdef-1-7-9", "number": "0", "beat": 3})";
}

/// Runs a function in a separate process, which is killed while it holds the function's result.
template <class Function>
void in_killed_process(const Function& function) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const auto held = function();
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
}

}  // namespace

TEST_CASE("one has a lease until he gives it back, whoever asks") {
  const TestFolder folder;
  Leases mine(folder.path), other(folder.path);
  auto lease = mine.take("a");
  CHECK(lease);
  CHECK_FALSE(mine.take("a"));
  CHECK_FALSE(other.take("a"));
  CHECK(other.take("b"));
  lease.reset();
  CHECK(other.take("a"));
  CHECK(testing::files_in(folder.path) == 0);
}

TEST_CASE("a lease that beats is not lost, however long it is held") {
  const TestFolder folder;
  Leases mine(folder.path, quick), other(folder.path, quick);
  const auto lease = mine.take("a");
  for (int i = 0; i < 12; ++i) {
    CHECK_FALSE(other.take("a"));
    std::this_thread::sleep_for(60ms);
  }
}

TEST_CASE("a lease of a killed process of this machine is lost at once") {
  const TestFolder folder;
  Leases leases(folder.path);
  in_killed_process([&] { return leases.take("a"); });
  CHECK(testing::files_in(folder.path) == 1);
  CHECK(leases.take("a"));
  CHECK(testing::files_in(folder.path) == 0);
}

TEST_CASE("a lease of another machine is lost when nothing has moved in it for long enough") {
  const TestFolder folder;
  Leases leases(folder.path, quick);
  leave_behind(folder.path / "a.lease");
  // Its time is ignored: that machine's clock may be days off.
  fs::last_write_time(folder.path / "a.lease", fs::file_time_type::clock::now() - 48h);
  const auto begin = std::chrono::steady_clock::now();
  CHECK_FALSE(leases.take("a"));
  while (!leases.take("a")) std::this_thread::sleep_for(10ms);
  CHECK(std::chrono::steady_clock::now() - begin >= quick.lost_after);
  CHECK(testing::files_in(folder.path) == 0);
}

TEST_CASE("a lease that is empty or damaged is somebody's, until nothing has moved for long") {
  const TestFolder folder;
  Leases leases(folder.path, quick);
  for (const char* text : {"", "{", "[]", "{\"process\": 7}"}) {
    std::ofstream(folder.path / "a.lease") << text;
    CHECK_FALSE(leases.take("a"));
    CHECK(leases.all().size() <= 1);
    std::this_thread::sleep_for(quick.lost_after);
    CHECK(leases.take("a"));
  }
}

TEST_CASE("whoever lost a lease does not take it from the next one") {
  const TestFolder folder;
  Leases mine(folder.path), other(folder.path);
  auto lease = mine.take("a");
  fs::remove(folder.path / "a.lease");
  const auto next = other.take("a");
  CHECK(next);
  lease.reset();
  CHECK_FALSE(mine.take("a"));
}

TEST_CASE("a lease that reads as cut off is given back all the same") {
  const TestFolder folder;
  Leases leases(folder.path);
  auto lease = leases.take("a");
  fs::resize_file(folder.path / "a.lease", 9);
  lease.reset();
  CHECK(testing::files_in(folder.path) == 0);
}

TEST_CASE("all leases are listed, with those that were lost") {
  const TestFolder folder;
  Leases leases(folder.path);
  const auto lease = leases.take("a/b", "node rbf");
  in_killed_process([&] { return leases.take("z"); });
  const auto found = leases.all();
  REQUIRE(found.size() == 2);
  CHECK(found[0].key == "a/b");
  CHECK(found[0].what == "node rbf");
  CHECK(found[0].pid == ::getpid());
  CHECK(found[0].host == host_name());
  CHECK(found[0].since.size() == 20);
  CHECK(found[0].silent_seconds < 10);
  CHECK_FALSE(found[0].lost);
  CHECK(found[0].alive);
  CHECK(found[1].lost);
  CHECK(leases.all().size() == 1);
}

TEST_CASE("a child of fork() does not give back what its parent holds") {
  const TestFolder folder;
  Leases leases(folder.path);
  auto lease = leases.take("a");
  const pid_t child = ::fork();
  if (child == 0) {
    lease.reset();
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  CHECK(testing::files_in(folder.path) == 1);
}

TEST_CASE("of many who ask at once, one gets it") {
  const TestFolder folder;
  std::atomic<int> holding{0};
  std::atomic<int> taken{0};
  const auto ask = [&] {
    Leases leases(folder.path);
    for (int i = 0; i < 300; ++i) {
      const auto lease = leases.take("a");
      if (!lease) continue;
      CHECK(++holding == 1);
      ++taken;
      --holding;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(ask);
  for (auto& thread : threads) thread.join();
  CHECK(taken > 0);
  CHECK(testing::files_in(folder.path) == 0);
}

TEST_CASE("a folder that cannot be used is named") {
  CHECK_THROWS_AS(Leases("/proc/nowhere/leases"), Error);
}

}  // namespace semblance::leases_test
