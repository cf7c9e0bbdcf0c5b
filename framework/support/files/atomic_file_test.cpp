// SPDX-License-Identifier: MIT
#include "support/files/atomic_file.hpp"

#include <doctest/doctest.h>

#include "semblance/error.hpp"
#include "support/files/synced_together.hpp"
#include "support/test_folder.hpp"

namespace semblance::atomic_file_test {
namespace {

using testing::content;
using testing::files_in;
using testing::TestFolder;

TEST_CASE("a committed file replaces the old one and leaves nothing beside it") {
  const TestFolder folder;
  write_file_atomically(folder.path / "a.json", "old");
  write_file_atomically(folder.path / "a.json", "new");
  CHECK(content(folder.path / "a.json") == "new");
  CHECK(files_in(folder.path) == 1);
}

TEST_CASE("a file appears only when it is committed") {
  const TestFolder folder;
  AtomicFile file(folder.path / "a.json");
  file.write("all of it");
  CHECK_FALSE(std::filesystem::exists(folder.path / "a.json"));
  file.commit(false);
  CHECK(content(folder.path / "a.json") == "all of it");
}

TEST_CASE("an abandoned file leaves the old one as it was") {
  const TestFolder folder;
  write_file_atomically(folder.path / "a.json", "old");
  {
    AtomicFile file(folder.path / "a.json");
    file.write("half of the n");
  }
  CHECK(content(folder.path / "a.json") == "old");
  CHECK(files_in(folder.path) == 1);
}

TEST_CASE("a failed write leaves the old file as it was and says why") {
  const TestFolder folder;
  AtomicFile file(folder.path / "a.json");
  const auto nowhere = reinterpret_cast<const void*>(std::uintptr_t{1});
  const std::string message = (folder.path / "a.json").string() + ": cannot write: Bad address";
  CHECK_THROWS_WITH_AS(file.write(nowhere, 8), message.c_str(), Error);
}

TEST_CASE("a folder that is missing is named with the system's reason") {
  const TestFolder folder;
  const auto target = folder.path / "missing" / "a.json";
  const std::string message = target.string() + ": cannot create it: No such file or directory";
  CHECK_THROWS_WITH_AS(write_file_atomically(target, "x"), message.c_str(), Error);
}

TEST_CASE("a target that cannot be replaced stays, and the new file goes") {
  const TestFolder folder;
  std::filesystem::create_directories(folder.path / "a.json" / "inside");
  const std::string message = (folder.path / "a.json").string() +
                              ": cannot move the finished file into place: Is a directory";
  CHECK_THROWS_WITH_AS(write_file_atomically(folder.path / "a.json", "x"), message.c_str(), Error);
  CHECK(files_in(folder.path) == 1);
}

TEST_CASE("a file may have the longest name that the system allows") {
  const TestFolder folder;
  const std::string name(255, 'n');
  write_file_atomically(folder.path / name, "x");
  CHECK(content(folder.path / name) == "x");
  CHECK(files_in(folder.path) == 1);
}

TEST_CASE("what a killed process left half-written goes, what is being written stays") {
  const TestFolder folder;
  std::ofstream(folder.path / ".a.json.1-0.tmp") << "half";
  std::ofstream(folder.path / "notes.1-0.tmp") << "mine";
  AtomicFile living(folder.path / "b.json");
  CHECK(files_in(folder.path) == 2);
  living.commit();
}

TEST_CASE("only names as this program writes them are removed") {
  const TestFolder folder;
  const std::string dead = "0123456789abcdef-1-2-3";  // of another start of some kernel
  const std::vector<std::string> ours = {".a.json.1-0.tmp",       ".a..7-1-2.tmp",
                                         ".a.1-2-unlocked.tmp",   ".a." + dead + ".tmp",
                                         ".a." + dead + "-4.tmp", ".a." + dead + "-4-unlocked.tmp"};
  const std::vector<std::string> others = {"a.json.1-0.tmp",
                                           ".1-0.tmp",
                                           "..1-0.tmp",
                                           ".a.1.tmp",
                                           ".a.1-.tmp",
                                           ".a.-1.tmp",
                                           ".a.1-0.tm",
                                           ".a.1-0tmp",
                                           ".a.1-0x.tmp",
                                           ".a.1-unlocked.tmp",
                                           ".a.1-0-unlocked-.tmp",
                                           ".a.1-2-3-4.tmp",
                                           ".a.1-2-3-4-5.tmp",
                                           ".a.0123456789abcdeF-1-2-3.tmp",
                                           ".a." + dead + "-4-5.tmp",
                                           ".a..tmp",
                                           ".a.tmp",
                                           ".tmp"};
  for (const auto* names : {&ours, &others})
    for (const std::string& name : *names) std::ofstream(folder.path / name) << "half";
  // Whether an owner of another machine lives is unknown until a day has passed.
  const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::days(3);
  for (const auto& file : std::filesystem::directory_iterator(folder.path))
    std::filesystem::last_write_time(file, long_ago);
  remove_abandoned_files(folder.path);
  for (const std::string& name : ours) CHECK_MESSAGE(!exists(folder.path / name), name);
  for (const std::string& name : others) CHECK_MESSAGE(exists(folder.path / name), name);
}

TEST_CASE("files that are synced together are there before that, and the folder must exist") {
  const testing::TestFolder folder;
  {
    SyncedTogether files(folder.path);
    write_file_atomically(folder.path / "a", "1");
    write_file_atomically(folder.path / "b", "2");
    CHECK(testing::content(folder.path / "a") == "1");
    CHECK_NOTHROW(files.finish());
  }
  SyncedTogether files(folder.path / "none");
  CHECK_THROWS_WITH_AS(
      files.finish(),
      ((folder.path / "none").string() + ": cannot write to the disk: No such file or directory")
          .c_str(),
      Error);
}

}  // namespace
}  // namespace semblance::atomic_file_test
