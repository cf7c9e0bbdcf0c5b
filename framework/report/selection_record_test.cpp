// SPDX-License-Identifier: MIT
#include "report/selection_record.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "semblance/error.hpp"

namespace semblance::selection_record_test {
namespace {

SelectionRecord tried(const std::vector<std::string>& values,
                      const std::vector<std::vector<double>>& folds) {
  SelectionRecord selection;
  selection.metric = "test.error_rate";
  selection.folds = folds.front().size();
  selection.parameters = {"C"};
  for (std::size_t t = 0; t < values.size(); ++t) {
    TrialRecord trial;
    trial.values = {values[t]};
    trial.folds = folds[t];
    selection.trials.push_back(std::move(trial));
  }
  return selection;
}

TEST_CASE("the first is chosen among means that differ only by rounding") {
  // Fifty errors in 243 samples, twice; the second mean is smaller in its last bit.
  std::vector<double> one = {16.0 / 81, 17.0 / 81, 17.0 / 81};
  std::vector<double> other = {10.0 / 81, 37.0 / 81, 3.0 / 81};
  for (int order = 0; order < 2; ++order, std::swap(one, other)) {
    SelectionRecord selection = tried({"1", "10", "100"}, {one, other, {0.5, 0.5, 0.5}});
    choose(selection);
    CHECK(selection.chosen == 0);
    CHECK(selection.trials[0].mean != selection.trials[1].mean);
    selection.higher_is_better = true;
    choose(selection);
    CHECK(selection.chosen == 2);
  }
}

TEST_CASE("halving drops the worst, keeps what equals the last that stays, and at least three") {
  SelectionRecord selection = tried({"a", "b", "c", "d", "e", "f", "g"},
                                    {{0.5}, {0.1}, {0.4}, {0.3}, {0.2}, {0.3 + 1e-17}, {0.9}});
  selection.folds = 3;
  selection.halving = 2;
  const auto dropped = [&] {
    std::string names;
    for (const TrialRecord& trial : selection.trials)
      if (trial.dropped) names += trial.values.front();
    return names;
  };
  drop_trials(selection);  // to four: b, e, d and f
  CHECK(dropped() == "acg");
  for (TrialRecord& trial : selection.trials)
    if (!trial.dropped) trial.folds.push_back(trial.values.front() == "b" ? 0.9 : 0.3);
  drop_trials(selection);  // three remain: e, and d and f, which are equal
  CHECK(dropped() == "abcg");
  for (TrialRecord& trial : selection.trials)
    if (!trial.dropped) trial.folds.push_back(0.3);
  choose(selection);
  CHECK(selection.trials[selection.chosen].values.front() == "e");
  CHECK(selection.trials[1].mean == doctest::Approx(0.5));
  const auto json = selection_json(selection);
  CHECK(json["halving"] == 2);
  CHECK(json["trials"][1]["dropped"] == true);
  CHECK(json["trials"][1]["folds"].size() == 2);
  CHECK_FALSE(json["trials"][4].contains("dropped"));

  selection.trials[0].mean = 0.01;  // a single fold's: it is not chosen
  choose(selection);
  CHECK(selection.chosen == 4);
}

TEST_CASE("halving of a share that is better if higher drops the lowest, and what is no number") {
  SelectionRecord selection =
      tried({"a", "b", "c", "d", "e"}, {{std::nan("")}, {0.7}, {0.9}, {0.8}, {0.95}});
  selection.folds = 2;
  selection.halving = 2;
  selection.higher_is_better = true;
  drop_trials(selection);
  CHECK(selection.trials[0].dropped);
  CHECK(selection.trials[1].dropped);
  CHECK_FALSE(selection.trials[3].dropped);
}

TEST_CASE("within a share means what it says, also where rounding is in the way") {
  SelectionRecord selection = tried({"1", "10"}, {{0.33}, {0.3}});
  REQUIRE(std::abs(0.33 - 0.3) > 0.3 * 0.1);  // by one bit
  selection.within = 0.1;
  choose(selection);
  CHECK(selection.chosen == 0);
  selection.within = 0.099;
  choose(selection);
  CHECK(selection.chosen == 1);
}

TEST_CASE("the figure of all held-out rows decides, and the folds' mean stays") {
  SelectionRecord selection = tried({"1", "10"}, {{0.2, 0.2}, {0.1, 0.1}});
  selection.trials[0].pooled = 0.15;
  selection.trials[1].pooled = 0.3;
  choose(selection);
  CHECK(selection.chosen == 0);
  const auto json = selection_json(selection);
  CHECK(json["value"] == 0.15);
  CHECK(json["mean"] == 0.2);
  CHECK(json["trials"][1]["value"] == 0.3);
}

TEST_CASE("a figure that single folds do not have is that of all rows") {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  SelectionRecord selection = tried({"1", "10"}, {{none, 0.2}, {none, none}});
  selection.higher_is_better = true;
  selection.trials[0].pooled = 0.7;
  selection.trials[1].pooled = 0.8;
  choose(selection);
  CHECK(selection.chosen == 1);
  CHECK(selection_json(selection)["mean"].dump() == "null");
}

TEST_CASE("deviation and standard error are those of the folds") {
  SelectionRecord selection = tried({"1"}, {{0.1, 0.2, 0.3, 0.4}});
  choose(selection);
  CHECK(selection.trials[0].deviation == doctest::Approx(std::sqrt(0.05 / 3)));
  CHECK(selection.trials[0].error == doctest::Approx(std::sqrt(0.05 / 3) / 2));
  const auto json = selection_json(selection);
  CHECK(json["deviation"] == selection.trials[0].deviation);
  CHECK(json["trials"][0]["folds"].size() == 4);
}

TEST_CASE("failed trials and values that are no numbers are passed over") {
  SelectionRecord selection = tried({"1", "10", "100"}, {{0.5}, {}, {0.25}});
  selection.trials[1].failure = "no memory";
  choose(selection);
  CHECK(selection.chosen == 2);
  selection.trials[0].failure = selection.trials[2].failure = "no memory either";
  CHECK_THROWS_AS(choose(selection), Error);
  const double none = std::numeric_limits<double>::quiet_NaN();
  SelectionRecord stopped = tried({"1", "10"}, {{none}, {0.25}});
  choose(stopped);
  CHECK(stopped.chosen == 1);
}

std::string remark(const std::vector<std::string>& values,
                   const std::vector<std::vector<double>>& folds) {
  SelectionRecord selection = tried(values, folds);
  choose(selection);
  return edge_remark(selection);
}

TEST_CASE("what is chosen at the edge of three or more numbers is remarked on") {
  CHECK(remark({"0.1", "1", "10"}, {{0.4}, {0.3}, {0.2}}) ==
        "the best C, 10, is the greatest of the 3 tried: a better one may lie beyond it, so try "
        "further values");
  // The order is that of the numbers, not of the list.
  CHECK(remark({"1", "0.1", "10"}, {{0.4}, {0.3}, {0.5}}).find("is the smallest of the 3") !=
        std::string::npos);
  CHECK(remark({"0.1", "1", "10"}, {{0.4}, {0.2}, {0.3}}).empty());
  CHECK(remark({"0.1", "1"}, {{0.4}, {0.2}}).empty());
  CHECK(remark({"a", "b", "c"}, {{0.4}, {0.3}, {0.2}}).empty());
  // Where another value is as good, nothing suggests values beyond the edge.
  CHECK(remark({"0.1", "1", "10"}, {{0.2}, {0.2}, {0.3}}).empty());
}

TEST_CASE("a parameter that only some trials have is at an edge among trials of its kind") {
  SelectionRecord selection;
  selection.metric = "test.error_rate";
  selection.folds = 1;
  selection.parameters = {"kernel", "gamma"};
  const auto add = [&](const char* kernel, const char* gamma, double error) {
    TrialRecord trial;
    trial.values = {kernel, gamma};
    trial.folds = {error};
    selection.trials.push_back(std::move(trial));
  };
  add("linear", "", 0.5);
  add("rbf", "0.1", 0.4);
  add("rbf", "1", 0.3);
  add("rbf", "10", 0.2);
  add("laplace", "100", 0.6);
  choose(selection);
  CHECK(edge_remark(selection).find("the best gamma, 10, is the greatest of the 3 tried") !=
        std::string::npos);
  CHECK(values_text(selection, selection.trials[0]) == "kernel=linear");
  CHECK(selection_json(selection)["trials"][0]["values"].dump() == R"({"kernel":"linear"})");
  selection.trials[0].folds = {0.1};
  choose(selection);
  CHECK(edge_remark(selection).empty());
}

TEST_CASE("files have the numbers that names round") {
  SelectionRecord selection = tried({"0.1", "0.316", "1"}, {{0.4}, {0.2}, {0.3}});
  selection.numbers["C"]["0.316"] = "0.316227766016838";
  choose(selection);
  CHECK(selection_json(selection)["chosen"]["C"] == "0.316227766016838");
  CHECK(values_text(selection, selection.trials[1]) == "C=0.316");
}

TEST_CASE("a choice at the edge that is better by less than its standard error is no trend") {
  // Means 0.2005 and 0.2, a standard error of 0.01.
  CHECK(remark({"0.1", "1", "10"}, {{0.4, 0.4}, {0.1905, 0.2105}, {0.19, 0.21}}).empty());
  CHECK_FALSE(remark({"0.1", "1", "10"}, {{0.4, 0.4}, {0.29, 0.31}, {0.19, 0.21}}).empty());
}

TEST_CASE("each parameter is looked at, in a selection and in a study's table") {
  ResultTable table{"accuracy", true, {"C", "gamma"}, {""}, {}, {}};
  for (const char* cost : {"1", "2", "3"})
    for (const char* gamma : {"0.1", "0.2", "0.4"}) {
      const double value = std::stod(cost) + std::stod(gamma);
      table.methods.push_back({std::string(cost) + gamma, {cost, gamma}, {{value, "", {}}}});
    }
  CHECK(edge_remark(table, compare(table)) ==
        "the best C, 3, is the greatest of the 3 tried; the best gamma, 0.4, is the greatest of "
        "the 3 tried: a better one may lie beyond it, so try further values");
  table.higher_is_better = false;
  CHECK(edge_remark(table, compare(table)).find("the best gamma, 0.1, is the smallest") !=
        std::string::npos);
  for (auto& method : table.methods)
    method.measurements[0].value = std::numeric_limits<double>::quiet_NaN();
  CHECK(edge_remark(table, compare(table)).empty());
}

}  // namespace
}  // namespace semblance::selection_record_test
