// SPDX-License-Identifier: MIT
#include "report/tables/result_table_json.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "report/metrics.hpp"
#include "semblance/error.hpp"
#include "support/test_folder.hpp"

namespace semblance::result_table_json_test {
namespace {

using Json = nlohmann::ordered_json;

ResultTable full_table() {
  ResultTable table{"error_rate", true, {"x", "svm"}, {"seed 1", "seed 2"}, {}, 1};
  const double none = std::numeric_limits<double>::quiet_NaN();
  table.unit = FigureUnit::seconds;
  table.methods.push_back({"a", {"p", "q"}, {{1.0 / 3, "", {1, 0, 1}, "r"}, {none, "no", {}, ""}}});
  table.methods.push_back({"b", {"r", "q"}, {{5e-324, "", {}, ""}, {1e300, "", {0}, "\"é"}}});
  return table;
}

TEST_CASE("further figures, choices, folders and numbers are stored") {
  ResultTable table = full_table();
  table.node = "test";
  table.further = {{"svm", "train_seconds", FigureUnit::seconds, Better::lower},
                   {"test", "rows", FigureUnit::count, Better::none}};
  table.numbers["x"]["0.316"] = "0.316227766016838";
  table.methods[0].choices[0] = "0.316";
  table.methods[1].choices[0] = "1";
  Measurement& first = table.methods[0].measurements[0];
  first.further = {0.5, std::numeric_limits<double>::quiet_NaN()};
  first.chosen["C"] = {"10", "1"};
  first.folders = {"variants/a", "variants/b"};
  const Json stored = Json::parse(readable_json(result_table_json(table, "s")));
  CHECK(stored["slots"][0]["values"] == Json{0.316227766016838, 1});
  CHECK_FALSE(stored["slots"][1].contains("values"));
  const ResultTable back = result_table_from_json(stored, "study.json").table;
  CHECK(back.node == "test");
  REQUIRE(back.further.size() == 2);
  CHECK(back.further[0].unit == FigureUnit::seconds);
  CHECK(back.further[0].better == Better::lower);
  const Measurement& again = back.methods[0].measurements[0];
  CHECK(again.further[0] == 0.5);
  CHECK(std::isnan(again.further[1]));
  CHECK(again.chosen == first.chosen);
  CHECK(again.folders == first.folders);
}

TEST_CASE("a table is the same after a round trip through text") {
  const Json stored = Json::parse(readable_json(result_table_json(full_table(), "normalizers")));
  const StudyTable back = result_table_from_json(stored, "study.json");
  CHECK(back.study == "normalizers");
  CHECK(result_table_json(back.table, back.study) == stored);
  const ResultTable table = full_table();
  CHECK(back.table.metric == "error_rate");
  CHECK(back.table.unit == FigureUnit::seconds);
  CHECK(back.table.higher_is_better);
  CHECK(back.table.slots == table.slots);
  CHECK(back.table.blocks == table.blocks);
  CHECK(back.table.baseline == 1);
  REQUIRE(back.table.methods.size() == 2);
  CHECK(back.table.methods[0].choices == table.methods[0].choices);
  CHECK(back.table.methods[0].measurements[0].value == 1.0 / 3);
  CHECK(back.table.methods[0].measurements[0].correct == std::vector<std::uint8_t>{1, 0, 1});
  CHECK(std::isnan(back.table.methods[0].measurements[1].value));
  CHECK(back.table.methods[0].measurements[1].error == "no");
  CHECK(back.table.methods[1].measurements[0].value == 5e-324);
  CHECK(back.table.methods[1].measurements[1].test_rows == "\"é");
}

TEST_CASE("the rows of each measurement are stored; an older study does not name its rows") {
  ResultTable table = full_table();
  Measurement& measurement = table.methods[0].measurements[0];
  measurement.trained = 20;
  measurement.tested = 3;
  measurement.drawn_from = {"file", "rows"};
  measurement.losses = {1.0 / 3, 0, 1e-300};
  measurement.groups = {0, -1, 0};
  Json stored = result_table_json(table, "");
  const auto back = result_table_from_json(stored, "f").table.methods[0].measurements[0];
  CHECK(back.trained == 20);
  CHECK(back.tested == 3);
  CHECK(back.drawn_from == measurement.drawn_from);
  CHECK(back.losses == measurement.losses);
  CHECK(back.groups == measurement.groups);
  CHECK(back.test_rows == "r");
  for (const char* key : {"trained", "tested", "drawn_from"})
    stored["methods"][0]["measurements"][0].erase(key);
  CHECK(result_table_from_json(stored, "f").table.methods[0].measurements[0].test_rows.empty());
}

TEST_CASE("what is compared stands in the file, with words where there is no p") {
  ResultTable table{"error_rate", false, {}, {"1", "2"}, {}, 0};
  table.methods.push_back({"a", {}, {{0.25, "", {}}, {0.5, "", {}}}});
  table.methods.push_back({"b", {}, {{0.125, "", {}}, {0.125, "", {}}}});
  const Json json = comparison_json(table, compare(table));
  CHECK(json["blocks_are"] == "unknown");
  CHECK(json["methods"][1]["best"] == true);
  CHECK(json["methods"][1]["difference"] == -0.25);
  CHECK(json["methods"][1]["tests"]["t"]["p"].is_number());
  CHECK(json["methods"][1]["tests"]["wilcoxon"].dump() == R"({"remark":"too few blocks"})");
  CHECK_FALSE(json["methods"][1]["tests"].contains("mcnemar"));
  CHECK(json["methods"][0]["tests"].empty());
}

TEST_CASE("the file says over how many groups of rows tests were made") {
  ResultTable table{"accuracy", true, {}, {""}, {}, 0};
  table.methods.push_back({"a", {}, {{0.5, "", {1, 0, 0, 1}, "r"}}});
  table.methods.push_back({"b", {}, {{0.75, "", {1, 1, 0, 1}, "r"}}});
  CHECK_FALSE(comparison_json(table, compare(table)).contains("row_groups"));
  table.methods[1].measurements[0].groups = {1, 1, 2, 2};
  CHECK(comparison_json(table, compare(table))["row_groups"] == 2);
}

TEST_CASE("a study of a version that knew no units is read: its numbers are plain") {
  Json stored = result_table_json(full_table(), "old");
  stored.erase("unit");
  CHECK(result_table_from_json(stored, "s.json").table.unit == FigureUnit::plain);
  stored["unit"] = "metres";
  CHECK_THROWS_WITH_AS(result_table_from_json(stored, "s.json"),
                       "s.json: unit must be plain, share, count, seconds or bytes, but is string",
                       Error);
}

TEST_CASE("alternatives are listed as they first appear") {
  const Json stored = result_table_json(full_table(), "");
  CHECK(stored.at("slots").dump() ==
        R"([{"name":"x","alternatives":["p","r"]},{"name":"svm","alternatives":["q"]}])");
  ResultTable table = full_table();
  table.baseline.reset();
  CHECK_FALSE(result_table_from_json(result_table_json(table, ""), "f").table.baseline);
}

TEST_CASE("every wrong field is named with its file") {
  struct Case {
    const char* pointer;
    Json value;
    const char* message;
  };
  const Case cases[] = {
      {"/study", 3, "s.json: study must be text, but is number"},
      {"/higher_is_better", "no", "s.json: higher_is_better must be true or false, but is string"},
      {"/slots", "x", "s.json: slots must be an array, but is string"},
      {"/slots/1", 7, "s.json: slots[1] must be an object, but is number"},
      {"/slots/0/alternatives/1", nullptr,
       "s.json: slots[0].alternatives[1] must be text, but is null"},
      {"/blocks", Json::array(), "s.json: blocks must have at least one entry"},
      {"/baseline", 2, "s.json: baseline must be null or an index below 2, but is 2"},
      {"/baseline", -1, "s.json: baseline must be null or an index below 2, but is -1"},
      {"/methods", Json::object(), "s.json: methods must be an array, but is object"},
      {"/methods/1/choices", Json::array({"r"}),
       "s.json: methods[1].choices must have one entry per slot, 2, but has 1"},
      {"/methods/0/measurements", Json::array(),
       "s.json: methods[0].measurements must have one entry per block, 2, but has 0"},
      {"/methods/0/measurements/1/value", "0.5",
       "s.json: methods[0].measurements[1].value must be a number or null, but is string"},
      {"/methods/0/measurements/0/correct", "012",
       "s.json: methods[0].measurements[0].correct must be text of 0 and 1 only, but is string"},
  };
  for (const Case& c : cases) {
    Json stored = result_table_json(full_table(), "s");
    stored[Json::json_pointer(c.pointer)] = c.value;
    CHECK_THROWS_WITH_AS(result_table_from_json(stored, "s.json"), c.message, Error);
  }
  for (const char* key :
       {"study", "metric", "higher_is_better", "slots", "blocks", "baseline", "methods"}) {
    Json stored = result_table_json(full_table(), "s");
    stored.erase(key);
    const std::string message = std::string("s.json: ") + key + " is missing";
    CHECK_THROWS_WITH_AS(result_table_from_json(stored, "s.json"), message.c_str(), Error);
  }
  Json stored = result_table_json(full_table(), "s");
  stored["methods"][1]["measurements"][0].erase("error");
  CHECK_THROWS_WITH_AS(result_table_from_json(stored, "s.json"),
                       "s.json: methods[1].measurements[0].error is missing", Error);
  CHECK_THROWS_WITH_AS(result_table_from_json(Json::array(), "s.json"),
                       "s.json: the whole must be an object, but is array", Error);
}

TEST_CASE("a file that is missing, cut off or no JSON is one clear error") {
  const testing::TestFolder folder;
  const auto file = folder.path / "study.json";
  const auto expect = [&](const std::string& message) {
    CHECK_THROWS_WITH_AS(read_study(file), message.c_str(), Error);
  };
  expect("cannot read '" + file.string() + "'");
  const std::string whole = readable_json(result_table_json(full_table(), "s"));
  std::ofstream(file) << whole;
  CHECK(read_study(file).table.methods.size() == 2);
  for (std::size_t length = 0; length + 2 < whole.size(); length += 13) {
    std::ofstream(file, std::ios::trunc) << whole.substr(0, length);
    CHECK_THROWS_AS(read_study(file), Error);
  }
  std::ofstream(file, std::ios::trunc) << "{,}";
  expect(file.string() + ": is damaged: not JSON from column 2 on");
  std::ofstream(file, std::ios::trunc) << "[1e999]";
  expect(file.string() + ": is damaged: a number is out of range");
}

}  // namespace
}  // namespace semblance::result_table_json_test
