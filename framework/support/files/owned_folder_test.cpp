// SPDX-License-Identifier: MIT
#include "support/files/owned_folder.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "support/files/atomic_file.hpp"
#include "support/files/folder_time.hpp"
#include "support/files/process_identity.hpp"
#include "support/test_folder.hpp"

namespace semblance::owned_folder_test {
namespace {

namespace fs = std::filesystem;
using testing::files_in;
using testing::TestFolder;
using namespace std::chrono_literals;

/// A folder with a file in it and its mark, as left by an owner that was killed.
fs::path leave_behind(const fs::path& parent, const std::string& owner) {
  fs::create_directories(parent / owner);
  std::ofstream(parent / owner / "rows.npy") << "half";
  std::ofstream(parent / (owner + ".lock")) << "";
  return parent / owner;
}

void make_older(const fs::path& path, fs::file_time_type::duration age) {
  fs::last_write_time(path, *time_in(path.parent_path()) - age);
}

std::string on_another_machine() {
  ProcessIdentity owner = ProcessIdentity::own();
  owner.kernel = "0123456789abcdef";
  return owner.text() + "-0-unlocked";
}

}  // namespace

TEST_CASE("an owned folder is there when asked for, and goes with its owner") {
  const TestFolder parent;
  {
    OwnedFolder one(parent.path), other(parent.path);
    const fs::path file = one.new_path("a");
    CHECK(file != one.new_path("a"));
    CHECK(file.parent_path() != other.new_path("a").parent_path());
    std::ofstream(file) << "x";
    remove_abandoned_folders(parent.path);
    CHECK(fs::exists(file));
  }
  CHECK(files_in(parent.path) == 0);
}

TEST_CASE("what a killed process of this machine left goes at once, locks or none") {
  const TestFolder parent;
  const pid_t child = ::fork();
  if (child == 0) {
    OwnedFolder folder(parent.path);
    std::ofstream(folder.new_path("a")) << "half";
    AtomicFile file(parent.path / "b");
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  CHECK(files_in(parent.path) == 3);
  remove_abandoned_folders(parent.path);
  CHECK(files_in(parent.path) == 0);
}

TEST_CASE("what a process of another machine left goes when nothing touched it for a day") {
  const TestFolder parent;
  const fs::path folder = leave_behind(parent.path, on_another_machine());
  const fs::path mark = folder.string() + ".lock";
  const fs::path alone = parent.path / (".b." + on_another_machine() + ".tmp");
  std::ofstream(alone) << "half";
  for (const auto age : {0h, 23h}) {
    for (const fs::path& path : {mark, folder, alone}) make_older(path, age);
    remove_abandoned_folders(parent.path);
    CHECK(files_in(parent.path) == 3);
  }
  make_older(alone, 25h);
  remove_abandoned_folders(parent.path);
  CHECK(files_in(parent.path) == 2);
  // The folder's own time is irrelevant: writing to its files does not change it.
  make_older(folder, 25h);
  remove_abandoned_folders(parent.path);
  CHECK(files_in(parent.path) == 2);
  make_older(mark, 25h);
  remove_abandoned_folders(parent.path);
  CHECK(files_in(parent.path) == 0);
}

TEST_CASE("what has no mark and no owner is left for a day where it cannot be locked") {
  const TestFolder parent;
  fs::create_directories(parent.path / on_another_machine());
  remove_abandoned_folders(parent.path);
  CHECK(files_in(parent.path) == 1);
  make_older(parent.path / on_another_machine(), 25h);
  remove_abandoned_folders(parent.path);
  CHECK(files_in(parent.path) == 0);
}

TEST_CASE("a child of fork() leaves its parent's folder and file alone") {
  const TestFolder parent;
  auto folder = std::make_unique<OwnedFolder>(parent.path);
  std::ofstream(folder->new_path("a")) << "x";
  auto file = std::make_unique<AtomicFile>(parent.path / "b");
  const pid_t child = ::fork();
  if (child == 0) {
    folder.reset();
    file.reset();
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  CHECK(files_in(parent.path) == 3);
}

}  // namespace semblance::owned_folder_test
