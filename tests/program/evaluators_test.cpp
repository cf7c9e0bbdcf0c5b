// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "program.hpp"

namespace evaluators_test {

using namespace semblance::testing;

namespace {

constexpr const char* plane_pipeline = R"(name: plane
nodes:
  points: {is: source/rings, train: 300, test: 200}
  x:      {is: normalizer/zscore, from: points}
  some:   {is: basis/random, count: 30, from: points}
  more:   {is: basis/random, count: 50, from: points}
  rbf:    {is: similarity/rbf, gamma: 3, from: x, bases: some}
  linear: {is: similarity/linear, from: x, bases: more}
  both:   {is: normalizer/mean_norm, from: [rbf, linear]}
  svm:    {is: solver/linear_svm, from: both}
  test:   {is: evaluator/classification, from: svm}
  map:    {is: evaluator/boundary, points: 40, from: svm}
  size:   {is: evaluator/complexity, from: svm}
  signs:  {is: evaluator/spectrum, from: linear}
)";

constexpr const char* selecting_pipeline = R"(name: selecting
nodes:
  points: {is: source/rings, train: 300, test: 200}
  x:      {is: normalizer/zscore, from: points}
  bases:  {is: basis/random, count: 30, from: points}
  flat:   {is: similarity/linear, from: x, bases: bases}
  round:  {is: similarity/rbf, gamma: 3, from: x, bases: bases}
  wide:   {is: similarity/rbf, gamma: 0.01, from: x, bases: bases}
  a:      {is: normalizer/mean_norm, from: flat}
  b:      {is: normalizer/mean_norm, from: round}
  c:      {is: normalizer/mean_norm, from: wide}
  svm:    {is: solver/greedy_selection, least_gain: 0.01, from: [a, b, c]}
  test:   {is: evaluator/classification, from: svm}
)";

constexpr const char* glyph_pipeline = R"(name: glyphs
nodes:
  glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 5}
  hog:    {is: feature/hog, cell: 4, from: glyphs}
  x:      {is: normalizer/mean_norm, from: hog}
  svm:    {is: solver/linear_svm, from: x}
  e:      {is: evaluator/boundary, from: svm}
)";

std::string plane_of(const std::string& page) {
  const std::size_t start = page.find("\"plane_maps\":[{");
  if (start == std::string::npos) return "";
  return page.substr(start, page.find("}]", start) - start);
}

}  // namespace

TEST_CASE("evaluators see how scores came about, score a grid, and look at maps") {
  const Workplace work;
  work.file("p.yaml", plane_pipeline);
  work.succeed("run p.yaml --out out --threads 1");
  const auto nodes = work.metrics("out").at("nodes");
  const auto& size = nodes.at("size");
  CHECK(size.at("supporting_exemplars") == 80);
  // Both measures compare the same two values.
  CHECK(size.at("parameters") == 80 * (2 + 2));
  CHECK(size.at("learned_parameters") == nodes.at("svm").at("parameters"));
  CHECK(size.at("costs").at("rows") == nlohmann::json{"K SVM", "BE-SVM"});
  CHECK(nodes.at("signs").at("bases") == 50);
  CHECK(nodes.at("signs").at("positive_eigenvalues") == 2);
  CHECK(nodes.at("signs").at("negative_eigenvalues") == 0);
  const std::string drawn = plane_of(work.content("out/report.html"));
  CHECK(drawn.find("\"columns\":40") != std::string::npos);

  // From the store, with other threads, and from the model: the same picture.
  work.succeed("run p.yaml --out again --threads 2");
  CHECK(work.metrics("again").at("nodes").at("map").at("cached") == true);
  CHECK(plane_of(work.content("again/report.html")) == drawn);
  work.succeed("run p.yaml --out fresh --threads 2 --no-cache");
  CHECK(plane_of(work.content("fresh/report.html")) == drawn);
  CHECK(work("predict out/model --out p").exit == 0);
}

TEST_CASE("evaluators that cannot work with what they are given say so") {
  const Workplace work;
  work.file("p.yaml", plane_pipeline);
  work.expect("run p.yaml --out out --set nodes.signs.from=both", 1,
              "name a similarity node itself as `from`");
  work.file("g.yaml", glyph_pipeline);
  work.expect("run g.yaml --out out", 1, "the source's samples must be vectors of 2 values");
  work.expect(
      "run g.yaml --out out --set nodes.e.is=evaluator/margin "
      "--set nodes.svm.is=solver/libsvm",
      1, "none of its tables has a column 'squared norm'");
  // An evaluator of scores does not take samples, and vice versa.
  CHECK(work("check g.yaml --set nodes.e.from=x").exit == 2);
  CHECK(work("check p.yaml --set nodes.signs.from=svm").exit == 2);
}

TEST_CASE("a greedy selection takes the round similarity of rings, and predicts with it") {
  const Workplace work;
  work.file("p.yaml", selecting_pipeline);
  work.succeed("run p.yaml --out out --threads 2");
  const auto nodes = work.metrics("out").at("nodes");
  CHECK(nodes.at("svm").at("order") == "b");
  CHECK(nodes.at("svm").at("selection").at("rows") == nlohmann::json{"b"});
  CHECK(nodes.at("svm").at("candidates").at("rows") == nlohmann::json{"a", "b", "c"});
  CHECK(nodes.at("svm").at("certificate") == "converged");
  CHECK(nodes.at("test").at("accuracy") > 0.9);
  work.succeed("run p.yaml --out one --threads 1 --no-cache");
  CHECK(predictions(work, "one") == predictions(work, "out"));
  work.succeed("predict out/model --out p");
  CHECK(work.content("p/svm.npy") == work.content("out/predictions/svm.npy"));
}

TEST_CASE("the solver inside a selection is checked and swapped like any component") {
  const Workplace work;
  work.file("p.yaml", selecting_pipeline);
  const auto wrong = work("check p.yaml --set nodes.svm.solver.C=-1");
  CHECK(wrong.exit == 2);
  const auto other = work(
      "run p.yaml --out out --set nodes.svm.solver.is=solver/liblinear --set nodes.svm.most=2");
  INFO(other.output);
  CHECK(other.exit == 0);
}

TEST_CASE("local models: who serves which sample, on the plane, from the model, and refused") {
  const Workplace work;
  work.file("p.yaml", R"(name: local
nodes:
  points: {is: source/xor, train: 300, test: 200, noise: 0}
  x:      {is: normalizer/zscore, from: points}
  y:      {is: normalizer/min_max, from: points}
  svm:    {is: solver/ml3, models: 6, iterations: 5, lambda: 1e-4, from: [x, y]}
  test:   {is: evaluator/classification, from: svm}
  local:  {is: evaluator/assignments, points: 30, from: svm}
)");
  work.succeed("run p.yaml --out out --threads 1");
  const auto local = work.metrics("out").at("nodes").at("local");
  CHECK(local.at("local_models") == 6);
  double served = local.at("unserved").get<double>();
  for (const auto& count : local.at("assignments").at("values"))
    for (const auto& value : count) served += value.get<double>();
  CHECK(served == 200);
  const double effective = local.at("effective_models").get<double>();
  CHECK(effective >= 1);
  CHECK(effective <= 6);
  const std::string drawn = plane_of(work.content("out/report.html"));
  CHECK(drawn.find("\"columns\":30") != std::string::npos);
  work.succeed("run p.yaml --out fresh --threads 2 --no-cache");
  CHECK(plane_of(work.content("fresh/report.html")) == drawn);
  // The training is in the store, only this evaluator is new: it still gets the solver's rows.
  work.succeed("run p.yaml --out more --set nodes.local.points=20");
  CHECK(work.metrics("more").at("nodes").at("svm").at("cached") == true);
  CHECK(work.metrics("more").at("nodes").at("local").at("effective_models") == effective);
  CHECK(work("predict out/model --out p").exit == 0);

  work.file("q.yaml", R"(name: linear
nodes:
  points: {is: source/xor, train: 300, test: 200}
  svm:    {is: solver/linear_svm_sgd, from: points}
  local:  {is: evaluator/assignments, from: svm}
)");
  work.expect("run q.yaml --out none", 1, "the solver solver/linear_svm_sgd has no local models");
}

TEST_CASE("an evaluator behind forty nodes that part and join again is no slower for that") {
  const Workplace work;
  std::string pipeline = "name: joined\nnodes:\n  t: {is: source/xor, train: 60, test: 40}\n";
  std::string before = "t";
  const auto add = [&](const std::string& name, const char* is, const std::string& from) {
    pipeline.append("  ").append(name).append(": {is: normalizer/").append(is);
    pipeline.append(", from: ").append(from).append("}\n");
  };
  for (int k = 0; k < 40; ++k) {
    const std::string n = std::to_string(k), a = "a" + n, b = "b" + n;
    add(a, "zscore", before);
    add(b, "max_abs", before);
    before = "p" + n;
    add(before, "pca, components: 2",
        std::string("[").append(a).append(", ").append(b).append("]"));
  }
  pipeline.append("  s: {is: solver/linear_svm, from: ").append(before);
  pipeline.append("}\n  e: {is: evaluator/classification, from: s}\n");
  // There are 2^40 ways from the source to the solver.
  work.succeed("run " + work.file("p.yaml", pipeline) + " --data . --out out --quiet");
}

}  // namespace evaluators_test
