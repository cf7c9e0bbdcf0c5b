// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "report/over_slot.hpp"
#include "report/page/html_report.hpp"
#include "report/page/html_testing.hpp"
#include "report/page/study_sample.hpp"
#include "report/page/study_sections.hpp"
#include "report/tables/result_table_json.hpp"
#include "report/tables/table_layout.hpp"
#include "report/tables/table_text.hpp"
#include "semblance/error.hpp"
#include "support/test_folder.hpp"

namespace semblance::study_report_test {
namespace {

using testing::contains;
using testing::count;
using testing::nesting_fault;
using testing::sample_study;
using testing::without_d3;

TEST_CASE("the page of a study shows the best, the baseline and the failures") {
  const std::string page = html_study_report(sample_study(3, 4, 1, 5));
  CHECK(nesting_fault(page) == "");
  CHECK(contains(page, "Semblance study"));
  CHECK(contains(page, "Lowest error rate of test: similarity/s3 · bases = 80"));
  CHECK(contains(page, "baseline: similarity/s1 · bases = 10"));
  CHECK(contains(page, "<h2>5 of 60 variants failed</h2>"));
  CHECK(contains(page, "node &#39;svm&#39; &lt;solver/linear_svm&gt;: no memory"));
  CHECK(contains(page, "12 combinations, 5 repeats of each. 55 of 60 variants finished."));
  CHECK(contains(page, "Sharing equal work left 14 of 420 nodes."));
  CHECK(contains(page, R"(<a href="variants/similarity%2Fs3-80-solver%2Fv1-0/report.html")"));
  CHECK(count(page, "<a href=\"variants/") == 55);
  CHECK(contains(page, "Friedman&#39;s test") == false);
  CHECK(contains(page, "p &lt; 0.001"));
  CHECK(contains(page, "./semblance ablate pipelines/normalizers.yaml"));
  CHECK(contains(page, "xxh128:0123"));
}

TEST_CASE("the rows of the table are the combinations, the best first") {
  const std::string page = html_study_report(sample_study(2, 3, 1, 3));
  const std::string table = page.substr(page.find("<table class=\"results"));
  const std::string body =
      table.substr(table.find("<tbody>"), table.find("</tbody>") - table.find("<tbody>"));
  CHECK(count(body, "<tr") == 6);
  CHECK(body.find(R"(<td class="text">40</td>)") < body.find(R"(<td class="text">10</td>)"));
  CHECK(body.find(">best<") < body.find(">baseline<"));
  CHECK(body.find(">failed<") > body.find(">baseline<"));
  CHECK(count(body, ">best<") == 1);
  CHECK(contains(table, ">p t</th>"));
  CHECK(contains(table, ">p Wilcoxon</th>"));
  CHECK_FALSE(contains(table, "p McNemar"));
}

/// Two methods on three data sets with two seeds each, as from group_over_slot(). A fourth set was
/// excluded by a filter.
StudyRecord study_over_data() {
  StudyRecord study;
  study.slots = {{"data", {"iris", "glass", "wine", "seeds"}}, {"C", {"1", "10"}}};
  study.repeats = {"seed 1", "seed 2"};
  study.metric_node = "test";
  study.results.metric = "accuracy";
  study.results.unit = FigureUnit::share;
  study.results.higher_is_better = true;
  study.results.slots = {"data", "C"};
  study.results.blocks = study.repeats;
  study.results.baseline = 0;
  for (std::size_t data = 0; data < 3; ++data)
    for (std::size_t c = 0; c < 2; ++c) {
      const std::size_t alternative = data == 0 ? 0 : data + 1;
      Method method{
          "", {study.slots[0].alternatives[alternative], study.slots[1].alternatives[c]}, {}};
      for (std::size_t seed = 0; seed < 2; ++seed) {
        const auto step = static_cast<double>(data + 2 * c + seed);
        method.measurements.push_back({0.5 + 0.0625 * step, "", {}, ""});
        VariantRecord variant;
        variant.name = method.choices[0] + method.choices[1];
        variant.choices = {alternative, c};
        variant.repeat = seed;
        variant.finished = true;
        study.variants.push_back(std::move(variant));
      }
      study.results.methods.push_back(std::move(method));
    }
  group_over_slot(study, 0);
  study.comparison = compare(study.results);
  return study;
}

TEST_CASE("a method that was not measured on every block comes after those that were") {
  StudyRecord study = study_over_data();
  // 10 is better on two data sets than 1 on all three.
  study.results.methods[1].measurements[2] = {};
  study.comparison = compare(study.results);
  const std::vector<std::size_t> order = StudyMethods(study).by_quality();
  CHECK(study.comparison.standings[1].mean > study.comparison.standings[0].mean);
  CHECK(order == std::vector<std::size_t>{0, 1});
}

TEST_CASE("without repeats, no note speaks of them") {
  StudyRecord study = study_over_data();
  study.results.repeats = 1;
  CHECK_FALSE(contains(html_study_report(study), "mean over the repeats"));
}

TEST_CASE("the page of a study over data shows each data set, and calls them no repeats") {
  const std::string page = html_study_report(study_over_data());
  CHECK(nesting_fault(page) == "");
  CHECK(contains(page,
                 "2 combinations on each of the 3 choices of &#39;data&#39;, 2 repeats of "
                 "each. 12 of 12 variants finished."));
  CHECK(contains(page,
                 "Mean ± standard deviation over the 3 choices of &#39;data&#39;, on each of "
                 "which it is the mean over the repeats; more is better."));
  CHECK(contains(page, "Average ranks over the 3 choices of &#39;data&#39;, best on the left."));
  for (const char* heading : {"C", "iris", "wine", "seeds", "accuracy [%]", "rank", "difference"})
    CHECK(contains(page, std::string(">") + heading + "</th>"));
  CHECK_FALSE(contains(page, "over the repeats."));
  CHECK_FALSE(contains(page, ">repeats</th>"));
  CHECK(contains(page, R"(<td class="mean" data-v="0.53125">53.12</td>)"));
  CHECK(contains(page, R"(<td class="mean best" data-v="0.65625">65.62</td>)"));
}

TEST_CASE("every rendering of a table of results has every column") {
  StudyRecord study = study_over_data();
  study.results.methods[1].measurements[2].value = std::numeric_limits<double>::quiet_NaN();
  study.comparison = compare(study.results);
  const TableLayout layout = table_layout(study.results, study.comparison);
  const std::string page = html_study_report(study);
  const std::string text = table_plain(study.results, study.comparison, 1000);
  const std::string markdown = table_markdown(study.results, study.comparison);
  const std::string latex = table_latex(study.results, study.comparison);
  const std::string csv = "," + table_csv(study.results, study.comparison);
  const auto json = comparison_json(study.results, study.comparison);
  std::size_t shown = 0, stored = 0;
  for (const TableColumn& column : layout.columns) {
    CAPTURE(column.key);
    CAPTURE(column.heading);
    if (!column.heading.empty()) {
      ++shown;
      CHECK(contains(page, ">" + column.heading + "</th>"));
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
  CHECK(shown == 9);
  CHECK(stored == 8);
}

TEST_CASE("differences to the baseline are drawn with their intervals, where there are any") {
  StudyRecord study = sample_study(2, 2, 1, 3);
  CHECK_FALSE(contains(html_study_report(study), R"(data-chart="study-differences")"));
  study.comparison = compare(study.results);
  const std::string page = html_study_report(study);
  CHECK(nesting_fault(page) == "");
  CHECK(contains(page, R"(data-chart="study-differences")"));
  CHECK(contains(page,
                 "Mean paired differences to similarity/s1 · bases = 10; bars are 95 % "
                 "confidence intervals (t-test)"));
  CHECK(contains(page, R"("difference":null,"reach":null)"));
  study.results.baseline.reset();
  study.comparison = compare(study.results);
  CHECK_FALSE(contains(html_study_report(study), R"(data-chart="study-differences")"));
}

TEST_CASE("a caption names no baseline that is not drawn") {
  StudyRecord study = sample_study(2, 2, 1, 3);
  CHECK(contains(html_study_report(study), "Best first; the dashed line is the baseline."));
  study.results.baseline = 1;  // it failed
  CHECK_FALSE(contains(html_study_report(study), "the dashed line is the baseline."));
  study.results.baseline.reset();
  CHECK_FALSE(contains(html_study_report(study), "the dashed line is the baseline."));
}

TEST_CASE("only what a study has is drawn") {
  const std::string two = html_study_report(sample_study(2, 3, 1, 3));
  CHECK(count(two, "data-chart=\"study-heat\"") == 1);
  CHECK(count(two, "data-chart=\"study-slot\"") == 1);
  CHECK(count(two, "data-chart=\"study-ranks\"") == 1);
  CHECK(count(two, "data-chart=\"study-curves\"") == 1);
  const std::string one = html_study_report(sample_study(3, 1, 1, 1));
  CHECK(count(one, "data-chart=\"study-dots\"") == 1);
  CHECK(count(one, "data-chart=\"study-heat\"") == 0);
  CHECK(count(one, "data-chart=\"study-slot\"") == 0);
  CHECK(count(one, "data-chart=\"study-ranks\"") == 0);
  CHECK_FALSE(contains(one, R"(<span class="spread">)"));
}

TEST_CASE("a curve that variants share is there once") {
  StudyRecord study = sample_study(2, 2, 1, 1);
  for (VariantRecord& variant : study.variants)
    if (!variant.nodes.empty()) variant.nodes[0] = study.variants[0].nodes[0];
  CHECK(contains(html_study_report(study), R"("methods":[0,2,3]})"));
}

TEST_CASE("of DET curves over repeats the mean is drawn, one line a combination") {
  StudyRecord study = sample_study(2, 1, 1, 3);
  CHECK_FALSE(contains(html_study_report(study), "mean DET"));
  double y = 0.1;
  for (VariantRecord& variant : study.variants)
    for (NodeRecord& node : variant.nodes)
      if (node.name == "svm")
        node.curves = {
            {"det", "false_match_rate", "false_non_match_rate", {0.1, 0.4}, {y += 0.1, y / 2}}};
  const std::string page = html_study_report(study);
  CHECK(contains(page, "mean DET of svm"));
  for (VariantRecord& variant : study.variants)
    if (variant.repeat > 0) variant.nodes.clear();
  CHECK_FALSE(contains(html_study_report(study), "mean DET of svm"));
}

TEST_CASE("all text of a study is escaped") {
  const std::string nasty = R"(</script><script>alert("x & 'y'")</script>)";
  StudyRecord study = sample_study(2, 2, 1, 2);
  study.metric_node = study.results.metric = nasty;
  for (SlotRecord& slot : study.slots) {
    slot.name = nasty;
    for (std::string& alternative : slot.alternatives) alternative += nasty;
  }
  for (Method& method : study.results.methods) {
    method.name = nasty;
    for (std::string& choice : method.choices) choice += nasty;
  }
  for (VariantRecord& variant : study.variants) {
    variant.name += nasty;
    variant.error = variant.error.empty() ? "" : nasty;
    for (NodeRecord& node : variant.nodes) {
      node.name = nasty;
      for (Curve& curve : node.curves) curve.name = curve.x_label = curve.y_label = nasty;
    }
  }
  const std::string page = html_study_report(study);
  CHECK(nesting_fault(page) == "");
  CHECK(count(without_d3(page), "<script>") == 1);
  CHECK_FALSE(contains(page, "<script>alert"));
}

TEST_CASE("odd studies still give a page") {
  CHECK(nesting_fault(html_study_report(StudyRecord{})) == "");
  StudyRecord stopped = sample_study(2, 2, 1, 1);
  for (VariantRecord& variant : stopped.variants) {
    variant.finished = false;
    variant.error.clear();
  }
  CHECK(contains(html_study_report(stopped), "4 variants are not finished"));
  StudyRecord failed = sample_study(1, 2, 1, 1);
  failed.results.methods.erase(failed.results.methods.begin());
  failed.comparison.standings.erase(failed.comparison.standings.begin());
  failed.results.baseline.reset();
  const std::string page = html_study_report(failed);
  CHECK(nesting_fault(page) == "");
  CHECK(contains(page, "No combination has a value of error rate of test"));
}

TEST_CASE("methods without slots stand under their names") {
  StudyRecord study = sample_study(2, 2, 1, 1);
  study.slots.clear();
  study.variants.clear();
  for (Method& method : study.results.methods) method.choices.clear();
  const std::string page = html_study_report(study);
  CHECK(nesting_fault(page) == "");
  CHECK(contains(page, "Lowest error rate of test: similarity/s2-20-solver/v1"));
}

TEST_CASE("a measurement without a value is reported even if its variant finished") {
  StudyRecord study = sample_study(2, 2, 1, 2);
  study.results.methods[3].measurements[1].error = "node 'test' reports no error_rate";
  const std::string page = html_study_report(study);
  CHECK(contains(page, "<h2>3 of 8 variants failed</h2>"));
  CHECK(contains(page, "seed 2</span> node &#39;test&#39; reports no error_rate"));
}

TEST_CASE("a comparison of other results is refused") {
  StudyRecord study = sample_study(2, 2, 1, 1);
  study.comparison.standings.pop_back();
  CHECK_THROWS_WITH_AS(html_study_report(study),
                       "the comparison of the study has 3 methods, but its results have 4", Error);
}

TEST_CASE("slots of numbers are known, bare or after the same words") {
  CHECK(slot_numbers({"C", {"0.1", "1", "1e2"}}) == std::vector<double>{0.1, 1, 100});
  CHECK(slot_numbers({"C", {"C=0.1", "C=-1"}}) == std::vector<double>{0.1, -1});
  CHECK(slot_numbers({"C", {"C=0.1", "gamma=1"}}).empty());
  CHECK(slot_numbers({"C", {"1", "1.0"}}).empty());
  CHECK(slot_numbers({"C", {"1", "rbf"}}).empty());
  CHECK(slot_numbers({"C", {"1", ""}}).empty());
}

TEST_CASE("figures stand under each other") {
  StudyRecord study = sample_study(1, 2, 1, 1);
  study.results.metric = "objective";
  study.results.unit = FigureUnit::plain;
  study.comparison.standings[0].mean = 123.456;
  study.comparison.standings[1].mean = 1.5;
  const StudyMethods methods(study);
  const MetricNumbers& numbers = methods.numbers();
  CHECK(numbers.text(123.456) == "123.5");
  CHECK(numbers.text(1.5) == "1.5");
  CHECK(numbers.text(-0.01) == "0.0");
  CHECK(numbers.signed_text(2) == "+2.0");
  CHECK(p_text(0.0004) == "<0.001");
  CHECK(p_text(0.0304) == "0.030");
}

TEST_CASE("the report of a study is written under its name") {
  const testing::TestFolder folder;
  const StudyRecord study = sample_study(2, 2, 1, 1);
  write_html_study_report(study, folder.path / "report.html");
  CHECK(testing::content(folder.path / "report.html") == html_study_report(study));
}

}  // namespace
}  // namespace semblance::study_report_test
