// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "report/page/html_report.hpp"
#include "report/page/html_testing.hpp"
#include "report/page/report_sections.hpp"

namespace semblance::selection_chart_test {
namespace {

using testing::contains;
using testing::count;
using testing::nesting_fault;

/// Trials of all pairs, whose mean is `mean(C, gamma)`, on two folds.
SelectionRecord pairs(const std::vector<std::string>& costs, const std::vector<std::string>& widths,
                      double (*mean)(double, double)) {
  SelectionRecord choice;
  choice.metric = "test.error_rate";
  choice.unit = FigureUnit::share;
  choice.folds = 2;
  choice.parameters = {"C", "gamma"};
  for (const std::string& cost : costs)
    for (const std::string& width : widths) {
      const double value = mean(std::stod(cost), std::stod(width));
      choice.trials.push_back({{cost, width}, {value - 0.01, value + 0.01}, 0, {}, 0, 0, ""});
    }
  choose(choice);
  return choice;
}

double cost_only(double cost, double) { return 0.2 + 0.01 * cost; }
double both(double cost, double width) { return 0.01 * cost + 0.001 * width; }

TEST_CASE("one parameter of numbers is a curve with standard errors, in the order of the numbers") {
  SelectionRecord choice = pairs({"10", "1", "2"}, {"0.5"}, cost_only);
  const std::string html = selection_chart_html(choice, "selection");
  CHECK(nesting_fault(html) == "");
  CHECK(contains(html, R"(data-chart="lines")"));
  CHECK(contains(html, R"("x":[1.0,2.0,10.0],"y":[0.21,0.22,0.3],"error":[0.01,0.01,0.01])"));
  CHECK(contains(html, R"("chosen":[1.0,0.21])"));
  CHECK(contains(html, R"("y_share":true)"));
  CHECK(contains(html, "Bars are one standard error."));
  choice.trials[2].failure = "no memory";
  const std::string failed = selection_chart_html(choice, "selection");
  CHECK(contains(failed, R"("x":[1.0,10.0])"));
  CHECK(contains(failed, "1 of 3 failed."));
}

TEST_CASE("two parameters are a heat map, with the chosen pair marked") {
  SelectionRecord choice = pairs({"10", "1"}, {"0.5", "5", "50"}, both);
  choice.trials[5].failure = "no memory";
  const std::string html = selection_chart_html(choice, "selection");
  CHECK(nesting_fault(html) == "");
  CHECK(contains(html, R"(data-chart="heat")"));
  CHECK(contains(html, R"("rows":["1","10"],"columns":["0.5","5","50"])"));
  CHECK(contains(html, R"("chosen":[0,0],"values":[[0.0105,0.015,null],[0.1005,0.105,0.15]])"));
}

TEST_CASE("with more parameters a cell has the best mean over those not shown") {
  SelectionRecord choice = pairs({"1", "2"}, {"1", "2"}, both);
  choice.parameters.insert(choice.parameters.begin() + 1, "kernel");
  for (TrialRecord& trial : choice.trials) trial.values.insert(trial.values.begin() + 1, "rbf");
  const auto others = choice.trials;
  for (TrialRecord trial : others) {
    trial.values[1] = "poly";
    trial.mean += 0.5;
    choice.trials.push_back(trial);
  }
  const std::string html = selection_chart_html(choice, "selection");
  CHECK(contains(html, R"("row_label":"C","column_label":"kernel")"));
  CHECK(contains(html, R"("values":[[0.011,0.511],[0.021,0.521]])"));
  CHECK(contains(html, "The best mean of each pair over the values of the other parameters"));
}

TEST_CASE("where there is nothing to compare there is no picture") {
  CHECK(selection_chart_html(pairs({"1"}, {"1"}, both), "selection") == "");
  SelectionRecord words = pairs({"1", "2"}, {"1"}, both);
  words.trials[0].values[0] = "a";
  CHECK(selection_chart_html(words, "selection") == "");
}

TEST_CASE("the page has the picture, and the table closed and without bars") {
  RunRecord run;
  run.selection = pairs({"1", "10"}, {"1", "10"}, both);
  run.selection->trials.front().folds = {0.01, 0.012};
  const std::string page = html_report(run);
  CHECK(nesting_fault(page) == "");
  CHECK(contains(page, "<details><summary>All 4 combinations as a table</summary>"));
  CHECK(count(page.substr(page.find("All 4 combinations")), R"(<span class="bar">)") == 0);
}

}  // namespace
}  // namespace semblance::selection_chart_test
