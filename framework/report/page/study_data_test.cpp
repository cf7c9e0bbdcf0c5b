// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "report/over_slot.hpp"
#include "report/page/html_report.hpp"
#include "report/page/page_data.hpp"
#include "report/page/study_methods.hpp"
#include "report/page/testing/html_testing.hpp"
#include "report/page/testing/study_sample.hpp"
#include "report/tables/result_table_json.hpp"
#include "report/tables/table_layout.hpp"
#include "report/tables/table_text.hpp"
#include "semblance/error.hpp"

namespace semblance::study_data_test {
namespace {

using testing::contains;
using testing::data_of;
using testing::sample_study;
using testing::study_over_data;
using Json = nlohmann::ordered_json;

Json shown_study(const StudyRecord& study) { return data_of(html_study_report(study))["study"]; }

TEST_CASE("a method that was not measured on every block comes after those that were") {
  StudyRecord study = study_over_data();
  // 10 is better on two data sets than 1 on all three.
  study.results.methods[1].measurements[2] = {};
  study.comparison = compare(study.results);
  CHECK(study.comparison.standings[1].mean > study.comparison.standings[0].mean);
  CHECK(StudyMethods(study).by_quality() == std::vector<std::size_t>{0, 1});
  CHECK(shown_study(study)["methods"][1]["place"] == 1);
}

TEST_CASE("every rendering of a table of results has every column") {
  StudyRecord study = study_over_data();
  study.results.methods[1].measurements[2].value = std::numeric_limits<double>::quiet_NaN();
  study.comparison = compare(study.results);
  const TableLayout layout = table_layout(study.results, study.comparison);
  const std::string page = shown_study(study)["table"]["columns"].dump();
  const std::string text = table_plain(study.results, study.comparison, 1000);
  const std::string markdown = table_markdown(study.results, study.comparison);
  const std::string latex = table_latex(study.results, study.comparison);
  const std::string csv = "," + table_csv(study.results, study.comparison);
  const auto json = comparison_json(study.results, study.comparison);
  std::size_t headed = 0, stored = 0;
  for (const TableColumn& column : layout.columns) {
    CAPTURE(column.key);
    CAPTURE(column.heading);
    if (!column.heading.empty()) {
      ++headed;
      CHECK(contains(page, R"("heading":")" + column.heading + '"'));
      CHECK(contains(text, column.heading));
      // Without the unit, whose characters are escaped.
      const std::string name = column.heading.substr(0, column.heading.find(" ["));
      CHECK(contains(markdown, "| " + name + " "));
      CHECK(contains(latex, name + " "));
    }
    if (!column.key.empty()) CHECK(contains(csv, "," + column.key));
    if (column.compared) {
      ++stored;
      CHECK(json["methods"][0].contains(column.key));
    }
  }
  CHECK(headed == 9);
  CHECK(stored == 8);
}

TEST_CASE("a curve that variants share is there once") {
  StudyRecord study = sample_study(2, 2, 1, 1);
  for (VariantRecord& variant : study.variants)
    if (!variant.nodes.empty()) variant.nodes[0] = study.variants[0].nodes[0];
  const Json curves = shown_study(study)["curves"];
  REQUIRE(curves.size() == 1);
  REQUIRE(curves[0]["lines"].size() == 1);
  CHECK(curves[0]["lines"][0]["methods"].dump() == "[0,2,3]");
}

TEST_CASE("of DET curves over repeats the mean is there, one line a combination") {
  StudyRecord study = sample_study(2, 1, 1, 3);
  double y = 0.1;
  for (VariantRecord& variant : study.variants)
    for (NodeRecord& node : variant.nodes)
      if (node.name == "svm")
        node.curves = {
            {"det", "false_match_rate", "false_non_match_rate", {0.1, 0.4}, {y += 0.1, y / 2}}};
  Json curves = shown_study(study)["curves"];
  REQUIRE(curves.size() == 2);
  CHECK(curves[0]["mean"] == true);
  CHECK(curves[0]["lines"].size() == 1);
  CHECK(curves[1]["lines"].size() == 3);
  for (VariantRecord& variant : study.variants)
    if (variant.repeat > 0) variant.nodes.clear();
  curves = shown_study(study)["curves"];
  CHECK(curves.size() == 1);
}

TEST_CASE("variants belong to their methods, by repeat") {
  const Json study = shown_study(sample_study(2, 2, 1, 2));
  REQUIRE(study["variants"].size() == 8);
  CHECK(study["variants"][3]["method"] == 1);
  CHECK(study["variants"][3]["repeat"] == 1);
  CHECK(study["methods"][1]["errors"].size() == 2);
}

TEST_CASE("a comparison of other results is refused") {
  StudyRecord study = sample_study(2, 2, 1, 1);
  study.comparison.standings.pop_back();
  CHECK_THROWS_WITH_AS(html_study_report(study),
                       "the comparison of the study has 3 methods, but its results have 4", Error);
}

TEST_CASE("figures stand under each other") {
  StudyRecord study = sample_study(1, 2, 1, 1);
  study.results.metric = "objective";
  study.results.unit = FigureUnit::plain;
  study.comparison.standings[0].mean = 123.456;
  study.comparison.standings[1].mean = 1.5;
  const MetricNumbers numbers(study.results, study.comparison);
  CHECK(numbers.text(123.456) == "123.5");
  CHECK(numbers.text(1.5) == "1.5");
  CHECK(numbers.text(-0.01) == "0.0");
  CHECK(numbers.signed_text(2) == "+2.0");
  CHECK(p_text(0.0004) == "<0.001");
  CHECK(p_text(0.0304) == "0.030");
}

}  // namespace
}  // namespace semblance::study_data_test
