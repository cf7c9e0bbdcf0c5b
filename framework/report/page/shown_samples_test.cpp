// SPDX-License-Identifier: MIT
// Samples and their explanations, as a browser shows them.
#include <doctest/doctest.h>

#include <algorithm>

#include "report/drawings/drawn_sample.hpp"
#include "report/drawings/explanation_json.hpp"
#include "report/metrics.hpp"
#include "report/page/html_report.hpp"
#include "report/page/testing/browser.hpp"
#include "report/page/testing/explained.hpp"
#include "report/page/testing/html_testing.hpp"

namespace semblance::shown_samples_test {
namespace {

using Json = nlohmann::ordered_json;
using testing::contains;
using testing::count;
using testing::explained_vectors;
using testing::shown;

std::string page_of(const NodeRecord& node) {
  RunRecord run;
  run.nodes = {node};
  return html_report(run);
}

std::string page_of(const ExplainedSamples& samples) {
  NodeRecord node;
  RecordingReport(node).explained_samples(samples);
  return page_of(node);
}

/// The page of a sample whose parts have these shares.
std::string page_of(const DrawnSample& sample, std::size_t height, std::size_t width,
                    std::vector<PartShare> shares) {
  Explanation explanation{.predicted = "", .explained = "a", .against = "b", .value = 1};
  explanation.method = ShareMethod::exact;
  explanation.shares = std::move(shares);
  NodeRecord node;
  node.explanations = {{{"name", "explanations"},
                        {"of", 0},
                        {"height", height},
                        {"width", width},
                        {"entries",
                         {{{"sample", sample_to_json(sample)},
                           {"number", 1},
                           {"explanation", explanation_to_json(explanation, 5)},
                           {"drawn", Json::array()}}}}}};
  return page_of(node);
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

TEST_CASE("the page has the sum, bars of columns, and the examples for and against") {
  if (testing::no_browser()) return;
  ExplainedSamples numbers = explained_vectors();
  numbers.of = ExplainedSamples::Of::numbers;
  numbers.entries[0].sample.label = "0.625";
  numbers.entries[0].predicted = "-0.5";
  Explanation& made = numbers.entries[0].explanation;
  made.predicted = made.against = "";
  made.explained = "price";
  for (ExampleTerm& term : made.examples) term.of_class = "";
  ExplainedSamples unknown = numbers, novelty = numbers;
  unknown.entries[0].sample.label = "";
  novelty.of = ExplainedSamples::Of::novelty;
  novelty.entries[0].sample.label = "c";
  novelty.entries[0].predicted = "novel";
  const std::vector<std::string> pages =
      shown({page_of(explained_vectors()), page_of(numbers), page_of(unknown), page_of(novelty)});
  for (const char* part :
       {"row 3</strong>: c taken for <strong>a &amp; b</strong>",
        "a &amp; b against c: value 0.5 = bias −0.25 +0.75 of 3 examples.",
        "examples for a &amp; b", "row 0, c", "<b>+1</b> = 0.5 × 2", "<b>−0.5</b> = 0.25 × −2",
        "1 other example: +0.25.", R"(<i class="for" style="left:50.00%;width:50.00%">)",
        R"(&lt;y&gt; <span class="value">2</span>)",
        R"(<i class="against" style="left:26.67%;width:23.33%">)", "is-wrong"})
    CHECK_MESSAGE(contains(pages[0], part), part);
  CHECK(contains(pages[1], "raises the estimate, "));
  CHECK(contains(pages[1], "row 3</strong>: 0.625 estimated as −0.5<"));
  CHECK(contains(pages[1], "price: value 0.5 = bias"));
  CHECK(contains(pages[1], "<h5>raise it</h5>"));
  CHECK_FALSE(contains(pages[1], "is-wrong"));
  CHECK(contains(pages[2], "row 3</strong>: an unknown number estimated as −0.5"));
  CHECK(contains(pages[3], "row 3</strong>: c, judged novel"));
  CHECK(contains(pages[3], "below 0 is novel"));
}

TEST_CASE("a series is a line with each step's share, whatever its length") {
  if (testing::no_browser()) return;
  const std::vector<std::size_t> sizes = {2, 40, 400};
  std::vector<std::string> pages;
  for (const std::size_t size : sizes) {
    std::vector<float> values(std::min<std::size_t>(size, 150), 1);
    values.back() = 2;
    const std::size_t parts = std::min<std::size_t>(size, 20);
    pages.push_back(
        page_of(drawn(LayoutKind::sequence, size, values), 1, 1, halving(parts, size / parts)));
  }
  const std::vector<std::string> all = shown(pages);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    CAPTURE(sizes[i]);
    CHECK(count(all[i], "<rect ") == std::min<std::size_t>(sizes[i], 20));
    CHECK(count(all[i], "<polyline class=\"through\"") == 1);
    CHECK(contains(all[i], R"(<g class="for" style="--a:1"><title>steps: +1</title>)"));
    CHECK(contains(all[i], R"(<g class="against" style="--a:0.5">)"));
    CHECK_FALSE(contains(all[i], "NaN"));
  }
}

TEST_CASE("letters of a string have the colour of their part, and cells of an image cover it") {
  if (testing::no_browser()) return;
  std::vector<PartShare> cells;
  for (const std::size_t row : {0, 2})
    for (const std::size_t column : {0, 1, 3}) {
      PartShare part{"cell", row * 5 + column, 1};
      part.share = row == 0 ? 1 : -1;
      cells.push_back(part);
    }
  const std::vector<std::string> pages =
      shown({page_of(drawn(LayoutKind::string, 5, {}, "aé<bc"), 1, 1, halving(5, 1)),
             page_of(drawn(LayoutKind::string, 6, {}, "abc"), 1, 1, halving(3, 2)),
             page_of(drawn(LayoutKind::image, 25, {}, "AAAA"), 5, 5, cells),
             page_of(drawn(LayoutKind::set, 4, {1, 2, 3, 4}), 1, 1, cells)});
  CHECK(
      contains(pages[0], R"(<span class="against" style="--a:0.5" title="steps: −0.5">é</span>)"));
  CHECK(contains(pages[0], "&lt;</span>"));
  // Only the first symbols are drawn.
  CHECK(count(pages[1], "<span class=\"for\"") + count(pages[1], "<span class=\"against\"") == 2);
  CHECK(contains(pages[1], ">c</span> …</code>"));
  CHECK(contains(pages[2], R"(viewBox="0 0 5 5")"));
  CHECK(contains(pages[2], R"(x="0" y="0" width="1" height="2")"));
  CHECK(contains(pages[2], R"(x="1" y="0" width="2" height="2")"));
  CHECK(contains(pages[2], R"(x="3" y="2" width="2" height="3")"));
  CHECK_FALSE(contains(pages[3], "coloured"));
}

TEST_CASE("samples of every layout have a drawing") {
  if (testing::no_browser()) return;
  DrawnSample table = drawn(LayoutKind::vector, 3, {1, 12345});
  table.columns = {"age", "<b>"};
  DrawnSample graph = drawn(LayoutKind::graph, 2, {0, 0, 1, 1, 1, 8}, "0-1\nN\nO");
  graph.depth = 3;
  DrawnSample points = drawn(LayoutKind::set, 2, {1, 2, 3, 4});
  points.depth = 2;
  NodeRecord node;
  DrawnSample pair = drawn(LayoutKind::pair, 2, {}, "a, b");
  pair.predicted = "other";
  for (const DrawnSample& sample :
       {table, graph, points, drawn(LayoutKind::sequence, 3, {1, 1, 1}),
        drawn(LayoutKind::string, 9, {}, "abc"), drawn(LayoutKind::image, 4, {}, "AAAA"), pair})
    node.samples.push_back(sample_to_json(sample));
  const auto near = [](const DrawnSample& sample, double similarity) {
    return Json{{"sample", sample_to_json(sample)}, {"map", "rbf"}, {"similarity", similarity}};
  };
  node.sample_lists = {{{"name", "samples"},
                        {"entries",
                         {{{"sample", sample_to_json(table)},
                           {"scores", {{{"label", "a"}, {"score", 0.25}}}},
                           {"nearest", {near(graph, 0.5), near(points, 0.25)}}}}}}};
  const std::string page = shown({page_of(node)})[0];
  for (const char* part :
       {"<dt>age</dt><dd>1</dd>", "<dt>&lt;b&gt;</dt><dd>12,345</dd>", "and 1 more values",
        "<title>N</title>", "<line ", R"(<circle class="dot s1")", R"(<circle class="dot s0")",
        R"(<polyline class="line s0")", "<code>abc …</code>", "data:image/png;base64,AAAA",
        "<code>a, b</code>", "taken for <strong>other</strong>", "scores: a 0.25",
        "most similar bases of rbf", "row 1: , 0.5"})
    CHECK_MESSAGE(contains(page, part), part);
  CHECK(count(page, "most similar bases of rbf") == 1);
}

}  // namespace
}  // namespace semblance::shown_samples_test
