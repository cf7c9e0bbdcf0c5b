// SPDX-License-Identifier: MIT
// The page of `semblance serve` in a browser.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

#include "http_client.hpp"
#include "pipelines.hpp"

namespace served_page_test {

using namespace semblance::testing;
using Json = nlohmann::json;

namespace {

/// Prints this if there is no browser; CMakeLists.txt checks for these words.
bool skipped() {
  if (std::system("command -v chromium >/dev/null 2>&1") == 0) return false;
  std::puts("skipped: chromium is not installed");
  return true;
}

Json used_page(const Workplace& work, const std::string& row) {
  const Served served(work, "out/model");
  const auto outcome = work.shell("timeout 120 python3 " SERVED_PAGE_SCRIPT " " +
                                  std::to_string(served.port()) + " '" + row + "'");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  Json verdict = Json::parse(outcome.output);
  CHECK(verdict["errors"].empty());
  CHECK(verdict["policy"].empty());
  CHECK(verdict["unlabelled"] == 0);
  CHECK(verdict["layout"].dump() == "[{},{}]");  // with answers, and with a problem
  const std::string own = "http://127.0.0.1:" + std::to_string(served.port()) + "/";
  for (const Json& url : verdict["urls"]) {
    CAPTURE(url.get<std::string>());
    const auto text = url.get<std::string>();
    CHECK((text.starts_with(own) || text.starts_with("data:") || text.starts_with("blob:")));
  }
  return verdict;
}

}  // namespace

TEST_CASE("a table's rows are typed and dropped, and no name is more than text") {
  if (skipped()) return;
  const Workplace work;
  std::string table = "a,<script>alert(1)</script>,class\n";
  for (int i = 0; i < 60; ++i)
    table += std::to_string(i % 9) + "," + std::to_string(i % 4) +
             (i % 9 < 4 ? ",<b>low</b>\n" : ",<img src=x onerror=alert(2)>\n");
  work.file("train.csv", table);
  work.file("p.yaml", table_pipeline("path: train.csv, label: class, test_rows: 10"));
  work.succeed("run p.yaml --data . --out out");
  const Json verdict = used_page(work, "1,2");
  CHECK(verdict["title"] == "table · Semblance");
  CHECK(verdict["pad"] == false);
  const Json typed = verdict["typed"]["answers"];
  REQUIRE(typed.size() == 2);
  CHECK(typed[0]["class"] == "<b>low</b>");
  CHECK(typed[0]["scores"] == Json::parse(R"(["<b>low</b>", "<img src=x onerror=alert(2)>"])"));
  CHECK(typed[0]["bars"] == 2);
  CHECK(typed[0]["elements"] == 0);
  CHECK(verdict["many"]["answers"].size() == 100);
  CHECK(verdict["wrong"]["answers"].empty());
  CHECK(contains(verdict["wrong"]["problem"], "line 1: lacks the columns 'a'"));
  CHECK(verdict["dropped"]["answers"].size() == 1);
  CHECK(contains(verdict["unknown"]["problem"], "<b>x.doc is neither a table"));
  CHECK(contains(verdict["picture"]["problem"],
                 "takes no pictures, but rows that are each: vector of 2"));
}

TEST_CASE("a model of pictures takes pictures and drawings, and tells of its nearest bases") {
  if (skipped()) return;
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --out out");
  std::string row = "0";
  {
    const Served served(work, "out/model");
    const auto model =
        Json::parse(exchange(served.port(), "GET /model HTTP/1.1\r\nHost: localhost\r\n\r\n").body);
    for (std::size_t k = 1; k < model["layout"]["values"].get<std::size_t>(); ++k)
      row += k % 5 == 0 ? ",255" : ",0";
  }
  const Json verdict = used_page(work, row);
  CHECK(verdict["pad"] == true);
  CHECK(verdict["typed"]["answers"][0]["nearest"] == 10);
  CHECK(verdict["many"]["answers"][0]["nearest"] == 0);
  CHECK(verdict["picture"]["answers"].size() == 1);
  CHECK(verdict["picture"]["problem"] == "");
  CHECK(verdict["drawn"]["answers"].size() == 1);
  CHECK(verdict["drawn"]["answers"][0]["canvases"] == 0);  // HOG's cells are no pictures
}

TEST_CASE("bases that are pictures are drawn") {
  if (skipped()) return;
  const Workplace work;
  work.file("p.yaml", R"(name: pictures
nodes:
  glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 5}
  bases:  {is: basis/random_per_class, per_class: 2, from: glyphs}
  rbf:    {is: similarity/rbf, gamma: 0.0001, from: glyphs, bases: bases}
  svm:    {is: solver/linear_svm, from: rbf}
)");
  work.succeed("run p.yaml --out out");
  const Json verdict = used_page(work, "1,2");
  CHECK(contains(verdict["typed"]["problem"], "line 1: has 2 values"));
  REQUIRE(verdict["inked"].size() == 5);
  for (const Json& canvas : verdict["inked"]) {
    CHECK(canvas[0].get<int>() > 4);
    CHECK(canvas[1] == 0);
    CHECK(canvas[2] == 255);
  }
}

}  // namespace served_page_test
