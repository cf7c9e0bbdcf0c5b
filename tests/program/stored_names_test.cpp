// SPDX-License-Identifier: MIT
// Reports can contain names of nodes: an artifact stored under one name is not reported under
// another.
#include <doctest/doctest.h>

#include <map>

#include "pipelines.hpp"
#include "program.hpp"

namespace stored_names_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

using Renaming = std::map<std::string, std::string>;

/// Two pair solvers, judged together.
std::string two_solvers(const std::string& a, const std::string& b, const std::string& order) {
  return R"(name: pairs
nodes:
  points: {is: source/checkerboard, task: interclass, classes: 20, examples_per_class: 4}
  pairs:  {is: pairs/all, from: points}
  a: {is: solver/pairwise_newton, kernel: {is: pair_kernel/)" +
         a + R"(}, from: points, pairs: pairs}
  b: {is: solver/pairwise_newton, kernel: {is: pair_kernel/)" +
         b + R"(}, from: points, pairs: pairs}
  test: {is: evaluator/verification, from: [)" +
         order + "]}\n";
}

/// Three maps, of which the best are chosen.
const std::string greedy = R"(name: greedy
nodes:
  points: {is: source/xor, squares: 4, train: 200, test: 100}
  bases:  {is: basis/random, count: 20, from: points}
  wide:   {is: similarity/rbf, gamma: 1, from: points, bases: bases}
  middle: {is: similarity/rbf, gamma: 10, from: points, bases: bases}
  narrow: {is: similarity/rbf, gamma: 100, from: points, bases: bases}
  chosen: {is: solver/greedy_selection, folds: 3, most: 2, from: [wide, middle, narrow]}
  test:   {is: evaluator/classification, from: chosen}
  costs:  {is: evaluator/complexity, from: chosen}
)";

/// All nodes renamed at once, wherever a name occurs as a word.
std::string renamed(const std::string& text, const Renaming& names) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == at) {
      out += text[at++];
      continue;
    }
    const std::string word = text.substr(at, end - at);
    const bool of_component = at > 0 && text[at - 1] == '/';
    const auto found = names.find(word);
    out += of_component || found == names.end() ? word : found->second;
    at = end;
  }
  return out;
}

void run(const Workplace& work, const std::string& arguments) {
  const auto outcome = work("run " + arguments + " --quiet");
  REQUIRE_MESSAGE(outcome.exit == 0, outcome.output);
}

/// The results of a run, without the times that nodes report.
std::string found(const Workplace& work, const std::string& out) {
  auto nodes = work.metrics(out).at("nodes");
  std::string all;
  for (const auto& [node, figures] : nodes.items()) {
    // The component that chooses pairs is not run if their scores are stored.
    if (figures.at("component").get<std::string>().starts_with("pairs/")) continue;
    for (const auto& [name, value] : figures.items())
      if (name.find("seconds") == name.npos && name != "cached" && name != "measured" &&
          name != "predict_rows")
        all.append(node).append(".").append(name).append(" ").append(value.dump()).append("\n");
  }
  return all + predictions(work, out);
}

/// Checks that running a pipeline with and without the present store gives the same results.
void check_believed(const Workplace& work, const std::string& pipeline) {
  INFO(pipeline);
  work.file("p.yaml", pipeline);
  run(work, "p.yaml --out stored");
  run(work, "p.yaml --out alone --no-cache");
  CHECK((found(work, "stored") == found(work, "alone")));
}

}  // namespace

TEST_CASE("two solvers that change their names keep their own figures") {
  const Workplace work;
  for (const char* order : {"a, b", "b, a"}) {
    check_believed(work, two_solvers("metric_learning", "tensor_learning", order));
    check_believed(work, two_solvers("tensor_learning", "metric_learning", order));
  }
}

TEST_CASE("inputs that are chosen are called as in the pipeline that runs") {
  const Workplace work;
  check_believed(work, greedy);
  check_believed(work, renamed(greedy, {{"wide", "narrow"}, {"narrow", "wide"}}));
  check_believed(work, renamed(greedy, {{"wide", "a"}, {"middle", "b"}, {"narrow", "c"}}));
  const auto order = work.metrics("stored").at("nodes").at("chosen").at("order");
  CHECK(order.get<std::string>().find_first_of("abc") == 0);
}

TEST_CASE("after a rename nothing is trained again that tells no names") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  run(work, "p.yaml --out first");
  const Renaming names = {{"glyphs", "pictures"}, {"hog", "h"},   {"x", "y"},   {"rbf", "rigid"},
                          {"rigid", "r"},         {"phi", "map"}, {"svm", "s"}, {"test", "t"}};
  check_believed(work, renamed(small_pipeline, names));
  const auto nodes = work.metrics("stored").at("nodes");
  for (const char* node : {"h", "y", "bases", "rigid", "r", "map", "s"})
    CHECK_MESSAGE(nodes.at(node).at("cached").get<bool>(), node);
}

TEST_CASE("variants of a study that call the same nodes otherwise have their own reports") {
  const Workplace work;
  const std::string pipeline = two_solvers("metric_learning", "tensor_learning", "a, b");
  work.file("s.yaml", R"(name: names
study:
  metric: test.pairs
  better: lower
  slots:
    kernels:
      as_is: {}
      swapped:
        nodes.a.kernel.is: pair_kernel/tensor_learning
        nodes.b.kernel.is: pair_kernel/metric_learning
        nodes.test.from: [b, a]
)" + pipeline.substr(pipeline.find("nodes:")));
  const auto outcome = work("ablate s.yaml --out out --quiet");
  REQUIRE_MESSAGE(outcome.exit == 0, outcome.output);
  std::size_t compared = 0;
  for (const auto& variant : fs::directory_iterator(work.path / "out/variants")) {
    const std::string folder = "out/variants/" + variant.path().filename().string();
    run(work, "'" + folder + "/pipeline.yaml' --out alone --no-cache");
    const auto own = work.metrics(folder).at("nodes").at("test");
    const auto alone = work.metrics("alone").at("nodes").at("test");
    for (const auto& [name, value] : alone.items())
      if (const std::string figure = name; figure != "seconds" && figure != "cached")
        CHECK_MESSAGE(own.at(figure) == value, figure);
    ++compared;
  }
  CHECK(compared == 2);
}

TEST_CASE("equal nodes of one pipeline count in a study as they do alone") {
  const Workplace work;
  const std::string twins = R"(nodes:
  points: {is: source/xor, train: 100, test: 50}
  bases:  {is: basis/random, count: 10, from: points}
  one:    {is: similarity/rbf, from: points, bases: bases}
  two:    {is: similarity/rbf, from: points, bases: bases}
  svm:    {is: solver/linear_svm, from: [one, two]}
  test:   {is: evaluator/classification, from: svm}
  costs:  {is: evaluator/complexity, from: svm}
)";
  work.file("s.yaml",
            "name: twins\nstudy:\n  metric: test.error_rate\n  slots:\n"
            "    C: {path: nodes.svm.C, values: [0.1, 1]}\n" +
                twins);
  work.succeed("ablate s.yaml --out out --quiet --no-cache");
  work.file("p.yaml", "name: twins\n" + twins);
  run(work, "p.yaml --out alone --no-cache");
  const auto alone = work.metrics("alone").at("nodes").at("costs");
  for (const auto& variant : fs::directory_iterator(work.path / "out/variants")) {
    const auto own =
        work.metrics("out/variants/" + variant.path().filename().string()).at("nodes").at("costs");
    for (const auto& [name, value] : alone.items())
      if (const std::string figure = name; figure != "seconds" && figure != "cached")
        CHECK_MESSAGE(own.at(figure) == value, figure);
  }
}

}  // namespace stored_names_test
