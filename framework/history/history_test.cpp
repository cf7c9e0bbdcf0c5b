// SPDX-License-Identifier: MIT
#include "history/history.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <set>

#include "semblance/error.hpp"
#include "support/files/process_identity.hpp"
#include "support/test_folder.hpp"

namespace semblance::history_test {
namespace {

namespace fs = std::filesystem;
using testing::TestFolder;

HistoryEntry entry(const std::string& name) {
  HistoryEntry e;
  e.kind = "run";
  e.name = name;
  e.folder = name + "-1";
  e.started = "2026-11-21T05:00:00Z";
  e.wall_seconds = 1.0 / 3;
  e.seed = std::numeric_limits<std::uint64_t>::max();
  e.status = "done";
  e.version = "0.1.0";
  e.metrics = {{"test", {{"error_rate", 0.125}}}};
  e.units = {{"test", {{"error_rate", "share"}}}};
  e.command = "./semblance run \"it's\" é";
  return e;
}

std::string added(History& history, HistoryEntry e) {
  history.add(e);
  return e.id;
}

TEST_CASE("tags and a note replace former ones, of one entry") {
  const TestFolder folder;
  History history(folder.path, History::Open::or_create);
  const std::string id = added(history, entry("first")), other = added(history, entry("other"));
  history.annotate(id, {"best", "paper/2"}, "it's \"é\"\n2 lines");
  CHECK(history.find(id).tags == std::vector<std::string>{"best", "paper/2"});
  CHECK(history.find(id).note == "it's \"é\"\n2 lines");
  CHECK(history.find(other).tags.empty());
  CHECK(history.find(other).note.empty());
  for (const std::string& bad :
       std::vector<std::string>{"", "two words", "a,b", "tab\t", std::string(65, 'x')})
    CHECK_THROWS_AS_MESSAGE(history.annotate(id, {"good", bad}, "lost"), Error, bad);
  CHECK(history.find(id).tags.size() == 2);
  history.annotate(id, {}, "");
  CHECK(history.find(id).tags.empty());
  history.remove(other);
  CHECK_THROWS_AS(history.annotate(other, {}, ""), Error);
}

TEST_CASE("what was added is listed in order, with every field as it was") {
  const TestFolder folder;
  History history(folder.path, History::Open::or_create);
  CHECK(history.list().empty());
  const std::string first = added(history, entry("b"));
  const std::string second = added(history, entry("a"));
  CHECK(first.size() == 8);
  const auto all = History(folder.path, History::Open::existing).list();
  REQUIRE(all.size() == 2);
  CHECK(all[0].id == first);
  CHECK(all[1].id == second);
  const HistoryEntry expected = entry("b");
  CHECK(all[0].kind == expected.kind);
  CHECK(all[0].name == "b");
  CHECK(all[0].folder == "b-1");
  CHECK(all[0].started == expected.started);
  CHECK(all[0].wall_seconds == expected.wall_seconds);
  CHECK(all[0].seed == expected.seed);
  CHECK(all[0].status == "done");
  CHECK(all[0].version == "0.1.0");
  CHECK(all[0].metrics == expected.metrics);
  CHECK(all[0].units == expected.units);
  CHECK(all[0].command == expected.command);
}

TEST_CASE("an entry is found by its id or a beginning that is unique, and removed by its id") {
  const TestFolder folder;
  History history(folder.path, History::Open::or_create);
  std::string id;
  for (int i = 0; i < 20; ++i) id = added(history, entry("x"));
  CHECK(history.find(id).id == id);
  // Among twenty ids, at least two begin with the same of sixteen digits.
  int ambiguous = 0;
  for (const char digit : std::string("0123456789abcdef")) {
    try {
      history.find(std::string(1, digit));
    } catch (const Error& problem) {
      ambiguous += std::string(problem.what()).find("several entries") != std::string::npos;
    }
  }
  CHECK(ambiguous > 0);
  CHECK_THROWS_AS(history.find("nothing"), Error);
  CHECK_THROWS_AS(history.find(""), Error);
  history.remove(id);
  CHECK(history.list().size() == 19);
  CHECK_THROWS_AS(history.find(id), Error);
  CHECK_THROWS_AS(history.remove(id), Error);
}

TEST_CASE("two processes that begin a history and add to it at once lose nothing") {
  const TestFolder folder;
  constexpr int processes = 2, each = 40;
  for (int p = 0; p < processes; ++p) {
    if (::fork() != 0) continue;
    int lost = 0;
    for (int i = 0; i < each; ++i) try {
        History history(folder.path, History::Open::or_create);
        added(history, entry(std::to_string(p)));
      } catch (const std::exception&) {
        ++lost;
      }
    ::_exit(lost);
  }
  for (int p = 0, status = 0; p < processes; ++p) {
    REQUIRE(::wait(&status) > 0);
    CHECK(WEXITSTATUS(status) == 0);
  }
  std::set<std::string> ids;
  for (const auto& e : History(folder.path, History::Open::existing).list()) ids.insert(e.id);
  CHECK(ids.size() == processes * each);
}

TEST_CASE("a process killed while it adds leaves every finished entry, and no half one") {
  const TestFolder folder;
  std::size_t confirmed = 0;
  for (int round = 0; round < 8; ++round) {
    int pipe[2];
    REQUIRE(::pipe(pipe) == 0);
    const pid_t process = ::fork();
    if (process == 0) {
      for (;;) {
        History history(folder.path, History::Open::or_create);
        added(history, entry("killed"));
        if (::write(pipe[1], "+", 1) != 1) ::_exit(1);
      }
    }
    ::close(pipe[1]);
    ::usleep(static_cast<useconds_t>(20000 + 7919 * round));
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
    char sign = 0;
    while (::read(pipe[0], &sign, 1) == 1) ++confirmed;
    ::close(pipe[0]);
    History history(folder.path, History::Open::or_create);
    const auto all = history.list();
    // At most one entry per round was written but not yet confirmed.
    CHECK(all.size() >= confirmed);
    CHECK(all.size() <= confirmed + static_cast<std::size_t>(round) + 1);
    for (const auto& e : all) CHECK(e.command == entry("").command);
  }
  CHECK(confirmed > 0);
}

TEST_CASE("a run whose process has ended without saying so is killed") {
  const TestFolder folder;
  History history(folder.path, History::Open::or_create);
  HistoryEntry run = entry("here");
  run.status = "running";
  run.owner = ProcessIdentity::own().text();
  history.add(run);
  CHECK(history.find(run.id).status == "running");
  const pid_t process = ::fork();
  if (process == 0) {
    HistoryEntry child = run;
    child.owner = ProcessIdentity::own().text();
    history.update(child);
    ::_exit(0);
  }
  ::waitpid(process, nullptr, 0);
  CHECK(history.find(run.id).status == "killed");
  // A run on another machine is known only by what it writes.
  run.owner = "0123456789abcdef-1-1-1";
  history.update(run);
  CHECK(history.find(run.id).status == "killed");
  const fs::path progress = folder.path / run.folder / "progress.json";
  fs::create_directories(progress.parent_path());
  std::ofstream(progress) << "{}";
  CHECK(history.find(run.id).status == "running");
  fs::last_write_time(progress, fs::file_time_type::clock::now() - std::chrono::minutes(1));
  CHECK(history.find(run.id).status == "killed");
  run.status = "done";
  history.update(run);
  CHECK(history.find(run.id).status == "done");
}

TEST_CASE("tags that a run gets while it goes on stay when it ends") {
  const TestFolder folder;
  History history(folder.path, History::Open::or_create);
  HistoryEntry run = entry("tagged");
  history.add(run);
  history.annotate(run.id, {"best"}, "a note");
  history.update(run);
  CHECK(history.find(run.id).tags == std::vector<std::string>{"best"});
  CHECK(history.find(run.id).note == "a note");
}

TEST_CASE("a missing, earlier or damaged history is refused with what to do") {
  const TestFolder folder;
  const std::string place = History::folder_in(folder.path).string();
  const auto refusal = [&] {
    try {
      static_cast<void>(History(folder.path, History::Open::existing).list());
    } catch (const Error& problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  CHECK(refusal() == "there is no history '" + place + "'; the first run starts it");
  CHECK_FALSE(fs::exists(place));
  std::ofstream(folder.path / "history.sqlite").close();
  CHECK(refusal().find("docs/board.md says how to take it over") != std::string::npos);
  History history(folder.path, History::Open::or_create);
  const std::string id = added(history, entry("x"));
  CHECK(refusal().empty());
  for (const char* damage : {"", "{", "[]", "{\"id\": 3}"}) {
    std::ofstream(fs::path(place) / (id + ".json")) << damage;
    CHECK_MESSAGE(refusal().starts_with("the entry '" + place + "/" + id +
                                        ".json' of the history "
                                        "is damaged"),
                  damage);
  }
  std::ofstream(folder.path / "file").close();
  CHECK_THROWS_AS(History(folder.path / "file", History::Open::or_create), Error);
}

TEST_CASE("only the folder of a run, below the history, is deleted") {
  const TestFolder folder;
  const auto file = [&](const std::string& name) {
    const fs::path path = folder.path / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "{}";
  };
  const auto with_folder = [](const std::string& name) {
    HistoryEntry e = entry("x");
    e.folder = name;
    return e;
  };
  file("runs/good/metrics.json");
  file("runs/good/model/x.npy");
  file("runs/study/study.json");
  file("runs/other/letter.txt");
  file("outside/metrics.json");
  file("runs/metrics.json");
  fs::create_directory_symlink(folder.path / "outside", folder.path / "runs/link");
  const fs::path runs = folder.path / "runs";
  for (const std::string bad :
       {"other", "link", "metrics.json", "../outside", "..", ".", "", "good/model", "/", "link/."})
    CHECK_THROWS_AS_MESSAGE(delete_files(runs, with_folder(bad)), Error, bad);
  CHECK_THROWS_AS(delete_files(runs, with_folder((folder.path / "outside").string())), Error);
  CHECK(fs::exists(runs / "good/model/x.npy"));
  CHECK(fs::exists(folder.path / "outside/metrics.json"));
  CHECK(delete_files(runs, with_folder("good")));
  CHECK_FALSE(fs::exists(runs / "good"));
  CHECK(delete_files(runs, with_folder("study")));
  CHECK_FALSE(delete_files(runs, with_folder("gone")));
  CHECK(fs::exists(runs / "other/letter.txt"));
}

}  // namespace
}  // namespace semblance::history_test
