// SPDX-License-Identifier: MIT
#include "history/history.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <set>

#include "history/sqlite.hpp"
#include "semblance/error.hpp"
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

void run_sql(const fs::path& folder, const char* sql) {
  sqlite::Database(History::file_in(folder), true).execute(sql);
}

/// The error message of opening the history.
std::string refusal(const fs::path& folder) {
  try {
    History(folder, History::Open::or_create);
  } catch (const Error& problem) {
    return problem.what();
  }
  return "";
}

TEST_CASE("a history of a version that knew no units is taken over") {
  const TestFolder folder;
  History(folder.path, History::Open::or_create).add(entry("old"));
  run_sql(folder.path,
          "ALTER TABLE runs DROP COLUMN units; ALTER TABLE runs DROP COLUMN tags; "
          "ALTER TABLE runs DROP COLUMN note; PRAGMA user_version = 1");
  History history(folder.path, History::Open::existing);
  history.add(entry("new"));
  const auto all = history.list();
  REQUIRE(all.size() == 2);
  CHECK(all[0].metrics == entry("old").metrics);
  CHECK(all[0].units.empty());
  CHECK(all[1].units == entry("new").units);
  CHECK(History(folder.path, History::Open::existing).list().size() == 2);
}

TEST_CASE("a history of a version without tags is taken over, and has none") {
  const TestFolder folder;
  const std::string id = History(folder.path, History::Open::or_create).add(entry("old"));
  run_sql(folder.path,
          "ALTER TABLE runs DROP COLUMN tags; ALTER TABLE runs DROP COLUMN note; "
          "PRAGMA user_version = 2");
  History history(folder.path, History::Open::existing);
  CHECK(history.find(id).units == entry("old").units);
  CHECK(history.find(id).tags.empty());
  history.annotate(id, {"kept"}, "");
  CHECK(History(folder.path, History::Open::existing).find(id).tags.size() == 1);
}

TEST_CASE("tags and a note replace former ones, of one entry") {
  const TestFolder folder;
  History history(folder.path, History::Open::or_create);
  HistoryEntry first = entry("first");
  first.tags = {"from-the-start"};
  const std::string id = history.add(first), other = history.add(entry("other"));
  CHECK(history.find(id).tags == first.tags);
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
  const std::string first = history.add(entry("b"));
  const std::string second = history.add(entry("a"));
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
  for (int i = 0; i < 20; ++i) id = history.add(entry("x"));
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
        History(folder.path, History::Open::or_create).add(entry(std::to_string(p)));
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
        History(folder.path, History::Open::or_create).add(entry("killed"));
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
    sqlite::Database database(History::file_in(folder.path), false);
    sqlite::Statement check(database, "PRAGMA integrity_check");
    REQUIRE(check.step());
    CHECK(check.text(0) == "ok");
  }
  CHECK(confirmed > 0);
}

TEST_CASE("a transaction that is left open is undone by the next who opens") {
  const TestFolder folder;
  const std::string kept = History(folder.path, History::Open::or_create).add(entry("kept"));
  const pid_t process = ::fork();
  if (process == 0) {
    sqlite::Database database(History::file_in(folder.path), false);
    // A cache of one page: the change is on the disk before it is committed.
    database.execute("PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM runs;");
    database.execute(
        "CREATE TABLE filler AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT "
        "i + 1 FROM n WHERE i < 2000) SELECT i, randomblob(500) FROM n");
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(process, nullptr, 0);
  REQUIRE(fs::exists(folder.path / "history.sqlite-journal"));
  const auto all = History(folder.path, History::Open::existing).list();
  REQUIRE(all.size() == 1);
  CHECK(all[0].id == kept);
}

TEST_CASE("what is no history, or a newer one, is refused with what to do") {
  const TestFolder folder;
  const std::string file = (folder.path / "history.sqlite").string();
  SUBCASE("there is none") {
    CHECK_THROWS_WITH_AS(
        History(folder.path, History::Open::existing),
        ("there is no history '" + file + "'; a run without --out starts it").c_str(), Error);
    CHECK_FALSE(fs::exists(file));
  }
  SUBCASE("another file") {
    std::ofstream(file) << std::string(5000, 'x');
    CHECK(refusal(folder.path) ==
          "the history '" + file + "': file is not a database; move it away to start a new one");
    CHECK(testing::content(file) == std::string(5000, 'x'));
  }
  SUBCASE("a damaged one") {
    {
      History history(folder.path, History::Open::or_create);
      for (int i = 0; i < 100; ++i) history.add(entry("x"));
    }
    {
      std::fstream damaged(file, std::ios::in | std::ios::out | std::ios::binary);
      damaged.seekp(4096);  // after the page with the schema
      damaged << std::string(fs::file_size(file) - 4096, '\xFF');
    }
    CHECK_THROWS_AS(History(folder.path, History::Open::existing).list(), Error);
  }
  SUBCASE("another database") {
    run_sql(folder.path, "CREATE TABLE letters (text)");
    CHECK(refusal(folder.path) ==
          "'" + file + "' is a database, but not a history of runs; move it away");
  }
  SUBCASE("a newer one") {
    { const History history(folder.path, History::Open::or_create); }
    run_sql(folder.path, "PRAGMA user_version = 4");
    CHECK(refusal(folder.path) == "the history '" + file +
                                      "' has version 4, but this program supports 3; use the newer "
                                      "program, or move the file away");
  }
  SUBCASE("a folder that is not there") {
    CHECK(refusal(folder.path / "missing").find("unable to open database file") !=
          std::string::npos);
  }
  SUBCASE("an entry that another program spoiled") {
    History(folder.path, History::Open::or_create).add(entry("x"));
    run_sql(folder.path, "UPDATE runs SET metrics = '{'");
    CHECK_THROWS_AS(History(folder.path, History::Open::existing).list(), Error);
  }
  SUBCASE("an empty file is a history that has just begun") {
    std::ofstream(file).close();
    CHECK(History(folder.path, History::Open::existing).list().empty());
  }
}

TEST_CASE("only the folder of a run, right below the history, is deleted") {
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
  for (const std::string bad : {"other", "link", "metrics.json", "../outside", "..", ".", "",
                                "good/model", "/", "good/", "good/."})
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
