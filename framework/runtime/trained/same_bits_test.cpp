// SPDX-License-Identifier: MIT
// Training in memory compared with runs of the same pipelines: the same bits, and the same model.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "program.hpp"
#include "runtime/results/model.hpp"
#include "runtime/run/run.hpp"
#include "runtime/trained/trained.hpp"
#include "runtime/trained/trained_testing.hpp"
#include "support/files/npy.hpp"
#include "support/test_folder.hpp"

namespace same_bits_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

/// The nodes of a pipeline whose source is called `rows`, and the source that replaces it in
/// memory.
struct Case {
  const char* name;
  std::string source;
  std::string rest;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"a linear machine", "{is: source/clusters, classes: 3, columns: 5, train: 700, test: 300}",
       "  svm: {is: solver/linear_svm, from: rows}\n"},
      {"features, normalizers, two maps side by side",
       "{is: source/glyphs, train_per_class: 30, test_per_class: 30}",
       "  hog:   {is: feature/hog, cell: 8, from: rows}\n"
       "  x:     {is: normalizer/zscore, from: hog}\n"
       "  pixel: {is: feature/pixels, from: rows}\n"
       "  bases: {is: basis/random, count: 20, from: rows}\n"
       "  rbf:   {is: similarity/rbf, gamma: 0.01, from: x, bases: bases}\n"
       "  inner: {is: similarity/linear, from: pixel, bases: bases}\n"
       "  phi:   {is: normalizer/mean_norm, from: [rbf, inner]}\n"
       "  svm:   {is: solver/linear_svm, from: phi}\n"},
      {"inputs joined by a solver", "{is: source/clusters, classes: 2, train: 300, test: 200}",
       "  x:   {is: normalizer/zscore, from: rows}\n"
       "  svm: {is: solver/linear_svm, from: [rows, x]}\n"},
      {"a kernel machine", "{is: source/xor, squares: 4, train: 400, test: 300}",
       "  svm: {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 10}, from: rows}\n"},
      {"local models", "{is: source/xor, squares: 4, train: 400, test: 300}",
       "  svm: {is: solver/ml3, from: rows}\n"},
      {"series that differ in size", "{is: source/warped_series}",
       "  bases: {is: basis/all, from: rows}\n"
       "  dtw:   {is: similarity/dtw, as: negative, from: rows, bases: bases}\n"
       "  svm:   {is: solver/nearest_neighbour, from: dtw}\n"},
      {"strings", "{is: source/random_strings}",
       "  words: {is: feature/spectrum, from: rows}\n"
       "  svm:   {is: solver/linear_svm, from: words}\n"},
      {"bases that are strings", "{is: source/random_strings}",
       "  bases: {is: basis/random, count: 12, from: rows}\n"
       "  edit:  {is: similarity/edit, from: rows, bases: bases}\n"
       "  svm:   {is: solver/linear_svm, from: edit}\n"},
      {"bases that are chosen by looking at the rows",
       "{is: source/clusters, classes: 3, columns: 5, train: 400, test: 300}",
       "  bases: {is: basis/k_medoids, per_class: 4, similarity: {is: similarity/rbf}, from: "
       "rows}\n"
       "  rbf:   {is: similarity/rbf, from: rows, bases: bases}\n"
       "  svm:   {is: solver/linear_svm, from: rbf}\n"}};
  return all;
}

std::string pipeline_text(const std::string& source, const std::string& rest) {
  return "name: same\nseed: 7\nnodes:\n  rows: " + source + "\n" + rest;
}

}  // namespace

TEST_CASE("the bits of a run on the same rows, with any number of threads") {
  for (const Case& test : cases()) {
    CAPTURE(test.name);
    const TestFolder work;
    const SelectingPipeline generated = checked(pipeline_text(test.source, test.rest));
    RunOptions options = in_memory(2);
    options.out = work.path / "out";
    run_pipeline(generated, *shipped(), options);
    const std::string scores = content(work.path / "out" / "predictions" / "svm.npy");
    REQUIRE(!scores.empty());

    CopiedRows rows = copied(generated.nodes.front(), true);
    const HandedOver given("same", std::make_shared<BorrowedRows>(std::move(rows.data)));
    for (const std::size_t threads : {1, 2, 3}) {
      CAPTURE(threads);
      RunOptions of_model = in_memory(threads);
      of_model.brief = threads == 3;
      const auto trained =
          trained_on(pipeline_text("{is: source/array, data: same}", test.rest), of_model);
      const FloatMatrix all = trained->apply("svm", std::as_const(rows.test).view());
      CHECK(npy::to_bytes(all.view()) == scores);
      for (const std::size_t first : {std::size_t{0}, rows.test.rows / 2, rows.test.rows - 1}) {
        const FloatMatrix one =
            trained->apply("svm", std::as_const(rows.test).view().rows_range(first, 1));
        CHECK(std::ranges::equal(one.values, all.view().row_span(first)));
      }
    }
  }
}

TEST_CASE("a model in memory is byte for byte what a run leaves, also after loading it") {
  for (const Case& test : cases()) {
    CAPTURE(test.name);
    const TestFolder work;
    CopiedRows rows = copied(checked(pipeline_text(test.source, test.rest)).nodes.front(), false);
    const HandedOver given("same", std::make_shared<BorrowedRows>(std::move(rows.data)));
    const std::string text = pipeline_text("{is: source/array, data: same}", test.rest);
    RunOptions options = in_memory(2);
    options.out = work.path / "out";
    run_pipeline(checked(text), *shipped(), options);

    const auto trained = trained_on(text);
    trained->save(work.path / "saved");
    const auto expected = contents_below(work.path / "out" / "model");
    CHECK(expected.size() > 2);
    // A solver's report has times in it, and model.json has a checksum of the report.
    auto found = contents_below(work.path / "saved");
    CHECK(found.size() == expected.size());
    for (const auto& [name, bytes] : expected)
      if (name != "model.json") CHECK(found[name] == bytes);

    const auto loaded = Trained::load(work.path / "saved", shipped(), in_memory());
    loaded->save(work.path / "again");
    CHECK(contents_below(work.path / "again") == found);
    const MatrixView tested = std::as_const(rows.test).view();
    CHECK(npy::to_bytes(loaded->apply("svm", tested).view()) ==
          content(work.path / "out" / "predictions" / "svm.npy"));
    CHECK(npy::to_bytes(trained->apply("svm", tested).view()) ==
          content(work.path / "out" / "predictions" / "svm.npy"));
  }
}

TEST_CASE("a selection chooses as in a run") {
  const std::string source = "{is: source/clusters, classes: 3, columns: 5, train: 200, test: 10}";
  const std::string head =
      "  bases: {is: basis/all, from: rows}\n"
      "  rbf:   {is: similarity/rbf, gamma: 0.1, from: rows, bases: bases}\n"
      "  svm:   {is: solver/nearest_neighbour, from: rbf}\n"
      "  test:  {is: evaluator/classification, from: svm}\n"
      "select:\n  metric: test.error_rate\n"
      "  parameters: {k: {path: nodes.svm.k, values: [1, 5]}}\n";
  for (const char* folds : {"  folds: 4\n", "  folds: leave_one_out\n"}) {
    CAPTURE(folds);
    const TestFolder work;
    const SelectingPipeline generated = checked(pipeline_text(source, head + folds));
    RunOptions options = in_memory(2);
    options.out = work.path / "out";
    const RunResult run = run_pipeline(generated, *shipped(), options);
    CopiedRows rows = copied(generated.nodes.front(), true);
    const HandedOver given("same", std::make_shared<BorrowedRows>(std::move(rows.data)));
    const auto trained =
        trained_on(pipeline_text("{is: source/array, data: same}", head + folds), in_memory(2));
    REQUIRE(run.record.selection);
    REQUIRE(trained->record().selection);
    for (std::size_t t = 0; t < 2; ++t)
      CHECK(trained->record().selection->trials[t].folds == run.record.selection->trials[t].folds);
    CHECK(trained->record().selection->chosen == run.record.selection->chosen);
    CHECK(npy::to_bytes(trained->apply("svm", std::as_const(rows.test).view()).view()) ==
          content(work.path / "out" / "predictions" / "svm.npy"));
  }
}

TEST_CASE("pairs get the scores of a run") {
  for (const char* from : {"rows", "x"}) {
    CAPTURE(from);
    const std::string rest = std::string("  x: {is: normalizer/zscore, from: rows}\n") +
                             "  pairs: {is: pairs/all, from: rows}\n"
                             "  svm: {is: solver/pairwise_svm, kernel: {is: "
                             "pair_kernel/metric_learning}, from: " +
                             from + ", pairs: pairs}\n";
    const TestFolder work;
    const SelectingPipeline generated = checked(pipeline_text(
        "{is: source/checkerboard, task: interclass, classes: 12, examples_per_class: 4}", rest));
    RunOptions options = in_memory(2);
    options.out = work.path / "out";
    run_pipeline(generated, *shipped(), options);

    CopiedRows rows = copied(generated.nodes.front(), true);
    const HandedOver given("same", std::make_shared<BorrowedRows>(std::move(rows.data)));
    const auto trained =
        trained_on(pipeline_text("{is: source/array, data: same}", rest), in_memory(2));
    std::vector<Trained::RowPair> pairs;
    const auto count = static_cast<std::int64_t>(rows.test.rows);
    for (std::int64_t i = 0; i < count; ++i)
      for (std::int64_t j = i + 1; j < count; ++j) pairs.emplace_back(i, j);
    const MatrixView tested = std::as_const(rows.test).view();
    const auto scores = trained->apply_pairs("svm", tested, pairs);
    const FloatMatrix expected =
        npy::floats(content(work.path / "out" / "predictions" / "svm.npy"), "svm.npy");
    CHECK(std::ranges::equal(scores, expected.values));

    trained->save(work.path / "model");
    const auto loaded = Trained::load(work.path / "model", shipped(), in_memory());
    CHECK(loaded->apply_pairs("svm", tested, pairs) == scores);
  }
}

TEST_CASE("the program applies a model of rows in memory to files, with the same bits") {
  const Workplace work;
  const TwoClouds clouds(300), others(100, 2);
  BorrowedData data;
  data.layout = Layout::vector(4);
  data.train = clouds.view();
  data.labels = clouds.labels();
  data.classes = {"left", "right"};
  data.columns = {"a", "b", "c", "d"};
  const HandedOver given("clouds", std::make_shared<BorrowedRows>(std::move(data)));
  const auto trained = trained_on(
      "name: clouds\nnodes:\n  rows: {is: source/array, data: clouds}\n"
      "  x: {is: normalizer/zscore, from: rows}\n  svm: {is: solver/linear_svm, from: x}\n");
  trained->save(work.path / "model");
  const std::string expected = npy::to_bytes(trained->apply("svm", others.view()).view());

  work.file("new.npy", npy::to_bytes(others.view()));
  work.succeed("predict model new.npy --out arrays");
  CHECK(work.content("arrays/svm.npy") == expected);

  std::string table = "d,c,b,a\n";
  for (std::size_t i = 0; i < 100; ++i) {
    const auto row = others.view().row_span(i);
    for (std::size_t c = 4; c-- > 0;) table += fmt::format("{:.9g}{}", row[c], c > 0 ? "," : "\n");
  }
  work.file("new.csv", table);
  work.succeed("predict model new.csv --out table");
  CHECK(work.content("table/svm.npy") == expected);
  work.expect("predict model", 2, "no program has handed over the data 'clouds'");
}

TEST_CASE("the program cannot run a pipeline whose data nobody hands over, and says so") {
  const Workplace work;
  work.file("p.yaml",
            "name: p\nnodes:\n  rows: {is: source/array, data: mine}\n"
            "  svm: {is: solver/linear_svm, from: rows}\n");
  work.expect("check p.yaml", 2, "p.yaml:3:");
  work.expect("run p.yaml --out out", 2, "semblance.run(..., data={\"NODE\": (X, y)})");
  work.file("q.yaml",
            "name: q\nnodes:\n  rows: {is: source/array}\n"
            "  svm: {is: solver/linear_svm, from: rows}\n");
  work.expect("run q.yaml --out out", 2, "semblance.run(..., data={\"NODE\": (X, y)})");
}

}  // namespace same_bits_test
