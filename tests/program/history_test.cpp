// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "pipelines.hpp"
#include "program.hpp"

namespace history_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

nlohmann::json listed(const Workplace& work, const std::string& root = "runs") {
  const auto outcome = work("history list --json --root " + root);
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  return nlohmann::json::parse(outcome.output);
}

}  // namespace

TEST_CASE("every run without --out is in the history, however it ended") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.file("w.yaml", wide_pipeline);
  work.succeed("run p.yaml --quiet --seed 18446744073709551615");
  REQUIRE(work("run w.yaml --quiet --deadline 0.05").exit == 1);
  REQUIRE(work("run w.yaml --quiet --memory 20M").exit == 1);
  const auto all = listed(work);
  REQUIRE(all.size() == 3);
  CHECK(all[0].at("status") == "done");
  CHECK(all[1].at("status") == "stopped");
  CHECK(all[2].at("status") == "failed");
  CHECK(all[0].at("name") == "small");
  CHECK(all[0].at("kind") == "run");
  CHECK(all[0].at("seed") == 18446744073709551615u);
  CHECK(all[0].at("command").get<std::string>().find("run p.yaml --quiet --seed") !=
        std::string::npos);
  const std::string folder = all[0].at("folder");
  CHECK(all[0].at("metrics").at("test").at("error_rate") ==
        work.metrics("runs/" + folder).at("nodes").at("test").at("error_rate"));
  CHECK(all[2].at("wall_seconds").get<double>() >= 0);
  CHECK(all[2].at("started").get<std::string>().size() == 20);

  const std::string id = all[0].at("id");
  work.expect("history list", 0, id);
  work.expect("history show " + id, 0, "folder   runs/" + folder);
  work.expect("history show " + id + " --json", 0, "\"status\": \"done\"");
  work.expect("history rm " + id + " --files", 0, "deleted: runs/" + folder);
  CHECK_FALSE(fs::exists(work.path / "runs" / folder));
  work.expect("history show " + id, 1, "has no entry '" + id + "'");
  const std::string stopped = all[1].at("id"), failed = all[2].at("id");
  work.expect("history rm " + stopped, 0, "removed from the history: " + stopped);
  CHECK(fs::exists(work.path / "runs" / all[1].at("folder").get<std::string>()));
  // A failed run has no metrics.json: its folder and its entry are not changed.
  work.expect("history rm --files " + failed, 1, "it has neither the metrics.json of a run");
  CHECK(listed(work).size() == 1);
}

TEST_CASE("a folder that the user chose gets no history beside it, unless there is one") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --quiet --out mine/a");
  CHECK_FALSE(fs::exists(work.path / "mine/history.sqlite"));
  CHECK_FALSE(fs::exists(work.path / "runs"));
  work.file("mine/history.sqlite", "");
  work.succeed("run p.yaml --quiet --out mine/b/");
  const auto all = listed(work, "mine");
  REQUIRE(all.size() == 1);
  CHECK(all[0].at("folder") == "b");
}

TEST_CASE("a history that cannot be written is a warning for a run, an error for its own verb") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  const std::string damaged(5000, 'x');
  work.file("runs/history.sqlite", damaged);
  work.expect("run p.yaml --quiet", 0,
              "warning: this run was not recorded in the history: the history '");
  CHECK(work.content("runs/history.sqlite") == damaged);
  work.expect("history list", 1, "file is not a database; move it away to start a new one");
  work.expect("history list --root nowhere", 1, "there is no history 'nowhere/history.sqlite'");
}

TEST_CASE("two runs at once are both in the history") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.file("runs/history.sqlite", "");
  const pid_t one = work.start("run p.yaml --quiet --out runs/one");
  const pid_t two = work.start("run p.yaml --quiet --out runs/two --seed 2");
  CHECK(wait_for(one) == 0);
  CHECK(wait_for(two) == 0);
  CHECK(listed(work).size() == 2);
}

TEST_CASE("a run that is killed leaves a history that can be read and added to") {
  const Workplace work;
  work.file("w.yaml", wide_pipeline);
  work.file("p.yaml", small_pipeline);
  work.file("runs/history.sqlite", "");
  const pid_t process = work.start("run w.yaml --out runs/killed");
  while (!fs::exists(work.path / "runs/killed/pipeline.yaml")) ::usleep(2000);
  ::kill(process, SIGKILL);
  wait_for(process);
  CHECK(listed(work).empty());
  work.succeed("run p.yaml --quiet --out runs/next");
  CHECK(listed(work).size() == 1);
}

TEST_CASE("runs are tagged and get notes, which the board shows as well") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.file("runs/history.sqlite", "");
  work.succeed("run p.yaml --quiet --out runs/a");
  work.succeed("run p.yaml --quiet --out runs/b --seed 2");
  const std::string a = listed(work)[0].at("id"), b = listed(work)[1].at("id");
  work.expect("history tag " + a + " baseline paper baseline", 0,
              "tags of " + a + " (a): baseline, paper");
  work.expect("history tag " + b + " paper", 0, "tags of " + b + " (b): paper");
  work.expect("history untag " + a + " paper", 0, "tags of " + a + " (a): baseline");
  work.expect("history note " + a + " 'without scaling'", 0, "noted: " + a + " (a)");
  auto all = listed(work);
  CHECK(all[0].at("tags") == nlohmann::json{"baseline"});
  CHECK(all[0].at("note") == "without scaling");
  CHECK(all[1].at("tags") == nlohmann::json{"paper"});
  const std::string list = work.succeed("history list").output;
  CHECK(contains(list, "  [baseline]\n"));
  const std::string papers = work.succeed("history list --tag paper").output;
  CHECK(contains(papers, b));
  CHECK_FALSE(contains(papers, a));
  work.expect("history list --tag papers", 0, "no run has the tag 'papers'");
  work.expect("history show " + a, 0, "note     without scaling");
  work.expect("history note " + a + " ''", 0, "removed the note of " + a + " (a)");
  work.expect("history untag " + a + " baseline", 0, "tags of " + a + " (a): none");
  all = listed(work);
  CHECK(all[0].at("tags").empty());
  CHECK(all[0].at("note") == "");

  work.expect("history untag " + b + " papers", 1,
              "the run " + b + " has no tag 'papers'; it has paper");
  work.expect("history tag " + b + " 'two words'", 1, "'two words' cannot be a tag");
  work.expect("history tag zzzz x", 1, "has no entry 'zzzz'");
  CHECK(listed(work)[1].at("tags") == nlohmann::json{"paper"});
}

TEST_CASE("wrong use of the history exits with 2") {
  const Workplace work;
  const std::string actions =
      "history takes list, show ID, tag ID TAG, untag ID TAG, note ID TEXT, rm ID or export";
  work.expect("history", 2, actions);
  work.expect("history lst", 2, actions + "; got 'lst'");
  work.expect("history show", 2, "an ID is missing: semblance history show ID");
  work.expect("history list 12", 2, "history list takes no ID");
  work.expect("history rm a b", 2, "history rm takes one ID");
  work.expect("history tag", 2, "an ID is missing: semblance history tag ID TAG...");
  work.expect("history untag 12", 2, "a tag is missing: semblance history untag ID TAG...");
  work.expect("history note 12", 2, "a text is missing: semblance history note ID TEXT");
  work.expect("history show 12 --tag x", 2, "--tag is for history list only");
  work.expect("history list --files", 2, "--files is for history rm only");
  work.expect("history --help", 0, "ROOT/history.sqlite");
}

TEST_CASE("runs are exported for spreadsheets, programs and MLflow, with what their folders say") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --quiet");
  work.succeed("run p.yaml --quiet --seed 2 --out runs/second");
  work.succeed("run p.yaml --quiet --seed 3 --out runs/gone");
  work.succeed("run p.yaml --quiet --seed 4 --out runs/replaced");
  fs::remove_all(work.path / "runs/gone");
  // Another run's results are not those of the entry.
  fs::rename(work.path / "runs/history.sqlite", work.path / "history.sqlite");
  work.succeed("run p.yaml --quiet --seed 5 --out runs/replaced");
  fs::rename(work.path / "history.sqlite", work.path / "runs/history.sqlite");
  const auto all = listed(work);
  REQUIRE(all.size() == 4);

  const auto tagged = work.shell(R"(python3 - <<'END'
import sqlite3
base = sqlite3.connect('runs/history.sqlite')
base.execute("UPDATE runs SET tags = '[\"..up\"]' WHERE seed = '2'")
base.commit()
END)");
  REQUIRE(tagged.exit == 0);
  const auto outcome = work("history export --jsonl all.jsonl --csv all.csv --mlflow mlruns");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  CHECK(
      contains(outcome, "(runs/gone) only what the history knows is exported: its folder is gone"));
  CHECK(contains(outcome,
                 "(runs/replaced) only what the history knows is exported: its folder has "
                 "the results of another run"));
  CHECK(contains(outcome, "written: 4 runs"));
  std::istringstream lines(work.content("all.jsonl"));
  std::vector<nlohmann::json> runs;
  for (std::string line; std::getline(lines, line);) runs.push_back(nlohmann::json::parse(line));
  REQUIRE(runs.size() == 4);
  const auto metrics = work.metrics("runs/second");
  CHECK(runs[1]["figures"]["test"]["macro_f1"] == metrics["nodes"]["test"]["macro_f1"]);
  CHECK(runs[1]["parameters"]["svm.is"] == "solver/linear_svm");
  CHECK(runs[2]["parameters"].empty());
  CHECK(runs[2]["figures"] == all[2]["metrics"]);
  CHECK(runs[3]["figures"] == all[3]["metrics"]);

  const std::string csv = work.content("all.csv");
  CHECK(csv.starts_with("id,kind,name,folder,started,wall_seconds,status,seed,tags,note,version,"));
  CHECK(contains(csv.substr(0, csv.find('\n')), ",figure test.macro_f1"));
  CHECK(std::ranges::count(csv, '\n') == 5);

  std::vector<fs::path> experiments;
  for (const auto& item : fs::directory_iterator(work.path / "mlruns"))
    experiments.push_back(item.path());
  REQUIRE(experiments.size() == 1);
  const std::string experiment = experiments[0].filename();
  CHECK(contains(work.content("mlruns/" + experiment + "/meta.yaml"), "name: \"small\""));
  std::size_t found = 0;
  for (const auto& item : fs::directory_iterator(experiments[0])) {
    if (!item.is_directory()) continue;
    const std::string run = "mlruns/" + experiment + "/" + item.path().filename().string() + "/";
    CHECK(item.path().filename().string().size() == 32);
    const std::string meta = work.content(run + "meta.yaml");
    CHECK(contains(meta, "experiment_id: '" + experiment + "'"));
    CHECK(contains(meta, "\nstatus: 3\n"));
    for (const char* folder : {"params", "metrics", "tags", "artifacts"})
      CHECK(fs::is_directory(item.path() / folder));
    if (work.content(run + "params/seed") != "2") continue;
    ++found;
    CHECK(contains(meta, "run_name: \"second\""));
    CHECK(work.content(run + "params/svm.is") == "solver/linear_svm");
    std::istringstream metric(work.content(run + "metrics/test.macro_f1"));
    std::int64_t time = 0, step = -1;
    double value = 0;
    metric >> time >> value >> step;
    CHECK(value == metrics["nodes"]["test"]["macro_f1"].get<double>());
    CHECK(step == 0);
    CHECK(contains(meta, "end_time: " + std::to_string(time)));
    // A curve over the iterations becomes steps.
    const auto& curve = metrics["nodes"]["svm"]["objective_by_iteration"]["y"];
    const std::string steps = work.content(run + "metrics/svm.objective_by_iteration");
    CHECK(std::ranges::count(steps, '\n') == static_cast<std::ptrdiff_t>(curve.size()));
    CHECK(work.content(run + "artifacts/report.html") == work.content("runs/second/report.html"));
    CHECK(contains(work.content(run + "tags/mlflow.source.name"), "--seed 2"));
    CHECK(work.content(run + "tags/_..up") == "true");  // MLflow takes no name with ".." first
  }
  CHECK(found == 1);

  // Exporting again replaces, and keeps what others have written there.
  work.file("mlruns/" + experiment + "/others/meta.yaml", "status: 3\n");
  work.succeed("history export --mlflow mlruns");
  CHECK(std::ranges::distance(fs::directory_iterator(experiments[0])) == 6);

  work.expect("history export", 2, "history export needs --csv FILE, --jsonl FILE or --mlflow");
  work.expect("history list --csv x", 2, "--csv is for history export only");
  work.expect("history export x --csv x", 2, "history export takes no ID");
}

}  // namespace history_test
