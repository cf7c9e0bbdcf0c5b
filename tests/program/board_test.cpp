// SPDX-License-Identifier: MIT
// What `semblance board` answers.
#include <doctest/doctest.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "http_client.hpp"
#include "pipelines.hpp"

namespace board_test {

using namespace semblance::testing;
using Json = nlohmann::json;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

HttpReply get(const Served& board, const std::string& path, const std::string& headers = "") {
  return exchange(board.port(),
                  "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");
}

Json answer(const Served& board, const std::string& path) {
  const HttpReply reply = get(board, path);
  INFO(path, ": ", reply.body);
  REQUIRE(reply.status == 200);
  return Json::parse(reply.body);
}

/// Asks again until the answer is right: the board looks at most twice a second.
template <class Right>
Json awaited(const Served& board, const std::string& path, const Right& right) {
  Json found;
  for (int i = 0; i < 300; ++i) {
    found = answer(board, path);
    if (right(found)) return found;
    std::this_thread::sleep_for(100ms);
  }
  FAIL("this did not come: " << path << " " << found.dump(1).substr(0, 3000));
  return found;
}

Json run_named(const Json& list, const std::string& place) {
  for (const Json& run : list["runs"])
    if (run["place"] == place) return run;
  return {};
}

}  // namespace

TEST_CASE("runs of the history and of folders are listed and compared") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.file("s.yaml", std::string("study: seeds\nbase: p.yaml\nmetric: test.error_rate\n"
                                  "slots:\n  C: {path: nodes.svm.C, values: [0.01, 1]}\n"));
  work.succeed("run p.yaml --quiet");
  work.succeed("run p.yaml --quiet --seed 2 --set nodes.svm.C=0.001 --out runs/weak");
  work.succeed("run p.yaml --quiet --seed 3 --out other/group/a");
  fs::remove_all(work.path / "broken");
  work.file("other/broken/metrics.json", "{\"nodes\":");
  work.file("other/no_run/notes.txt", "nothing");
  const Served board(work, "runs other", "board");
  const Json all = answer(board, "/api/runs");
  REQUIRE(all["runs"].size() == 4);
  CHECK(all["problems"].empty());
  const Json weak = run_named(all, "runs/weak"), a = run_named(all, "other/group/a"),
             broken = run_named(all, "other/broken");
  CHECK(weak["status"] == "done");
  CHECK(weak["seed"] == "2");
  const auto metrics = work.metrics("runs/weak");
  CHECK(weak["figures"]["test.error_rate"]["value"] == metrics["nodes"]["test"]["error_rate"]);
  CHECK(a["name"] == "small");
  CHECK(a["figures"]["test.accuracy"]["value"] ==
        work.metrics("other/group/a")["nodes"]["test"]["accuracy"]);
  CHECK(broken["status"] == "damaged");
  CHECK(contains(broken["problem"].get<std::string>(), "metrics.json"));
  CHECK(broken["seed"].is_null());
  CHECK(broken["wall_seconds"].is_null());
  CHECK(a["figures"]["test.error_rate"]["better"] == "lower");
  const std::string seen = "/api/runs?seen=" + all["version"].get<std::string>();
  CHECK(answer(board, seen).dump() == "{\"version\":" + all["version"].dump() + "}");
  CHECK(answer(board, "/api/runs?seen=x") == all);

  const std::string weak_id = weak["id"], a_id = a["id"];
  const Json details = answer(board, "/api/run/" + weak_id);
  CHECK(contains(details["parameters"].dump(), R"(["svm.C","0.001"])"));
  CHECK(contains(details["log"].get<std::string>(), "svm: finished"));
  CHECK(contains(details["command"].get<std::string>(), "--set nodes.svm.C=0.001"));
  CHECK(details["curves"][0]["key"] == "svm.objective_by_iteration");
  CHECK(details["remarks"].empty());
  const Json compared = answer(board, "/api/compare?ids=" + a_id + "," + weak_id);
  CHECK(contains(compared["parameters"].dump(), R"({"key":"svm.C","values":["1","0.001"]})"));
  CHECK_FALSE(contains(compared["parameters"].dump(), "svm.tolerance"));
  // Of what is not known of a run it does not differ.
  const std::string with_broken = "," + broken["id"].get<std::string>();
  CHECK_FALSE(contains(
      answer(board, "/api/compare?ids=" + a_id + "," + weak_id + with_broken)["parameters"].dump(),
      "svm.tolerance"));
  CHECK(compared["curves"][0]["values"].size() == 2);
  CHECK(compared["tests"]["metric"] == "error_rate");
  // The tests are those of `compare`, in its words.
  CHECK(contains(work.succeed("compare other/group/a runs/weak"),
                 compared["tests"]["text"].get<std::string>()));
  const Json by_time =
      answer(board, "/api/compare?metric=svm.iterations&ids=" + a_id + "," + weak_id);
  CHECK(by_time["tests"]["metric"] == "iterations");
  CHECK(contains(answer(board, "/api/compare?ids=" + a_id + "," +
                                   broken["id"].get<std::string>())["tests"]["problem"]
                     .get<std::string>(),
                 "metrics.json"));
  CHECK(get(board, "/api/compare").status == 400);
  CHECK(get(board, "/api/run/ffff").status == 404);
}

TEST_CASE("the page of a run is shown apart, and nothing outside of its folder") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.file("runs/secret.txt", "secret");
  work.succeed("run p.yaml --quiet --out runs/a");
  fs::create_symlink(work.path / "runs/secret.txt", work.path / "runs/a/link.txt");
  const Served board(work, "", "board");
  const std::string id = answer(board, "/api/runs")["runs"][0]["id"];
  const HttpReply page = get(board, "/page/" + id + "/");
  CHECK(page.status == 200);
  CHECK(page.body == work.content("runs/a/report.html"));
  CHECK(page.headers.at("Content-Security-Policy").starts_with("sandbox allow-scripts"));
  CHECK_FALSE(contains(page.headers.at("Content-Security-Policy"), "allow-same-origin"));
  CHECK(get(board, "/page/" + id).status == 303);
  CHECK(get(board, "/page/" + id + "/metrics.json").body == work.content("runs/a/metrics.json"));
  for (const char* path : {"/link.txt", "/../secret.txt", "/%2e%2e/secret.txt", "//etc/passwd.txt",
                           "/model/model.bin", "/predictions", "/nothing.html"})
    CHECK_MESSAGE(get(board, "/page/" + id + path).status == 404, path);
  CHECK(get(board, "/").headers.at("Content-Security-Policy").starts_with("default-src 'none'"));
  CHECK(exchange(board.port(), "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n").status == 421);
  CHECK(exchange(board.port(), "DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n").status == 405);
}

TEST_CASE("tags and notes are stored in the history, which a run enters with them") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --quiet --out mine/a");
  fs::remove_all(work.path / "runs");  // no history knows that run
  work.succeed("run p.yaml --quiet");
  const Served board(work, "runs mine", "board");
  const auto annotate = [&](const std::string& id, const std::string& rest,
                            const std::string& headers = "") {
    return exchange(board.port(), post("application/json", R"({"id": ")" + id + R"(", )" + rest,
                                       headers, "/api/annotate"));
  };
  const Json all = answer(board, "/api/runs");
  for (const Json& run : all["runs"]) {
    const std::string id = run["id"];
    const HttpReply reply = annotate(id, R"("tags": ["best", "p/1"], "note": "a <b>\nnote"})");
    INFO(reply.body);
    REQUIRE(reply.status == 200);
    const Json now = Json::parse(reply.body);
    CHECK(now["id"] == id);
    CHECK(now["tags"] == Json{"best", "p/1"});
    CHECK(now["note"] == "a <b>\nnote");
    const Json twice = Json::parse(annotate(id, R"("tags": ["best"], "note": ""})").body);
    CHECK(twice["tags"] == Json{"best"});
  }
  const auto listed = Json::parse(work.succeed("history list --json --root mine").output);
  REQUIRE(listed.size() == 1);
  CHECK(listed[0]["folder"] == "a");
  CHECK(listed[0]["tags"] == Json{"best"});
  CHECK(listed[0]["metrics"]["test"]["error_rate"] ==
        work.metrics("mine/a")["nodes"]["test"]["error_rate"]);
  const auto both_are_best = [&] {
    const Json now = answer(board, "/api/runs");
    return now["runs"].size() == 2 && now["runs"][0]["tags"] == Json{"best"} &&
           now["runs"][1]["tags"] == Json{"best"} && now["version"] != all["version"];
  };
  CHECK(both_are_best());
  const std::string id = all["runs"][0]["id"];
  CHECK(annotate(id, R"("tags": ["two words"], "note": ""})").status == 409);
  CHECK(annotate(id, R"("tags": "best"})").status == 400);
  CHECK(annotate("0", R"("tags": [], "note": ""})").status == 404);
  // Pages of others cannot change anything.
  CHECK(annotate(id, R"("tags": [], "note": ""})", "Origin: http://evil.example\r\n").status ==
        403);
  CHECK(annotate(id, R"("tags": [], "note": ""})", "Origin: null\r\n").status == 403);
  CHECK(exchange(board.port(), post("text/plain", "{}", "", "/api/annotate")).status == 415);
  CHECK(both_are_best());
}

TEST_CASE("a killed study has the figures of its variants apart, and none in the list") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --quiet --out r/a");
  work.file("r/s/study.yaml", "name: s\n");
  work.file("r/s/progress.json",
            R"({"pipeline": "s", "seed": 1, "started": "2026-01-02T03:04:05Z", "elapsed": 3,
                "owner": "0-0-1-1", "host": "gone", "nodes": 4, "finished": 2, "threads": [],
                "figures": {"test[C=1]": {"accuracy": 0.5}, "test[C=2]": {"accuracy": 0.6}}})");
  fs::last_write_time(work.path / "r/s/progress.json",
                      fs::file_time_type::clock::now() - std::chrono::hours(2));
  const Served board(work, "r", "board");
  const Json list = answer(board, "/api/runs");
  const Json study = run_named(list, "r/s");
  CHECK(study["status"] == "killed");
  CHECK(study["figures"].empty());
  CHECK(answer(board, "/api/run/" + study["id"].get<std::string>())["all_figures"].size() == 2);
  CHECK(run_named(list, "r/a")["figures"]["test.error_rate"]["better"] == "lower");
}

TEST_CASE("folders of predictions are no runs, and a suggestion is a study") {
  const Workplace work;
  std::string table = "a,b,y\n";
  for (int i = 0; i < 60; ++i)
    table += std::to_string(i % 7 + i % 2 * 4) + "," + std::to_string(i % 5) + "," +
             (i % 2 ? "yes" : "no") + "\n";
  work.file("t.csv", table);
  work.file("p.yaml",
            "name: p\nnodes:\n  t: {is: source/csv, path: t.csv, label: y}\n"
            "  svm: {is: solver/linear_svm, from: t}\n");
  work.succeed("run p.yaml --data . --quiet --out r/fit");
  work.succeed("predict r/fit/model t.csv --out r/predicted");
  work.succeed("suggest t.csv --label y --splits 2 --out r/suggested");
  const Served board(work, "r", "board");
  const Json list =
      awaited(board, "/api/runs", [](const Json& runs) { return runs["runs"].size() >= 2; });
  CHECK(list["runs"].size() == 2);
  CHECK(run_named(list, "r/predicted").is_null());
  CHECK(run_named(list, "r/fit")["status"] == "done");
  const Json suggested = run_named(list, "r/suggested");
  CHECK(suggested["kind"] == "study");
  CHECK(suggested["status"] == "done");
}

TEST_CASE("a run that goes on is followed, and one that vanishes or is killed is shown as such") {
  const Workplace work;
  fs::create_directories(work.path / "runs");
  work.file("p.yaml", small_pipeline);
  // Slow enough to be looked at.
  work.file("slow.yaml", R"(name: slow
nodes:
  points: {is: source/xor, train: 60000, test: 60000}
  svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 4}, C: 1000, tolerance: 1e-9, from: points}
  test:   {is: evaluator/classification, from: svm}
)");
  const Served board(work, "", "board");
  CHECK(answer(board, "/api/runs")["runs"].empty());
  const pid_t process = work.start("run slow.yaml --quiet --no-cache --threads 1");
  const Json live = awaited(board, "/api/runs", [](const Json& list) {
    return list["runs"].size() == 1 && list["runs"][0]["status"] == "running";
  });
  const std::string id = live["runs"][0]["id"];
  CHECK(live["runs"][0]["name"] == "slow");
  const Json details = awaited(board, "/api/run/" + id, [](const Json& run) {
    return run.contains("progress") && contains(run["progress"]["threads"].dump(), R"("svm")");
  });
  CHECK(details["progress"]["nodes"] == 3);
  CHECK(contains(details["log"].get<std::string>(), "svm: started"));
  CHECK(contains(details["command"].get<std::string>(), "run slow.yaml"));
  CHECK(exchange(board.port(),
                 post("application/json", R"({"id": ")" + id + R"(", "tags": ["x"], "note": ""})",
                      "", "/api/annotate"))
            .status == 200);
  ::kill(process, SIGKILL);
  CHECK(wait_for(process) == -SIGKILL);
  awaited(board, "/api/run/" + id, [](const Json& run) { return run["status"] == "killed"; });
  fs::remove_all(details["folder"].get<std::string>());
  awaited(board, "/api/run/" + id,
          [](const Json& run) { return run["gone"] == true && run["tags"] == Json{"x"}; });

  work.succeed("run p.yaml --quiet");
  const Json done =
      awaited(board, "/api/runs", [](const Json& list) { return list["runs"].size() == 2; });
  CHECK(done["runs"][1]["status"] == "done");
  const std::string known = done["runs"][1]["id"];
  const std::string folder = answer(board, "/api/run/" + known)["folder"];
  CHECK_FALSE(fs::exists(fs::path(folder) / "progress.json"));
  fs::remove_all(folder);
  const Json gone =
      awaited(board, "/api/run/" + known, [](const Json& run) { return run["gone"] == true; });
  CHECK(gone["figures"]["test.error_rate"].is_object());
  CHECK(contains(gone["remarks"].dump(), "The folder is gone"));
  CHECK(get(board, "/page/" + known + "/").status == 404);
  fs::remove_all(work.path / "runs");
  const Json nothing =
      awaited(board, "/api/runs", [](const Json& list) { return list["runs"].empty(); });
  CHECK(contains(nothing["problems"].dump(), "is gone"));
}

TEST_CASE("a folder that two runs wrote shows the first with the history's figures alone") {
  const Workplace work;
  fs::create_directories(work.path / "runs/.history");
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --quiet --set nodes.svm.C=0.001 --out runs/a");
  work.succeed("run p.yaml --quiet --out runs/a");
  const Served board(work, "runs/a", "board");
  const Json all = answer(board, "/api/runs");
  REQUIRE(all["runs"].size() == 2);
  Json details;
  for (const Json& run : all["runs"]) {
    const Json one = answer(board, "/api/run/" + run["id"].get<std::string>());
    if (contains(one["command"].get<std::string>(), "C=0.001")) details = one;
  }
  REQUIRE(details.is_object());
  CHECK(details["parameters"].empty());
  CHECK(details["all_figures"].size() == details["figures"].size());
  CHECK(contains(details["remarks"].dump(), "later run"));
}

TEST_CASE("wrong use of the board exits with 2, and Ctrl-C ends it") {
  const Workplace work;
  work.expect("board", 2, "there is no folder 'runs'; name folders of runs and studies");
  work.expect("board . --port 70000", 2, "--port must be between 0 and 65535, got 70000");
  Served board(work, ".", "board");
  CHECK(get(board, "/").status == 200);
  const auto begin = std::chrono::steady_clock::now();
  CHECK(board.stop() == 0);
  CHECK(std::chrono::steady_clock::now() - begin < 5s);
  CHECK(contains(board.log(), "stopped by SIGTERM"));
}

}  // namespace board_test
