// SPDX-License-Identifier: MIT
#include "pipeline/specification/former_names.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "pipeline/resolved.hpp"
#include "registry/plugin_library.hpp"
#include "schema/schema.hpp"
#include "semblance/declaration.hpp"
#include "semblance/similarity.hpp"
#include "study/selection.hpp"
#include "study/study.hpp"
#include "support/former_names.hpp"
#include "test_components.hpp"

namespace semblance::testing::former_names_test {
namespace {

struct Renewed final : Similarity {
  static Declaration<Renewed> declare() {
    return Declaration<Renewed>("similarity/renewed", "With names that went")
        .parameter("width", &Renewed::width, "width", above(0))
        .parameter("edges", &Renewed::edges, "what lies outside", choices({"zero", "repeat"}))
        .parameter("noise", &Renewed::noise, "no longer useful")
        .deprecated({.written = "sigma", .since = "1.1", .instead = "width"})
        .deprecated({.written = "edges: wrap", .since = "1.2", .instead = "edges: repeat"})
        .deprecated({.written = "noise", .since = "1.1", .advice = "remove it: it has no effect"})
        .deprecated({.written = "similarity/old", .since = "1.1"})
        .deprecated({.written = "similarity/padded", .since = "1.1", .instead = "edges: zero"})
        .gone({.written = "scale", .since = "1.0", .instead = "width"})
        .gone({.written = "edges: none", .since = "1.0", .instead = "edges: zero"})
        .gone({.written = "mode", .since = "1.0", .advice = "remove it", .usual = "fast"})
        .gone({.written = "similarity/older", .since = "1.0"})
        .gone({.written = "similarity/oldest", .since = "1.0", .advice = "it had no use"});
  }
  void set_bases(MatrixView, std::span<const std::int64_t>, Context&) override {}
  std::size_t bases() const noexcept override { return 0; }
  double operations() const noexcept override { return 0; }
  void apply(MatrixView, MutableMatrixView, Context&) const override {}
  void prepare(const Layout&) override {}
  double width = 1;
  std::string edges = "zero";
  double noise = 0;
};

const Catalogue& catalogue() {
  static const Catalogue all = [] {
    Catalogue made = test_catalogue();
    const ComponentEntry entry = Renewed::declare().entry();
    made.add({entry.info, std::make_shared<PluginOrigin>()},
             [entry](const ComponentConfig& config, const Catalogue& parts) {
               return create_component(entry, config, parts);
             });
    return made;
  }();
  return all;
}

CheckOptions without_files() {
  CheckOptions options;
  options.check_files = false;
  return options;
}

/// good_text with this similarity.
std::string with(const std::string& similarity) {
  return changed("rbf: {is: similarity/rbf, gamma: 0.5, ", "rbf: {" + similarity + ", ");
}

PipelineCheck checked(const std::string& text, std::vector<std::string> overrides = {},
                      bool of_model = false) {
  CheckOptions options = without_files();
  options.overrides = std::move(overrides);
  options.of_model = of_model;
  return check_pipeline(text, "p.yaml", catalogue(), options);
}

/// The similarity as it is read; what is said about it must be this.
std::string read(const PipelineCheck& result, const std::string& rendered) {
  CHECK(render(result.diagnostics) == rendered);
  REQUIRE(result.pipeline);
  for (const PipelineNode& node : result.pipeline->nodes)
    if (node.name == "rbf") return canonical_json(node.component, catalogue()).dump();
  return "";
}

const std::string usual = R"({"edges":"zero","is":"similarity/renewed","noise":0.0,"width":1.0})";
const std::string wide = R"({"edges":"zero","is":"similarity/renewed","noise":0.0,"width":2.0})";

const std::string of_sigma =
    R"(p.yaml:9:33: warning: 'sigma' of similarity/renewed is deprecated since 1.1
    9 |   rbf: {is: similarity/renewed, sigma: 2, from: x, bases: bases}
      |                                 ^~~~~
      = write width
)";

TEST_CASE("a deprecated name works, with a warning where it is written") {
  CHECK(read(checked(with("is: similarity/renewed, sigma: 2")), of_sigma) == wide);
  CHECK(read(checked(with("is: similarity/renewed, edges: wrap")),
             R"(p.yaml:9:40: warning: 'edges: wrap' of similarity/renewed is deprecated since 1.2
    9 |   rbf: {is: similarity/renewed, edges: wrap, from: x, bases: bases}
      |                                        ^~~~
      = write edges: repeat
)")
            .starts_with(R"({"edges":"repeat")"));
  CHECK(read(checked(with("is: similarity/old, width: 2")),
             R"(p.yaml:9:13: warning: 'similarity/old' is deprecated since 1.1
    9 |   rbf: {is: similarity/old, width: 2, from: x, bases: bases}
      |             ^~~~~~~~~~~~~~
      = write is: similarity/renewed
)") == wide);
  CHECK(read(checked(with("is: similarity/padded")),
             R"(p.yaml:9:13: warning: 'similarity/padded' is deprecated since 1.1
    9 |   rbf: {is: similarity/padded, from: x, bases: bases}
      |             ^~~~~~~~~~~~~~~~~
      = write is: similarity/renewed, edges: zero
)") == usual);
  CHECK(read(checked(with("is: similarity/renewed, noise: 0")),
             R"(p.yaml:9:33: warning: 'noise' of similarity/renewed is deprecated since 1.1
    9 |   rbf: {is: similarity/renewed, noise: 0, from: x, bases: bases}
      |                                 ^~~~~
      = remove it: it has no effect
)") == usual);
}

TEST_CASE("a name that is gone is one error with the same words") {
  const auto refused = [](const std::string& similarity, const std::string& rendered) {
    const PipelineCheck result = checked(with(similarity));
    CHECK_FALSE(result.pipeline);
    CHECK(render(result.diagnostics) == rendered);
  };
  refused("is: similarity/renewed, scale: 2",
          R"(p.yaml:9:33: error: 'scale' of similarity/renewed is gone
    9 |   rbf: {is: similarity/renewed, scale: 2, from: x, bases: bases}
      |                                 ^~~~~
      = write width
)");
  refused("is: similarity/renewed, mode: fast",
          R"(p.yaml:9:33: error: 'mode' of similarity/renewed is gone
    9 |   rbf: {is: similarity/renewed, mode: fast, from: x, bases: bases}
      |                                 ^~~~
      = remove it
)");
  refused("is: similarity/renewed, edges: none",
          R"(p.yaml:9:40: error: 'edges: none' of similarity/renewed is gone
    9 |   rbf: {is: similarity/renewed, edges: none, from: x, bases: bases}
      |                                        ^~~~
      = write edges: zero
)");
  refused("is: similarity/older",
          R"(p.yaml:9:13: error: 'similarity/older' is gone
    9 |   rbf: {is: similarity/older, from: x, bases: bases}
      |             ^~~~~~~~~~~~~~~~
      = write is: similarity/renewed
)");
  refused("is: similarity/oldest",
          R"(p.yaml:9:13: error: 'similarity/oldest' is gone
    9 |   rbf: {is: similarity/oldest, from: x, bases: bases}
      |             ^~~~~~~~~~~~~~~~~
      = it had no use
)");
}

TEST_CASE("a former name beside the current one is an error") {
  const PipelineCheck result = checked(with("is: similarity/renewed, width: 1, sigma: 2"));
  CHECK_FALSE(result.pipeline);
  CHECK(render(result.diagnostics)
            .find("error: 'sigma' is a former name of 'width', which is "
                  "given too") != std::string::npos);
}

TEST_CASE("overrides may have former names, and change what has one in the file") {
  const std::string now = with("is: similarity/renewed, width: 3");
  const std::string of_set =
      R"(--set: warning: 'sigma' of similarity/renewed is deprecated since 1.1
      | nodes.rbf.sigma=2
      |           ^~~~~
      = write width
)";
  CHECK(read(checked(now, {"nodes.rbf.sigma=2"}), of_set) == wide);
  CHECK(read(checked(with("is: similarity/renewed, sigma: 2"), {"nodes.rbf.width=2"}), of_sigma) ==
        wide);
  CHECK(
      read(
          checked(good_text, {"nodes.rbf.is=similarity/old", "nodes.rbf.width=2"}),
          R"(p.yaml:9:29: warning: 'gamma' is dropped: similarity/renewed, which --set puts here, has no such key
    9 |   rbf: {is: similarity/rbf, gamma: 0.5, from: x, bases: bases}
      |                             ^~~~~
--set: warning: 'similarity/old' is deprecated since 1.1
      | nodes.rbf.is=similarity/old
      |              ^~~~~~~~~~~~~~
      = write is: similarity/renewed
)") == wide);
}

TEST_CASE("a study warns once of a name that all variants have") {
  const std::string text = with("is: similarity/renewed, sigma: 2, noise: 0") + R"(study:
  metric: test.error_rate
  slots:
    width: {path: nodes.rbf.sigma, values: [1, 2]}
    C: {path: nodes.svm.C, values: [1, 10]}
  repeats: {seeds: 3}
)";
  const StudyCheck result = check_study(text, "s.yaml", catalogue(), without_files());
  REQUIRE_MESSAGE(result.study, render(result.diagnostics));
  CHECK(result.study->variants.size() == 12);
  std::string said;
  for (const Diagnostic& d : result.diagnostics)
    said += std::to_string(d.position.line) + ":" + std::to_string(d.position.column) + " " +
            d.message + "\n";
  CHECK(said == R"(9:33 'sigma' of similarity/renewed is deprecated since 1.1
9:43 'noise' of similarity/renewed is deprecated since 1.1
15:29 'sigma' of similarity/renewed is deprecated since 1.1
)");
}

TEST_CASE("a selection warns once, too") {
  const std::string text = with("is: similarity/renewed, noise: 0") + R"(select:
  metric: test.error_rate
  parameters: {C: {path: nodes.svm.C, values: [1, 10]}}
)";
  const PipelineCheck result = checked(text);
  REQUIRE(result.pipeline);
  CHECK(result.diagnostics.size() == 1);
}

TEST_CASE("a model is read without a word, whether a name is deprecated or gone") {
  CHECK(read(checked(with("is: similarity/old, sigma: 2"), {}, true), "") == wide);
  CHECK(read(checked(with("is: similarity/older, scale: 2, mode: fast, edges: none"), {}, true),
             "") == wide);
  const PipelineCheck other = checked(with("is: similarity/renewed, mode: exact"), {}, true);
  CHECK_FALSE(other.pipeline);
  CHECK(render(other.diagnostics).find("error: 'mode' of similarity/renewed is gone") !=
        std::string::npos);
  CHECK_FALSE(checked(with("is: similarity/oldest"), {}, true).pipeline);
}

TEST_CASE("a recorded component is that of now, with the defaults of later parameters") {
  const auto now = [](const char* recorded) {
    return current_json(nlohmann::json::parse(recorded), catalogue()).dump();
  };
  CHECK(now(R"({"is": "similarity/older", "scale": 2.0, "mode": "fast"})") == wide);
  CHECK(now(usual.c_str()) == usual);
  CHECK(now(R"({"is": "solver/kernel_svm", "C": 2.0, "kernel": {"is": "similarity/old"}})") ==
        R"({"C":2.0,"is":"solver/kernel_svm","kernel":)" + usual + "}");
  CHECK(now(R"({"is": "similarity/unknown", "a": 1})") == R"({"a":1,"is":"similarity/unknown"})");
}

/// Names of the program itself, as long as it lives.
struct ProgramNames {
  explicit ProgramNames(const std::vector<FormerName>& more) : before(program_names()) {
    program_names().insert(program_names().end(), more.begin(), more.end());
  }
  ~ProgramNames() { program_names() = before; }
  ProgramNames(const ProgramNames&) = delete;
  ProgramNames& operator=(const ProgramNames&) = delete;
  std::vector<FormerName> before;
};

TEST_CASE("the program's own keys") {
  const ProgramNames names(
      {{.written = "start", .since = "1.1", .instead = "seed"},
       {.written = "select.measure", .since = "1.1", .instead = "metric"},
       {.written = "study.vary", .since = "1.1", .instead = "slots"},
       {.written = "select.tries", .since = "1.0", .advice = "remove it", .gone = true}});
  const std::string text = changed("seed: 3", "start: 3") + R"(select:
  measure: test.error_rate
)";
  PipelineCheck result = checked(text);
  REQUIRE_MESSAGE(result.pipeline, render(result.diagnostics));
  CHECK(result.pipeline->seed == 3);
  CHECK(render(result.diagnostics) ==
        R"(p.yaml:3:1: warning: 'start' of a pipeline is deprecated since 1.1
    3 | start: 3
      | ^~~~~
      = write seed
p.yaml:13:3: warning: 'measure' of select is deprecated since 1.1
   13 |   measure: test.error_rate
      |   ^~~~~~~
      = write metric
)");
  result = checked(text, {"start=5", "select.measure=test.accuracy"});
  REQUIRE(result.pipeline);
  CHECK(result.pipeline->seed == 5);
  CHECK(result.pipeline->selection->trials.metric == "accuracy");
  CHECK(render(checked(good_text + std::string("select: {metric: test.accuracy, tries: 2}\n"))
                   .diagnostics)
            .find("error: 'tries' of select is gone") != std::string::npos);
  const std::string study = good_text + std::string(R"(study:
  metric: test.error_rate
  vary: {C: {path: nodes.svm.C, values: [1, 10]}}
)");
  const StudyCheck of_study = check_study(study, "s.yaml", catalogue(), without_files());
  REQUIRE(of_study.study);
  CHECK(of_study.study->variants.size() == 2);
  CHECK(of_study.diagnostics.size() == 1);
  const auto schema = pipeline_schema(catalogue());
  CHECK(schema["properties"]["start"]["deprecated"] == true);
  CHECK(schema["properties"]["select"]["properties"]["measure"]["deprecated"] == true);
  CHECK_FALSE(schema["properties"]["select"]["properties"].contains("tries"));
  CHECK_FALSE(schema["properties"].contains("measure"));
}

TEST_CASE("the schema accepts deprecated names, and marks them") {
  const auto schema = pipeline_schema(catalogue());
  const auto& node = schema["definitions"]["node.similarity.renewed"]["properties"];
  CHECK(node["sigma"]["deprecated"] == true);
  CHECK(node["sigma"]["type"] == "number");
  CHECK(node["sigma"]["description"] == "deprecated since 1.1: write width");
  CHECK(node["noise"]["deprecated"] == true);
  CHECK(node["edges"]["anyOf"][1]["const"] == "wrap");
  CHECK(node["edges"]["anyOf"][1]["deprecated"] == true);
  CHECK(node["is"]["enum"] ==
        nlohmann::json{"similarity/renewed", "similarity/old", "similarity/padded"});
  CHECK_FALSE(node.contains("scale"));
}

TEST_CASE("a deprecated name that could not be read is no declaration") {
  const auto declared = [](FormerName name) {
    return Declaration<Renewed>("similarity/renewed", "Renewed")
        .parameter("width", &Renewed::width, "width")
        .deprecated(std::move(name));
  };
  const char* const message =
      "'sigma' of similarity/renewed is deprecated since 1.1, but nothing declared takes its "
      "place: declare parameters first, and say what to write instead, or advice";
  CHECK_THROWS_WITH_AS(declared({.written = "sigma", .since = "1.1"}), message, Error);
  CHECK_THROWS_WITH_AS(declared({.written = "sigma", .since = "1.1", .advice = "no"}), message,
                       Error);
  CHECK_THROWS_WITH_AS(declared({.written = "sigma", .since = "1.1", .instead = "widht"}), message,
                       Error);
}

}  // namespace
}  // namespace semblance::testing::former_names_test
