// SPDX-License-Identifier: MIT
// Full disks and folders that cannot be written.
#include <doctest/doctest.h>
#include <unistd.h>

#include <regex>

#include "leftovers.hpp"
#include "pipelines.hpp"
#include "program.hpp"

namespace no_room_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

/// The command that runs a script with permission to mount file systems; empty if not allowed.
std::string mounting(const Workplace& work) {
  for (const char* way : {"unshare -m", "unshare -rm"})
    if (work.shell(std::string(way) + " sh -c 'mount -t tmpfs tmpfs /mnt' >/dev/null").exit == 0)
      return way;
  MESSAGE("skipped: this user may not mount a file system, not even in a namespace of its own");
  return "";
}

/// Exit codes that a script reported as "exit N", in order.
std::vector<int> exits(const std::string& output) {
  std::vector<int> all;
  const std::regex line("^exit (-?[0-9]+)$", std::regex::multiline);
  for (std::sregex_iterator at(output.begin(), output.end(), line), end; at != end; ++at)
    all.push_back(std::stoi((*at)[1]));
  return all;
}

/// The lines with the error: one message, at any depth of its cause.
std::size_t messages(const std::string& output) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = output.find("semblance: ", at)) != std::string::npos; ++at)
    ++count;
  return count;
}

}  // namespace

TEST_CASE(
    "a full disk under the store or the results is reported, leaves nothing half-written, and "
    "with room the run is right") {
  const Workplace work;
  const std::string way = mounting(work);
  if (way.empty()) return;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --quiet --no-cache --out whole");
  fs::create_directories(work.path / "small");
  const std::string expected = results_of(work, "whole");
  std::size_t full = 0;
  for (const char* what : {"--cache small/store --out out", "--no-cache --out small/out"})
    for (const int kilobytes : {4, 32, 64, 128, 256, 420}) {
      const std::string run = std::string("$program run p.yaml --quiet ") + what;
      work.file("inside.sh",
                "mount -t tmpfs -o size=" + std::to_string(kilobytes) + "k tmpfs small\n" + run +
                    "\necho exit $?\n" + "find small -name '*.tmp' -o -path '*drafts/*' -type f\n" +
                    "echo then\nmount -o remount,size=100m small\n" + run + "\necho exit $?\n" +
                    "[ ! -d small/out ] || cp -r small/out copy\n");
      const auto outcome = work.shell("rm -rf out copy; " + way + " sh inside.sh");
      INFO(what << " " << kilobytes << "\n" << outcome.output);
      const auto ends = exits(outcome.output);
      REQUIRE(ends.size() == 2);
      const std::string first = outcome.output.substr(0, outcome.output.find("exit"));
      CHECK((ends[0] == 0 || (ends[0] == 1 && contains(first, "No space left on device"))));
      CHECK(messages(first) == (ends[0] == 0 ? 0 : 1));
      CHECK_FALSE(contains(first, " 0 MiB"));
      full += ends[0] == 1;
      const std::string left = outcome.output.substr(first.size());
      CHECK_FALSE(contains(left, "drafts/"));
      CHECK_FALSE(contains(left, ".tmp\n"));
      CHECK(ends[1] == 0);
      CHECK(results_of(work, fs::exists(work.path / "copy") ? "copy" : "out") == expected);
    }
  MESSAGE(full << " runs met a full disk");
  CHECK(full >= 6);
}

TEST_CASE("a limit on the size of files is reported like a full disk") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  for (const int blocks : {1, 8, 40}) {
    const auto outcome = work.shell("ulimit -f " + std::to_string(blocks) +
                                    "\n$program run p.yaml --quiet --out out\n");
    INFO(blocks << "\n" << outcome.output);
    CHECK(outcome.exit == 1);
    CHECK(contains(outcome.output, "File too large"));
    CHECK(messages(outcome.output) == 1);
    CHECK_MESSAGE(leftovers(work.path).empty(), leftovers(work.path));
  }
  CHECK(work("run p.yaml --quiet --out out").exit == 0);
}

TEST_CASE(
    "folders that can only be read are reported, with the way out, before anything is computed") {
  const Workplace work;
  const std::string way = mounting(work);
  if (way.empty()) return;
  work.file("p.yaml", small_pipeline);
  fs::create_directories(work.path / "sealed");
  work.file("inside.sh", R"(mount -t tmpfs tmpfs sealed && mkdir sealed/store sealed/here
$program run p.yaml --quiet --out filled --cache sealed/store >/dev/null
mount -o remount,ro sealed
$program run p.yaml --quiet --out sealed/out
echo exit $?
$program run p.yaml --quiet --out sealed/here
echo exit $?
$program run p.yaml --quiet --out out --cache sealed/store
echo exit $?
$program run p.yaml --quiet --out out --cache sealed/other
echo exit $?
$program run p.yaml --quiet --out out --no-cache >/dev/null
echo exit $?
cd sealed
$program run ../p.yaml --quiet
echo exit $?
$program predict ../out/model --out sealed/predictions
echo exit $?
$program data get liver --data .
echo exit $?
$program doctor --cache store | grep -i 'store.*cannot be used'
$program doctor --cache store > /dev/null
echo exit $?
)");
  const auto outcome = work.shell(way + " sh inside.sh");
  INFO(outcome.output);
  CHECK(exits(outcome.output) == std::vector<int>{1, 1, 1, 1, 0, 1, 1, 1, 1});
  for (const char* message :
       {"cannot create the output folder 'sealed/out': Read-only file system; choose another with "
        "--out DIR",
        "sealed/here/running.lease: cannot create it: Read-only file system; choose another folder "
        "with "
        "--out DIR",
        "choose another with --cache DIR, or run without one: --no-cache",
        "cannot create the output folder 'runs/small-", "choose another with --data DIR",
        "cannot be used: Read-only file system"})
    CHECK_MESSAGE(contains(outcome.output, message), message);
  CHECK(messages(outcome.output) == 7);
}

TEST_CASE("folders of somebody else are reported likewise") {
  const Workplace work;
  if (::geteuid() != 0 || work.shell("setpriv --reuid 65534 --clear-groups true").exit != 0) {
    MESSAGE("skipped: only root can become somebody else");
    return;
  }
  work.file("p.yaml", small_pipeline);
  fs::permissions(work.path, fs::perms(0755));
  const auto outcome = work.shell(
      "nobody='setpriv --reuid 65534 --clear-groups'\nmkdir -m 755 mine store\n"
      "$nobody test -x $program || { echo unreachable; exit; }\n"
      "$nobody $program run p.yaml --quiet --no-cache --out mine/out\necho exit $?\n"
      "$nobody $program run p.yaml --quiet --cache store --out /tmp/semblance_nobody_$$\necho exit "
      "$?\n"
      "rm -rf /tmp/semblance_nobody_$$\n");
  INFO(outcome.output);
  if (contains(outcome.output, "unreachable")) return;
  CHECK(exits(outcome.output) == std::vector<int>{1, 1});
  CHECK(contains(outcome.output, "cannot create the output folder 'mine/out': Permission denied"));
  CHECK(contains(outcome.output, "Permission denied; choose another with --cache DIR"));
}

}  // namespace no_room_test
