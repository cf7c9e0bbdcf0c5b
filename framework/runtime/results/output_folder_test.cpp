// SPDX-License-Identifier: MIT
#include "runtime/results/output_folder.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>

#include "semblance/error.hpp"
#include "support/test_folder.hpp"

namespace semblance::output_folder_test {
namespace {

using testing::TestFolder;
using namespace std::chrono_literals;

constexpr LeaseTimes quick{20ms, 200ms};

void leave_behind(const std::filesystem::path& folder) {
  std::ofstream(folder / "running.lease")
      << R"({"key": "running", "host": "far", "pid": 7, "process": "0123456789abcdef-1-7-9"})";
}

}  // namespace

TEST_CASE("a folder is one run's while its claim lives, and nothing of the claim is left") {
  const TestFolder folder;
  {
    const FolderClaim claim(folder.path);
    const std::string message = "another run is writing to '" + folder.path.string() +
                                "'; wait until it ends, or choose another folder with --out DIR";
    CHECK_THROWS_WITH_AS(FolderClaim(folder.path), message.c_str(), Error);
  }
  { const FolderClaim claim(folder.path); }
  CHECK(testing::files_in(folder.path) == 0);
}

TEST_CASE("a lease of another machine that does not move is taken over after a while") {
  const TestFolder folder;
  leave_behind(folder.path);
  const auto begin = std::chrono::steady_clock::now();
  { const FolderClaim claim(folder.path, quick); }
  CHECK(std::chrono::steady_clock::now() - begin >= quick.lost_after);
  CHECK(testing::files_in(folder.path) == 0);
}

TEST_CASE("a folder of a run on another machine that lives is refused, with its name") {
  const TestFolder folder;
  leave_behind(folder.path);
  std::uint64_t beats = 0;
  const Heartbeat far(10ms, [&] {
    std::ofstream(folder.path / "running.lease", std::ios::app)
        << std::string(++beats % 2 + 1, ' ');
  });
  const std::string message = "another run is writing to '" + folder.path.string() +
                              "' (process 7 on far); wait until it ends, or choose another folder "
                              "with --out DIR";
  CHECK_THROWS_WITH_AS(FolderClaim(folder.path, quick), message.c_str(), Error);
}

}  // namespace semblance::output_folder_test
