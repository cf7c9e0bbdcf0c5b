// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "pipeline/resolved.hpp"
#include "semblance/random.hpp"
#include "test_components.hpp"

namespace semblance::testing::robustness_test {
namespace {

const std::vector<std::string>& fragments() {
  static const std::vector<std::string> all = {"{",
                                               "}",
                                               "[",
                                               "]",
                                               ":",
                                               ": ",
                                               ",",
                                               "-",
                                               "- ",
                                               "\n",
                                               "\n  ",
                                               "\t",
                                               "#",
                                               " #",
                                               "'",
                                               "\"",
                                               "\\",
                                               "&a ",
                                               "*a",
                                               "!!str ",
                                               "<<: ",
                                               "? ",
                                               "|",
                                               ">",
                                               "%",
                                               "@",
                                               "---\n",
                                               "...\n",
                                               "~",
                                               "null",
                                               "true",
                                               "1e9",
                                               "-1",
                                               "0x",
                                               ".inf",
                                               "is: ",
                                               "from: ",
                                               "images",
                                               "hog",
                                               "svm",
                                               "nodes:",
                                               "\xC3\xA9",
                                               "\xFF",
                                               std::string(1, '\0'),
                                               "\x04",
                                               "\r\n",
                                               "{is: similarity/rbf}",
                                               "[[[[[[[[[[[[[[[["};
  return all;
}

/// One change: a piece removed, doubled or moved, a fragment put in, a byte flipped.
std::string mutated(std::string text, Random& random) {
  if (text.empty()) return fragments()[random.below(fragments().size())];
  const std::size_t at = random.below(text.size());
  const std::size_t length = 1 + random.below(12);
  switch (random.below(5)) {
    case 0:
      return text.erase(at, length);
    case 1:
      return text.insert(at, text.substr(random.below(text.size()), length));
    case 2:
      return text.insert(at, fragments()[random.below(fragments().size())]);
    case 3:
      text[at] = static_cast<char>(random.below(256));
      return text;
    default:
      return text.replace(at, length, fragments()[random.below(fragments().size())]);
  }
}

/// Checks for exactly one of a pipeline and an error with printable text.
void check_outcome(const PipelineCheck& result) {
  CHECK(result.pipeline.has_value() != has_errors(result.diagnostics));
  for (const Diagnostic& d : result.diagnostics) CHECK_FALSE(d.message.empty());
  for (const char c : render(result.diagnostics))
    if (static_cast<unsigned char>(c) < 0x20) REQUIRE(c == '\n');
  if (result.pipeline) CHECK(check(resolved_yaml(*result.pipeline)).pipeline.has_value());
}

TEST_CASE("whatever is done to a pipeline, checking gives a pipeline or says what is wrong") {
  Random random(20);
  std::size_t right = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string text = good_text;
    for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes)
      text = mutated(std::move(text), random);
    CAPTURE(text);
    const PipelineCheck result = check(text);
    check_outcome(result);
    right += result.pipeline.has_value();
  }
  // The generator breaks some pipelines, but not all.
  CHECK(right > 40);
  CHECK(right < 2000);
}

TEST_CASE("whatever stands behind --set, checking gives a pipeline or says what is wrong") {
  Random random(21);
  const std::vector<std::string> arguments = {"nodes.svm.C=10",
                                              "nodes.bases.is=basis/random",
                                              "nodes.x.from=[hog, images]",
                                              "seed=3",
                                              "nodes.svm.kernel={is: similarity/rbf, gamma: 2}",
                                              "nodes.svm.is=solver/kernel_svm"};
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::string> overrides;
    for (std::uint64_t n = 1 + random.below(3); n > 0; --n)
      overrides.push_back(mutated(arguments[random.below(arguments.size())], random));
    CAPTURE(overrides.front());
    check_outcome(check(good_text, overrides));
  }
}

TEST_CASE("hostile sizes end soon, with a message") {
  const auto first_line = [](const std::string& text) {
    const std::string rendered = render(check(text).diagnostics);
    return rendered.substr(0, rendered.find('\n'));
  };
  const std::string deep = "nested deeper than 64 levels; no pipeline needs that";
  CHECK(first_line(std::string(500'000, '[')).ends_with(deep));
  CHECK(first_line("a: " + std::string(70, '{')) == "p.yaml:1:67: error: " + deep);
  std::string dashes;
  for (int i = 0; i < 100; ++i) dashes += "- ";
  CHECK(first_line(dashes) == "p.yaml:1:129: error: " + deep);
  CHECK(first_line(std::string(1'048'577, ' ')) ==
        "p.yaml: error: too large for a pipeline: 1048577 bytes, the limit is 1048576");

  // Everything on one line: positions must not be counted from its start each time.
  CHECK(first_line("name: [" + std::string(400'000, ',') + "]") ==
        "p.yaml:1:1: error: the pipeline has no nodes");

  std::string many = "name: many\nnodes:\n";
  for (int i = 0; i < 9'000; ++i)
    many += "  n" + std::to_string(i) + ": {is: feature/hog, from: m" + std::to_string(i) + "}\n";
  const PipelineCheck result = check(many);
  REQUIRE(result.diagnostics.size() == 101);
  CHECK(result.diagnostics.back().message.find("more errors") != std::string::npos);
  std::string too_many = "name: many\nnodes:\n";
  for (int i = 0; i <= 10'000; ++i) too_many += "  n" + std::to_string(i) + ": {is: feature/hog}\n";
  CHECK(first_line(too_many) == "p.yaml:2:1: error: 10001 nodes are too many; the limit is 10000");
}

TEST_CASE("a chain of thousands of nodes is no trouble, nor is one that closes") {
  std::string chain = "name: chain\nnodes:\n  n0: {is: source/images, path: x}\n";
  for (int i = 1; i < 5'000; ++i)
    chain += "  n" + std::to_string(i) + ": {is: normalizer/zscore, from: n" +
             std::to_string(i - 1) + "}\n";
  chain += "  svm: {is: solver/linear_svm, from: n4999}\n";
  const PipelineCheck open = check(chain);
  REQUIRE(open.pipeline);
  CHECK(open.pipeline->nodes.size() == 5'001);
  CHECK(open.pipeline->nodes.back().origin == 0);
  const PipelineCheck closed = check(replaced(chain, "n1: {is: normalizer/zscore, from: n0}",
                                              "n1: {is: normalizer/zscore, from: [n0, n4999]}"));
  REQUIRE(closed.diagnostics.size() == 1);
  CHECK(closed.diagnostics[0].message.starts_with("these nodes form a cycle: n1 -> n2"));
}

TEST_CASE("text that is no text") {
  const auto text_of = [](const std::string& text) { return render(check(text).diagnostics); };
  CHECK(text_of("name: a\tb\n\tseed: 1\n \tnodes: 2\n") ==
        R"(p.yaml:2:1: error: tab in the indentation
    2 |  seed: 1
      | ^
      = indent with spaces
p.yaml:3:2: error: tab in the indentation
    3 |   nodes: 2
      |  ^
      = indent with spaces
)");
  CHECK(text_of(std::string("name: \0x\n", 9)) ==
        R"(p.yaml:1:7: error: control character 0x00 is not text
    1 | name: ?x
      |       ^
      = is this really a pipeline? remove the character
)");
  CHECK(text_of("name: x\x04y\n")
            .starts_with("p.yaml:1:8: error: control character 0x04 is not text\n"));
  CHECK(text_of("\xFF\xFEn\x01")
            .starts_with("p.yaml:1:1: error: not UTF-8 text: byte 0xFF is not allowed here\n"));
  for (const char* wrong : {"a\xC0\x80", "a\xE0\x80\x80", "a\xED\xA0\x80", "a\xF4\x90\x80\x80",
                            "a\xF0\x80\x80\x80", "a\x80", "a\xC3", "a\xE2\x82"})
    CHECK(text_of(wrong).starts_with("p.yaml:1:2: error: not UTF-8 text: byte "));
}

TEST_CASE("the caret counts characters, and long lines are cut around it") {
  const std::string text = render(check("name: x\nnodes: {größe: 1}\n").diagnostics);
  CHECK(text.starts_with(R"(p.yaml:2:9: error: 'größe' is not a valid node name
    2 | nodes: {größe: 1}
      |         ^~~~~
)"));
  const std::string wide =
      render(check("name: x\ndescription: {" + std::string(500, 'a') + ": 1}\n" + "nodes: 1\n")
                 .diagnostics);
  CHECK(wide.find("    2 | description: {" + std::string(86, 'a') + "...\n") != std::string::npos);
}

}  // namespace
}  // namespace semblance::testing::robustness_test
