// SPDX-License-Identifier: MIT
#include "report/page/testing/browser.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "report/drawings/reduced_sample.hpp"
#include "report/metrics.hpp"
#include "report/page/html_report.hpp"
#include "report/page/testing/study_sample.hpp"
#include "support/base64.hpp"

namespace semblance::browser_test {
namespace {

using Json = nlohmann::json;
using testing::sample_study;
using testing::verdicts_of_browser;

/// Checks what holds for every page.
void check_page(const Json& verdict, int width) {
  REQUIRE(verdict["errors"].dump() == "[]");
  CHECK(verdict["width"] == width);
  CHECK(verdict["overflow"] == 0);
  CHECK(verdict["resources"] == 0);
  CHECK(verdict["undefinedPlaces"] == 0);
  CHECK(verdict["cut"].dump() == "[]");
  CHECK(verdict["repeatedNames"] == 0);
  CHECK(verdict["loneTicks"] == 0);
  CHECK(verdict["downloads"].size() == verdict["pictures"]);
  for (const Json& download : verdict["downloads"]) {
    CAPTURE(download.dump());
    CHECK(download["valid"] == true);
    CHECK(download["dependent"] == false);
    CHECK(download["elements"] > 2);
    CHECK(download["name"].get<std::string>().ends_with(".svg"));
  }
}

/// The error rates of two normal distributions, a straight line on deviate axes.
Curve det_curve() {
  Curve curve{"det", "FMR", "FNMR", {}, {}};
  for (int i = 0; i <= 400; ++i) {
    const double threshold = -4 + 0.02 * i;
    curve.x.push_back(0.5 * std::erfc((threshold + 1.2) / std::sqrt(2)));
    curve.y.push_back(0.5 * std::erfc((1.2 - threshold) / std::sqrt(2)));
  }
  return curve;
}

Table confusion(int classes) {
  Table table{"confusion", "", "", {}, {}, {}};
  for (int i = 0; i < classes; ++i) table.rows.push_back("class " + std::to_string(i));
  table.columns = table.rows;
  for (int i = 0; i < classes; ++i)
    for (int j = 0; j < classes; ++j) table.values.push_back(i == j ? 9 : (i + j) % 3);
  return table;
}

RunRecord sample_run() {
  RunRecord run;
  run.pipeline = "verification";
  run.graph_svg = R"(<svg width="90pt" height="30pt" viewBox="0 0 90 30" )"
                  R"(xmlns="http://www.w3.org/2000/svg"><g><text x="2" y="9">a</text></g></svg>)";
  run.nodes.resize(1);
  NodeRecord& node = run.nodes[0];
  node.name = "test";
  node.component = "evaluator/verification";
  node.curves = {det_curve(),
                 {"gap", "iteration", "gap", {1, 2, 3, 4}, {1e4, 10, 1, 1e-3}},
                 {"convergence_by_step", "step", "gap", {1, 2, 3}, {0.5, 0.3, 0}},
                 {"convergence_by_step_tolerance", "step", "gap", {1, 3}, {0.1, 0.1}},
                 {"</script><b>", "x < y", "&amp;", {1, 2}, {3, 3}},
                 {"smallest", "x", "y", {0, 1}, {5e-324, 1e-323}},
                 {"single", "x", "y", {0}, {0}},
                 {"greatest", "x", "y", {0, 1}, {-1.7e308, 1.7e308}}};
  Table names{"names", "name", "", {}, {"value", "recall"}, {}};
  for (int i = 0; i < 12; ++i)
    names.rows.push_back("s" + std::to_string(i) + (i == 1 ? " baseline" : ""));
  for (int i = 0; i < 12; ++i) {
    names.values.push_back(i == 5 ? std::nan("") : std::cos(i) * 1000);
    names.values.push_back(i % 2 == 0 ? 0.5 : 0.25);
  }
  node.tables = {confusion(5), confusion(40), names};
  return run;
}

double number(const Json& cell) {
  std::string text = cell.get<std::string>();
  if (text.starts_with("−")) text = "-" + text.substr(std::string("−").size());
  std::erase(text, ',');
  return std::strtod(text.c_str(), nullptr);
}

bool is_missing(const Json& cell) {
  const std::string text = cell;
  return text.starts_with("–") || text == "failed";
}

/// Whether the numbers at the start of the cells are monotonic, with missing ones last.
bool in_order(const Json& cells, bool ascending) {
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (is_missing(cells[i])) continue;
    if (is_missing(cells[i - 1])) return false;
    const double first = number(cells[i - 1]), second = number(cells[i]);
    if (ascending ? first > second : first < second) return false;
  }
  return true;
}

void check_sorting(const Json& column, const std::string& first) {
  CAPTURE(column.dump());
  CHECK(column["marked"] == 1);
  CHECK(column["first"]["order"] == first);
  CHECK(column["second"]["order"] == (first == "ascending" ? "descending" : "ascending"));
  CHECK(in_order(column["first"]["cells"], first == "ascending"));
  CHECK(in_order(column["second"]["cells"], first != "ascending"));
}

TEST_CASE("the page of a run works in a browser") {
  if (testing::no_browser()) return;
  const std::string page = html_report(sample_run());
  const std::vector<Json> verdicts = verdicts_of_browser({{page, 1200}, {page, 360}});
  check_page(verdicts[0], 1200);
  check_page(verdicts[1], 360);
  const Json& verdict = verdicts[0];
  CHECK(verdict["charts"] == Json{{"lines", 6}, {"confusion", 1}});
  REQUIRE(verdict["downloads"].size() == 9);  // including the table of five classes and the graph
  CHECK(verdict["downloads"][0]["name"] == "test_confusion.svg");
  CHECK(verdict["downloads"][8]["name"] == "pipeline.svg");
  // The DET curve is straight on its axes, which show rates.
  CHECK(verdict["bends"][0]["points"] > 50);
  CHECK(verdict["bends"][0]["pixels"] < 0.1);
  const auto& ticks = verdict["ticks"][0];
  CHECK(std::ranges::count(ticks, Json("10%")) == 2);
  CHECK(std::ranges::count(ticks, Json("60%")) == 2);
  CHECK(verdict["ticks"][1] == Json{"0.001", "0.1", "10", "1,000", "1", "2", "3", "4"});
  // A logarithmic axis, although the values need none, down to the tolerance.
  CHECK(verdict["ticks"][2][0] == "0.1");
  CHECK(verdict["readings"][0].get<std::string>().starts_with("FMR "));
  CHECK(verdict["downloads"][2]["strokes"].size() > 0);
  check_sorting(verdict["sorted"][1], "descending");
  CHECK(verdict["sorted"][0]["first"]["cells"][10] == "s10");
  CHECK(verdict["filtered"] == Json{{"rows", 1}, {"told", "1 of 12"}, {"rowsAfter", 12}});
  // Every column was sorted twice, so the values before the recall ascend; the sixth value is
  // missing.
  std::vector<std::pair<double, std::string>> even, odd;
  for (int i = 0; i < 12; ++i)
    (i % 2 == 0 ? even : odd)
        .emplace_back(i == 5 ? 2 : std::cos(i),
                      "s" + std::to_string(i) + (i == 1 ? " baseline" : ""));
  std::ranges::sort(even);
  std::ranges::sort(odd);
  Json expected = Json::array();
  for (const auto* group : {&even, &odd})
    for (const auto& row : *group) expected.push_back(row.second);
  CHECK(verdict["sorted"][2]["first"]["order"] == "descending");
  CHECK(verdict["sorted"][2]["first"]["rows"] == expected);
}

/// Rings around the centre, alternating between `groups` groups, and samples along a spiral.
PlaneMap rings(std::size_t groups, double stretch, std::size_t points) {
  PlaneMap map;
  map.name = "after_" + std::to_string(groups);
  map.x_label = "first_value";
  map.y_label = "second_value";
  for (std::size_t g = 0; g < groups; ++g) map.groups.push_back("<ring> " + std::to_string(g));
  map.x_low = -2, map.x_high = 2;
  map.y_low = -2 * stretch, map.y_high = 2 * stretch;
  map.columns = map.rows = 90;
  const auto ring = [&](double x, double y) {
    return static_cast<std::int32_t>(3 * std::hypot(x, y)) % static_cast<std::int32_t>(groups);
  };
  for (int row = 0; row < 90; ++row)
    for (int column = 0; column < 90; ++column)
      map.regions.push_back(ring((column - 44.5) / 22.25, (row - 44.5) / 22.25));
  for (std::size_t i = 0; i < points; ++i) {
    const double turn = 0.1 * static_cast<double>(i), radius = 0.003 * static_cast<double>(i);
    const double x = radius * std::cos(turn), y = radius * std::sin(turn);
    map.points.push_back({x, y * stretch, i % 10 == 9 ? -1 : ring(x, y), i % 4 == 0});
  }
  map.marked_label = "misclassified";
  return map;
}

TEST_CASE("pictures of the plane work in a browser") {
  if (testing::no_browser()) return;
  RunRecord run;
  run.pipeline = "plane";
  run.nodes.resize(2);
  run.nodes[0].component = "evaluator/boundary";
  run.nodes[0].name = "alone";
  run.nodes[0].plane_maps = {rings(2, 1, 400)};
  run.nodes[1].component = "solver/many";
  run.nodes[1].name = "many";
  run.nodes[1].plane_maps = {rings(1, 1, 0), rings(3, 0.5, 50), rings(7, 100, 50), rings(9, 2, 50)};
  const std::string page = html_report(run);
  const std::vector<Json> verdicts = verdicts_of_browser({{page, 1200}, {page, 360}});
  check_page(verdicts[0], 1200);
  check_page(verdicts[1], 360);
  for (const Json& verdict : verdicts) {
    CHECK(verdict["charts"] == Json{{"plane", 5}});
    REQUIRE(verdict["planes"].size() == 5);
    for (const Json& plane : verdict["planes"]) {
      CAPTURE(plane["label"].dump());
      CHECK(plane["disagreements"]["torn"] == 0);
      CHECK(plane["disagreements"]["misread"] <= 3);  // of 169
      CHECK(plane["width"] <= 520);
    }
    const Json& alone = verdict["planes"][0];
    CHECK(alone["label"] == "alone after 2: 2 regions, 400 points, 100 misclassified");
    CHECK(alone["samples"] == 400);
    CHECK(alone["marked"] == 100);
    CHECK(alone["legend"] == Json{"<ring> 0", "<ring> 1", "unknown", "misclassified"});
    for (const std::size_t i : {0, 1, 2, 4})
      CHECK(verdict["planes"][i]["x"].get<double>() ==
            doctest::Approx(verdict["planes"][i]["y"].get<double>()).epsilon(0.01));
    CHECK(verdict["planes"][1]["legend"] == Json::array());
    CHECK(verdict["planes"][3]["remark"] == "The axes have different scales.");
    CHECK(verdict["planes"][2]["remark"] == "");
    CHECK(verdict["downloads"][0]["name"] == "alone_after_2.svg");
  }
  // Small multiples are side by side; on a phone one below the other.
  CHECK(verdicts[0]["planes"][1]["top"] == verdicts[0]["planes"][2]["top"]);
  CHECK(verdicts[1]["planes"][1]["top"] < verdicts[1]["planes"][2]["top"]);
}

TEST_CASE("the page of a study works in a browser") {
  if (testing::no_browser()) return;
  const StudyRecord study = sample_study(3, 4, 1, 5);
  const std::string page = html_study_report(study);
  const std::vector<Json> verdicts = verdicts_of_browser({{page, 1200}, {page, 360}});
  check_page(verdicts[0], 1200);
  check_page(verdicts[1], 360);
  for (const Json& verdict : verdicts) {
    CHECK(verdict["charts"] == Json{{"dots", 2}, {"heat", 1}, {"lines", 2}, {"ranks", 1}});
    CHECK(verdict["dots"] == 11 + 5);  // one combination of twelve failed; five effects of slots
    // Ranks 1 … 11, critical difference 2.5: any three neighbours form one group.
    CHECK(verdict["cliques"] == 9);
    CHECK(verdict["heat"]["boxes"] == 0);
    CHECK(verdict["heat"]["before"].size() == 12);
    CHECK(verdict["heat"]["before"][0] == "similarity/s1, 10: 22.99%");
    CHECK(verdict["heat"]["before"][1] == "similarity/s1, 20: –");
    CHECK(verdict["filtered"] == Json{{"rows", 1}, {"told", "1 of 12"}, {"rowsAfter", 12}});
    CHECK(verdict["sorted"][0]["first"]["order"] == "ascending");
    CHECK(verdict["sorted"][0]["first"]["cells"][11] == "similarity/s3");
    check_sorting(verdict["sorted"][1], "descending");
    check_sorting(verdict["sorted"][2], "ascending");
    // First six combinations are chosen, including the baseline; then none; then one of them.
    CHECK(verdict["curves"]["boxes"] == 12);
    CHECK(verdict["curves"]["lines"][1] == 0);
    CHECK(verdict["curves"]["lines"][2] == 5);
  }
}

TEST_CASE("a label of wide letters is not cut, and not taken for too long") {
  if (testing::no_browser()) return;
  StudyRecord study = sample_study(2, 4, 1, 2);
  const std::vector<std::string> names = {"mean_norm", "mmmmmWWWWW"};
  for (std::size_t i = 0; i < study.results.methods.size(); ++i) {
    auto& choice = study.results.methods[i].choices[0];
    choice = names[choice == "similarity/s1" ? 0 : 1];
  }
  study.slots[0].alternatives = names;
  const std::string page = html_study_report(study);
  for (const Json& verdict : verdicts_of_browser({{page, 1200}, {page, 600}})) {
    CHECK(verdict["cut"].dump() == "[]");
    CHECK(verdict["rowLabels"] == Json{"mean_norm", "mmmmmWWWWW"});
  }
}

/// A run whose nodes report what has a chart of its own, and whose C and gamma were chosen.
RunRecord run_of_all_charts() {
  RunRecord run;
  run.pipeline = "charts";
  run.selection = SelectionRecord{};
  SelectionRecord& choice = *run.selection;
  choice.metric = "test.error_rate";
  choice.unit = FigureUnit::share;
  choice.folds = 2;
  choice.parameters = {"C", "gamma"};
  for (const char* cost : {"0.1", "1", "10"})
    for (const char* width : {"0.5", "5"}) {
      const double mean = 0.1 / std::strtod(cost, nullptr) / std::strtod(width, nullptr) / 4;
      choice.trials.push_back({{cost, width}, {mean, mean + 0.002}, 0, {}, 0, 0, ""});
    }
  choose(choice);
  run.nodes.resize(1);
  NodeRecord& node = run.nodes[0];
  node.name = "test";
  node.component = "evaluator/many";
  node.figures = {{"roc.false_positive_rate", "", FigureUnit::share},
                  {"roc.true_positive_rate", "", FigureUnit::share}};
  node.metrics = {{"auc", 0.8}};
  node.curves = {{"roc", "false_positive_rate", "true_positive_rate", {0, 0.2, 1}, {0, 0.7, 1}},
                 {"test_margins_a", "margin", "share", {-1, 0, 1}, {0.25, 0.25, 0.5}},
                 {"test_margins_b", "margin", "share", {-1, 0, 1}, {0, 0, 1}}};
  HeatMap similarities{"similarities", "", "", {}, {}, {}};
  Scatter scatter{"classical_scaling", "first axis", "second axis", {"a", "<b>"}, {}};
  for (int i = 0; i < 40; ++i) {
    similarities.rows.push_back(i < 25 ? "a" : "<b>");
    scatter.points.push_back({std::cos(i), std::sin(2 * i), i < 25 ? 0 : 1, false});
    for (int j = 0; j < 40; ++j) similarities.values.push_back(std::exp(-0.1 * std::abs(i - j)));
  }
  similarities.columns = similarities.rows;
  RecordingReport report(node);
  report.draw(similarities);
  report.draw(scatter);
  report.draw(Bars{"weights", "weight", {"<b>radius", "area"}, {-0.5, 2}, {0.25, 0}, ""});
  report.draw(HeatMap{"series",
                      "class",
                      "step",
                      {"one", "two"},
                      std::vector<std::string>(120, "step"),
                      std::vector<double>(240, 0.5)});
  const std::vector<std::uint8_t> pixels(12, 100);
  report.draw(Picture{"own", from_base64(picture_text(4, 3, pixels)), ""});
  return run;
}

TEST_CASE("the charts of choices, ranking, margins and similarities work in a browser") {
  if (testing::no_browser()) return;
  const std::string page = html_report(run_of_all_charts());
  RunRecord one_parameter = run_of_all_charts();
  one_parameter.selection->parameters.pop_back();
  for (TrialRecord& trial : one_parameter.selection->trials) trial.values.pop_back();
  const std::string curve = html_report(one_parameter);
  const std::vector<Json> verdicts =
      verdicts_of_browser({{page, 1200}, {page, 360}, {curve, 1200}});
  check_page(verdicts[0], 1200);
  check_page(verdicts[1], 360);
  check_page(verdicts[2], 1200);
  for (const Json& verdict : {verdicts[0], verdicts[1]}) {
    CHECK(verdict["charts"] ==
          Json{{"bars", 1}, {"heat", 1}, {"lines", 2}, {"matrix", 2}, {"plane", 1}});
    CHECK(verdict["heat"]["before"].size() == 6);
    CHECK(verdict["chosen"] == 1);
    CHECK(verdict["references"] == 3);  // the diagonal, a margin of zero, and bars of zero
    CHECK(verdict["inside"] == Json{"AUC = 0.800"});
    CHECK(verdict["cells"] == Json{"40x40", "120x2"});
  }
  CHECK(verdicts[2]["charts"] == Json{{"bars", 1}, {"lines", 3}, {"matrix", 2}, {"plane", 1}});
  CHECK(verdicts[2]["chosen"] == 1);
}

TEST_CASE("differences to the baseline, and ranks that end at the number of methods") {
  if (testing::no_browser()) return;
  StudyRecord study = sample_study(3, 1, 1, 5);
  study.comparison = compare(study.results);
  study.comparison.critical_difference = 4.3;
  const std::string page = html_study_report(study);
  for (const Json& verdict : verdicts_of_browser({{page, 1200}, {page, 360}})) {
    REQUIRE(verdict["errors"].dump() == "[]");
    CHECK(verdict["cut"].dump() == "[]");
    CHECK(verdict["charts"]["dots"] == 2);
    CHECK(verdict["references"] == 2);  // the baseline's mean, and no difference
    CHECK(verdict["rankTicks"] == Json{"1", "2"});
  }
}

TEST_CASE("every chart and page can be read on a phone and at a desk, in light and in dark") {
  if (testing::no_browser()) return;
  RunRecord run = sample_run(), plane = run, charts = run_of_all_charts();
  plane.nodes[0] = {};
  plane.nodes[0].name = "alone";
  plane.nodes[0].plane_maps = {rings(2, 1, 400), rings(7, 100, 50)};
  run.warnings = {"svm[1]: it is slow", "svm[2]: it is slow", "it is wrong"};
  // The extreme values of that run have ticks without room.
  std::erase_if(run.nodes[0].curves, [](const Curve& curve) {
    return curve.name == "smallest" || curve.name == "greatest";
  });
  StudyRecord differences = sample_study(3, 1, 1, 5);
  differences.comparison = compare(differences.results);
  CHECK(testing::unreadable({{"run", html_report(run)},
                             {"plane", html_report(plane)},
                             {"charts", html_report(charts)},
                             {"study", html_study_report(sample_study(3, 4, 1, 5))},
                             {"differences", html_study_report(differences)}}) == "{}");
}

/// The mean of the means of the combinations with these choices in the first and third slot,
/// without the first size, which one of the pairs lacks since its combination failed.
double marginal_mean(const StudyRecord& study, std::size_t first, std::size_t third) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < study.results.methods.size(); ++i) {
    const std::vector<std::string>& choices = study.results.methods[i].choices;
    if (choices[0] != study.slots[0].alternatives[first] ||
        choices[2] != study.slots[2].alternatives[third] || choices[1] == "10" ||
        std::isnan(study.comparison.standings[i].mean))
      continue;
    sum += study.comparison.standings[i].mean;
    ++count;
  }
  return sum / count;
}

/// The same study with its second and third slot exchanged.
StudyRecord turned(StudyRecord study) {
  std::swap(study.slots[1], study.slots[2]);
  for (Method& method : study.results.methods) std::swap(method.choices[1], method.choices[2]);
  for (VariantRecord& variant : study.variants) std::swap(variant.choices[1], variant.choices[2]);
  return study;
}

TEST_CASE("the page of a large study works in a browser") {
  if (testing::no_browser()) return;
  const StudyRecord study = sample_study(5, 10, 5, 2);
  const std::string page = html_study_report(study);
  CHECK(page.size() < 3'000'000);
  const std::vector<Json> verdicts =
      verdicts_of_browser({{page, 360}, {html_study_report(turned(study)), 1200}});
  check_page(verdicts[0], 360);
  check_page(verdicts[1], 1200);
  const Json& verdict = verdicts[0];
  CHECK(verdict["dots"] == 249 + 17);  // and the effects of slots
  for (std::size_t i = 1; i < 8; ++i) CHECK(verdict["sorted"][i]["first"]["cells"].size() == 250);
  check_sorting(verdict["sorted"][3], "ascending");
  CHECK(verdict["filtered"] == Json{{"rows", 1}, {"told", "1 of 250"}, {"rowsAfter", 250}});
  CHECK(verdict["curves"]["boxes"] == 250);
  // Two boxes choose the slots; choosing the same slot in both transposes the map.
  CHECK(verdict["heat"]["boxes"] == 2);
  CHECK(verdict["heat"]["before"].size() == 50);
  CHECK(verdict["heat"]["chosen"] == Json{"1", "0"});
  CHECK(verdict["heat"]["before"][1].get<std::string>().starts_with("similarity/s1, 20: "));
  CHECK(verdict["heat"]["swapped"][1].get<std::string>().starts_with("10, similarity/s2: "));
  // With the other slot the marginal means are those over the sizes that all pairs have.
  CHECK(verdicts[1]["heat"]["remark"] ==
        "Means over the 9 choices in the other slots that all pairs have.");
  const std::string cell = verdicts[1]["heat"]["before"][7];
  CHECK(cell.starts_with("similarity/s2, solver/v3: "));
  CHECK(number(cell.substr(cell.find(": ") + 2)) ==
        doctest::Approx(100 * marginal_mean(study, 1, 2)).epsilon(0.002));
}

}  // namespace
}  // namespace semblance::browser_test
