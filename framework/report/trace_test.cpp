// SPDX-License-Identifier: MIT
#include "report/trace.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "support/test_folder.hpp"

namespace semblance::trace_test {
namespace {

using Json = nlohmann::json;

std::vector<Json> spans(const Json& trace) {
  std::vector<Json> found;
  for (const Json& event : trace.at("traceEvents"))
    if (event.at("ph") == "X") found.push_back(event);
  return found;
}

TEST_CASE("a span has node, phase, first row, thread, start and duration") {
  Trace trace("a \"pipeline\"");
  trace.name_thread("main <1>");
  const Trace::Label label = trace.label("hog\"8", "apply");
  const auto start = Trace::Clock::now();
  trace.record(label, 512, start, start + std::chrono::microseconds(1500));
  { const Span span(&trace, trace.label("svm", "fit")); }

  const Json json = Json::parse(trace.json());
  const std::vector<Json> found = spans(json);
  REQUIRE(found.size() == 2);
  CHECK(found[0].at("name") == "hog\"8: apply");
  CHECK(found[0].at("cat") == "apply");
  CHECK(found[0].at("args").at("first_row") == 512);
  CHECK(found[0].at("dur") == doctest::Approx(1500));
  CHECK(found[0].at("ts") >= 0);
  CHECK(found[0].at("tid") == found[1].at("tid"));
  CHECK_FALSE(found[1].contains("args"));
  CHECK(json.at("traceEvents").at(0).at("args").at("name") == "a \"pipeline\"");
  CHECK(json.at("traceEvents").at(1).at("args").at("name") == "main <1>");
  CHECK(json.at("otherData").at("dropped_spans") == 0);
}

TEST_CASE("a label is the same one at every call") {
  Trace trace("p");
  CHECK(trace.label("a", "fit") == trace.label("a", "fit"));
  CHECK(trace.label("a", "fit") != trace.label("a", "apply"));
}

TEST_CASE("a span without a trace does nothing, and an empty trace is valid") {
  { const Span span(nullptr, 0); }
  const Trace trace("p");
  CHECK(spans(Json::parse(trace.json())).empty());
}

TEST_CASE("the innermost open span is what a thread works on") {
  Trace trace("p");
  trace.name_thread("main");
  CHECK(trace.work().empty());
  const Span outer(&trace, trace.label("svm", "training"));
  {
    Span inner(&trace, trace.label("rbf", "rows"));
    REQUIRE(trace.work().size() == 1);
    CHECK(trace.work()[0].thread == "main");
    CHECK(trace.work()[0].node == "rbf");
    CHECK(trace.work()[0].phase == "rows");
    CHECK(trace.work()[0].seconds >= 0);
    CHECK(inner.end() >= Trace::Clock::duration(0));
    CHECK(trace.work()[0].node == "svm");
  }
  CHECK(trace.work()[0].node == "svm");
  CHECK(spans(Json::parse(trace.json())).size() == 1);
}

TEST_CASE("threads record side by side, also while the trace is read") {
  Trace trace("p");
  const Trace::Label label = trace.label("node", "apply");
  constexpr std::size_t threads = 4, each = 2000;
  {
    std::vector<std::jthread> workers;
    for (std::size_t t = 0; t < threads; ++t)
      workers.emplace_back([&, t] {
        trace.name_thread("worker " + std::to_string(t));
        for (std::size_t i = 0; i < each; ++i) const Span span(&trace, label, t * each + i);
      });
    CHECK_NOTHROW(Json::parse(trace.json()));
  }
  std::map<std::size_t, std::size_t> rows;
  for (const Json& span : spans(Json::parse(trace.json())))
    ++rows[span.at("args").at("first_row").get<std::size_t>()];
  CHECK(rows.size() == threads * each);
}

TEST_CASE("a thread may record into two traces by turns") {
  Trace first("a"), second("b");
  const Trace::Label label = first.label("n", "p");
  REQUIRE(second.label("n", "p") == label);
  for (int i = 0; i < 3; ++i) {
    const Span into_first(&first, label);
    const Span into_second(&second, label);
  }
  CHECK(spans(Json::parse(first.json())).size() == 3);
  CHECK(spans(Json::parse(second.json())).size() == 3);
}

TEST_CASE("spans above the limit are counted, not stored") {
  Trace trace("p", 2);
  for (int i = 0; i < 5; ++i) const Span span(&trace, trace.label("n", "p"));
  const testing::TestFolder folder;
  trace.write(folder.path / "trace.json");
  const Json json = Json::parse(testing::content(folder.path / "trace.json"));
  CHECK(spans(json).size() == 2);
  CHECK(json.at("otherData").at("dropped_spans") == 3);
}

}  // namespace
}  // namespace semblance::trace_test
