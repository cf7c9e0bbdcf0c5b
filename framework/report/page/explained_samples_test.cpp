// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "report/metrics.hpp"
#include "report/page/report_sections.hpp"
#include "semblance/error.hpp"

namespace explained_samples_test {

using namespace semblance;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Explanation sum_of_three() {
  Explanation made{.predicted = "a & b", .explained = "a & b", .against = "c", .value = 0.5};
  made.bias = -0.25;
  made.examples = {{"map", 4, 0, "c", 0.5, 2, 1},
                   {"map", 7, 1, "a & b", 0.25, -2, -0.5},
                   {"map", 8, 0, "c", 0.5, 0.5, 0.25}};
  made.method = ShareMethod::exact;
  made.background = 50;
  made.expected = 0.1;
  made.shares = {{"x", 0, 1, 0.5, 0.75}, {"<y>", 1, 1, 2.0, -0.35}};
  return made;
}

ExplainedSamples vectors() {
  ExplainedSamples samples{"explanations", Layout::vector(2), {"x", "<y>"}, 1, {}};
  samples.entries.push_back({{"row 3", "c", {0.5F, 2}},
                             3,
                             "a & b",
                             sum_of_three(),
                             {{"row 0", "c", {1, 2}}, {"row 1", "a & b", {1, 2}}}});
  return samples;
}

NodeRecord recorded(const ExplainedSamples& samples) {
  NodeRecord node;
  RecordingReport(node).explained_samples(samples);
  return node;
}

/// Shares of parts of two steps each, +1, -0.5, +0.25, ...
std::vector<PartShare> halving(std::size_t parts, std::size_t size) {
  std::vector<PartShare> shares;
  double share = 1;
  for (std::size_t p = 0; p < parts; ++p, share *= -0.5) {
    PartShare part{"steps", p * size, size};
    part.share = share;
    shares.push_back(part);
  }
  return shares;
}

DrawnSample drawn(LayoutKind kind, std::size_t size, std::vector<float> values,
                  std::string text = "") {
  DrawnSample sample;
  sample.name = "row 1";
  sample.kind = kind;
  sample.size = size;
  sample.values = std::move(values);
  sample.text = std::move(text);
  return sample;
}

}  // namespace

TEST_CASE("metrics.json has what explain prints, with the sums of what is not listed") {
  const NodeRecord node = recorded(vectors());
  const auto json = explanations_json(node.explanations.front());
  REQUIRE(json.size() == 1);
  const auto& made = json[0];
  CHECK(made["row"] == 3);
  CHECK_FALSE(made.contains("name"));
  CHECK(made["true_class"] == "c");
  CHECK(made["assigned_class"] == "a & b");
  CHECK(made["value"] == 0.5);
  CHECK(made["examples"].size() == 2);
  CHECK(made["examples"][0]["contribution"] == 1);
  CHECK(made["examples"][1]["contribution"] == -0.5);
  CHECK(made["other_examples"]["count"] == 1);
  CHECK(made["other_examples"]["contribution"] == 0.25);
  CHECK(made["shares"]["of"][1]["share"] == -0.35);
  RunRecord run;
  run.nodes = {node};
  CHECK(nodes_json(run)[""]["explanations"] == json);
}

TEST_CASE("the artifact store gives explanations back as they were") {
  const NodeRecord node = recorded(vectors());
  NodeRecord restored;
  report_from_json(nlohmann::ordered_json::parse(report_to_json(node).dump()), restored);
  REQUIRE(restored.explanations.size() == 1);
  const auto &was = node.explanations[0], &is = restored.explanations[0];
  CHECK(explanations_to_json(is) == explanations_to_json(was));
  CHECK(explained_samples_html(is) == explained_samples_html(was));
}

TEST_CASE("of many columns those with the largest shares are recorded, and the others' sum") {
  ExplainedSamples samples = vectors();
  samples.columns.clear();
  samples.layout = Layout::vector(1500);
  ExplainedSamples::Entry& entry = samples.entries[0];
  entry.sample.values.assign(1500, 1);
  entry.examples.clear();
  entry.explanation.shares.clear();
  for (std::size_t k = 0; k < 1500; ++k) {
    PartShare share{"column " + std::to_string(k), k, 1};
    share.share = k % 3 == 0 ? 0.25 : 1;
    entry.explanation.shares.push_back(share);
  }
  const auto made = explanations_json(recorded(samples).explanations[0])[0]["shares"];
  REQUIRE(made["of"].size() == 1000);
  CHECK(made["of"][0]["name"] == "column 1");
  CHECK(made["of"][2]["name"] == "column 4");
  CHECK(made["others"]["count"] == 500);
  CHECK(made["others"]["share"] == 125);
}

TEST_CASE("the page has the sum, bars of columns, and the examples for and against") {
  const std::string page = explained_samples_html(recorded(vectors()).explanations[0]);
  CHECK(has(page, "row 3</strong>: c taken for <strong>a &amp; b</strong>"));
  CHECK(has(page, "a &amp; b against c: value 0.5 = bias −0.25 +0.75 of 3 examples."));
  CHECK(has(page, "examples for a &amp; b"));
  CHECK(has(page, "row 0, c"));
  CHECK(has(page, "<b>+1</b> = 0.5 × 2"));
  CHECK(has(page, "<b>−0.5</b> = 0.25 × −2"));
  CHECK(has(page, "1 other example: +0.25."));
  CHECK(has(page, R"(<i class="for" style="left:50.00%;width:50.00%">)"));
  CHECK(has(page, R"(&lt;y&gt; <span class="value">2</span>)"));
  CHECK(has(page, R"(<i class="against" style="left:26.67%;width:23.33%">)"));
  CHECK(explained_samples_html({}).empty());
}

TEST_CASE("of an estimate the page says what raises and lowers it, and metrics.json has numbers") {
  ExplainedSamples samples = vectors();
  samples.of = ExplainedSamples::Of::numbers;
  samples.entries[0].sample.label = "0.625";
  samples.entries[0].predicted = "-0.5";
  Explanation& made = samples.entries[0].explanation;
  made.predicted = made.against = "";
  made.explained = "price";
  for (ExampleTerm& term : made.examples) term.of_class = "";
  const DrawnExplanations list = recorded(samples).explanations[0];
  const auto json = explanations_json(list)[0];
  CHECK(json["true_number"] == 0.625);
  CHECK(json["estimate"] == -0.5);
  const std::string page = explained_samples_html(list);
  CHECK(has(page, "raises the estimate, "));
  CHECK(has(page, "row 3</strong>: 0.625 estimated as −0.5<"));
  CHECK(has(page, "price: value 0.5 = bias"));
  CHECK(has(page, "<h5>raise it</h5>"));
  CHECK_FALSE(has(page, "is-wrong"));
  CHECK(explanations_from_json(explanations_to_json(list)).of == ExplainedSamples::Of::numbers);
  samples.entries[0].sample.label = "";
  CHECK(has(explained_samples_html(recorded(samples).explanations[0]),
            "row 3</strong>: an unknown number estimated as −0.5"));
}

TEST_CASE("of a novelty detector the page says what a score means") {
  ExplainedSamples samples = vectors();
  samples.of = ExplainedSamples::Of::novelty;
  samples.entries[0].predicted = "novel";
  Explanation& made = samples.entries[0].explanation;
  made.predicted = made.against = "";
  made.explained = "score";
  const DrawnExplanations list = recorded(samples).explanations[0];
  CHECK(explanations_json(list)[0]["judged"] == "novel");
  CHECK(explanations_json(list)[0]["true_class"] == "c");
  CHECK(has(explained_samples_html(list), "row 3</strong>: c, judged novel"));
  CHECK(has(explained_samples_html(list), "below 0 is novel"));
}

TEST_CASE("a series is a line with each step's share, whatever its length") {
  for (const std::size_t size : {2, 40, 400}) {
    CAPTURE(size);
    std::vector<float> values(std::min<std::size_t>(size, 150), 1);
    values.back() = 2;
    const std::size_t parts = std::min<std::size_t>(size, 20);
    const std::string page = coloured_sample_html(drawn(LayoutKind::sequence, size, values), 1, 1,
                                                  halving(parts, size / parts));
    CHECK(count_of(page, "<rect ") == parts);
    CHECK(count_of(page, "<polyline class=\"through\"") == 1);
    CHECK(has(page, R"(<g class="for" style="--a:1"><title>steps: +1</title>)"));
    CHECK(has(page, R"(<g class="against" style="--a:0.5">)"));
    CHECK_FALSE(has(page, "nan"));
  }
}

TEST_CASE("letters of a string have the colour of their part, also those of several bytes") {
  const std::string page =
      coloured_sample_html(drawn(LayoutKind::string, 5, {}, "aé<bc"), 1, 1, halving(5, 1));
  CHECK(has(page, R"(<span class="against" style="--a:0.5" title="steps: −0.5">é</span>)"));
  CHECK(has(page, "&lt;</span>"));
  // Only the first symbols are drawn.
  const std::string cut =
      coloured_sample_html(drawn(LayoutKind::string, 6, {}, "abc"), 1, 1, halving(3, 2));
  CHECK(count_of(cut, "<span ") == 2);
  CHECK(has(cut, ">c</span> …</code>"));
}

TEST_CASE("cells of an image cover it, of which the last ones may be larger") {
  std::vector<PartShare> shares;
  for (const std::size_t row : {0, 2})
    for (const std::size_t column : {0, 1, 3}) {
      PartShare part{"cell", row * 5 + column, 1};
      part.share = row == 0 ? 1 : -1;
      shares.push_back(part);
    }
  const std::string page =
      coloured_sample_html(drawn(LayoutKind::image, 25, {}, "AAAA"), 5, 5, shares);
  CHECK(has(page, R"(viewBox="0 0 5 5")"));
  CHECK(has(page, R"(x="0" y="0" width="1" height="2")"));
  CHECK(has(page, R"(x="1" y="0" width="2" height="2")"));
  CHECK(has(page, R"(x="3" y="2" width="2" height="3")"));
  CHECK(coloured_sample_html(drawn(LayoutKind::set, 4, {1, 2, 3, 4}), 1, 1, shares).empty());
}

TEST_CASE("explained samples with too few training samples, or under a used name, are refused") {
  ExplainedSamples samples = vectors();
  samples.entries[0].examples.pop_back();
  NodeRecord node;
  RecordingReport report(node);
  CHECK_THROWS_WITH_AS(report.explained_samples(samples),
                       "the explanation of 'row 3' has 1 training samples for 2 examples", Error);
  report.explained_samples(vectors());
  CHECK_THROWS_WITH_AS(report.explained_samples(vectors()), "'explanations' is reported twice",
                       Error);
}

}  // namespace explained_samples_test
