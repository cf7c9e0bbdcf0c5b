// SPDX-License-Identifier: MIT
// The page of `semblance board` in a browser.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

#include "http_client.hpp"
#include "pipelines.hpp"

namespace board_page_test {

using namespace semblance::testing;
using Json = nlohmann::json;

namespace {

/// Prints this if there is no browser; CMakeLists.txt checks for these words.
bool skipped() {
  if (std::system("command -v chromium >/dev/null 2>&1") == 0) return false;
  std::puts("skipped: chromium is not installed");
  return true;
}

Json used(const Workplace& work, const Served& board, const std::string& scene) {
  const auto outcome =
      work.shell("timeout 300 python3 " BOARD_PAGE_SCRIPT " " + std::to_string(board.port()) + " " +
                 std::to_string(board.process()) + " " + scene + " 2>&1");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  Json verdict = Json::parse(outcome.output);
  CHECK(verdict["errors"].dump() == "[]");
  CHECK(verdict["policy"].dump() == "[]");
  const std::string own = "http://127.0.0.1:" + std::to_string(board.port()) + "/";
  for (const Json& url : verdict["urls"]) {
    const auto text = url.get<std::string>();
    CHECK_MESSAGE((text.starts_with(own) || text.starts_with("data:")), text);
  }
  return verdict;
}

}  // namespace

TEST_CASE("runs are filtered, chosen, compared and noted with the keyboard") {
  if (skipped()) return;
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  std::filesystem::create_directories(work.path / "runs/.history");
  work.succeed("run p.yaml --quiet --out runs/a");
  work.succeed("run p.yaml --quiet --set nodes.svm.C=0.001 --out 'runs/<b>b'");
  work.succeed("run p.yaml --quiet --out other/c");
  const Served board(work, "runs other", "board");
  const Json verdict = used(work, board, "few");
  CHECK(verdict["names"].size() == 3);
  CHECK(verdict["filter_has_focus"] == "filter");
  CHECK(contains(verdict["none"], "The filter looks for words in names, folders"));
  CHECK(verdict["filtered"] == verdict["without"]);
  CHECK(verdict["filtered"].size() == 2);
  CHECK(contains(verdict["tests"], "p McNemar"));
  CHECK(contains(verdict["asked"],
                 "not known which of two values of svm.squared_norm is better: say so above"));
  CHECK(contains(verdict["directed"], "squared norm"));
  REQUIRE(verdict["differing"].size() == 1);
  CHECK(verdict["differing"][0].get<std::string>().starts_with("svm.C"));
  CHECK(verdict["figures"].get<int>() > 10);
  CHECK(verdict["lines"] == 2);
  CHECK(verdict["elements"] == 0);
  CHECK(contains(verdict["command"], "run p.yaml"));
  CHECK(verdict["noted"] == true);
  CHECK(contains(verdict["report"], "/page/"));
  CHECK(verdict["unlabelled"] == 0);
  CHECK(verdict["layout"].dump() == "[{},{},{}]");  // the list, a comparison, and a run
  CHECK(contains(work.succeed("history list --json"), "\"best\""));
}

TEST_CASE("ten thousand runs have rows for those in view only") {
  if (skipped()) return;
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --quiet");
  const auto copied = work.shell(R"(python3 - <<'END'
import glob, json
first = json.load(open(glob.glob('runs/.history/*.json')[0]))
for i in range(2, 10001):
    first['metrics']['test']['error_rate'] = (i * 7919 % 10000) / 20000
    row = dict(first, id='%08x' % i, order=first['order'] + i, name='small-%d' % i, folder='small-%d' % i)
    json.dump(row, open('runs/.history/%08x.json' % i, 'w'))
END)");
  REQUIRE_MESSAGE(copied.exit == 0, copied.output);
  const Served board(work, "", "board");
  const Json verdict = used(work, board, "many");
  CHECK(contains(verdict["facts"], "10,000 runs"));
  CHECK(verdict["last"] == "9999");
  CHECK(contains(verdict["newest"], "small-10000"));  // all say the same second
  CHECK(verdict["elements"].get<int>() < 60);
  CHECK(verdict["ascending"] == true);
  CHECK(verdict["descending"] == true);
  // The target is a second, beside nothing else: a busy machine is slower.
  CHECK(verdict["first_row_ms"].get<double>() < 10'000);
  if (!sanitized) CHECK(verdict["memory_kib"].get<double>() < 300'000);
}

TEST_CASE("a running run is followed to its end, and a folder that vanishes is reported") {
  if (skipped()) return;
  const Workplace work;
  std::filesystem::create_directories(work.path / "runs");
  work.file("slow.yaml", R"(name: slow
nodes:
  points: {is: source/xor, train: 20000, test: 20000}
  svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 4}, C: 1000, tolerance: 1e-9, from: points}
  test:   {is: evaluator/classification, from: svm}
)");
  const Served board(work, "", "board");
  const pid_t process = work.start("run slow.yaml --quiet --no-cache --threads 1");
  const Json verdict = used(work, board, "live");
  CHECK(wait_for(process) == 0);
  CHECK(contains(verdict["live"], "of 3 nodes are done"));
  CHECK(contains(verdict["log"], "svm: started"));
  CHECK(contains(verdict["gone"], "The folder is gone"));
}

}  // namespace board_page_test
