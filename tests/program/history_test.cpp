// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

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

TEST_CASE("runs are exported for spreadsheets, programs and MLflow, with what their folders say") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --quiet");
  work.succeed("run p.yaml --quiet --seed 2 --out runs/second");
  work.succeed("run p.yaml --quiet --seed 3 --out runs/gone");
  work.succeed("run p.yaml --quiet --seed 4 --out runs/replaced");
  fs::remove_all(work.path / "runs/gone");
  // Another run's results are not those of the entry.
  fs::rename(work.path / "runs/.history", work.path / "history");
  work.succeed("run p.yaml --quiet --seed 5 --out runs/replaced");
  fs::remove_all(work.path / "runs/.history");
  fs::rename(work.path / "history", work.path / "runs/.history");
  const auto all = listed(work);
  REQUIRE(all.size() == 4);

  // As no verb of ours would write it.
  work.file("runs/.history/" + all[1]["id"].get<std::string>() + ".tags.json",
            R"({"tags": ["..up"], "note": ""})");
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
}

}  // namespace history_test
