// SPDX-License-Identifier: MIT
#include "runtime/trained/trained.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <thread>

#include "runtime/trained/trained_testing.hpp"
#include "support/test_folder.hpp"

namespace trained_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

constexpr const char* linear = R"(name: clouds
nodes:
  rows: {is: source/array, data: clouds}
  svm:  {is: solver/linear_svm, from: rows}
)";

constexpr const char* pairs_of_clouds = R"(name: pairs
nodes:
  rows:  {is: source/array, data: clouds}
  x:     {is: normalizer/zscore, from: rows}
  pairs: {is: pairs/all, from: rows}
  svm:   {is: solver/pairwise_svm, kernel: {is: pair_kernel/metric_learning}, from: x, pairs: pairs}
  test:  {is: evaluator/verification, from: svm}
)";

std::string message_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& message, const std::string& part) {
  INFO(message);
  CHECK(message.find(part) != message.npos);
  return true;
}

}  // namespace

TEST_CASE("a machine is trained on rows in memory and applied to others") {
  const TwoClouds clouds(300);
  const HandedOver given("clouds", clouds.data());
  const auto trained = trained_on(linear);
  CHECK(trained->end() == RunEnd::done);
  CHECK(trained->nodes() == std::vector<std::string>{"rows", "svm"});
  CHECK(trained->scoring_node() == "svm");
  CHECK(trained->classes("svm") == std::vector<std::string>{"left", "right"});
  CHECK(trained->input_layout("svm") == Layout::vector(4));
  CHECK(trained->output_layout("svm") == Layout::vector(2));
  const FloatMatrix scores = trained->apply("svm", clouds.view());
  CHECK(scores.rows == 300);
  CHECK(clouds.accuracy(scores) > 0.95);
  FloatMatrix room(300, 2);
  trained->apply("svm", clouds.view(), room.view());
  CHECK(room.values == scores.values);
  CHECK(trained->apply("svm", clouds.view().rows_range(0, 0)).rows == 0);
}

TEST_CASE("a model in memory is the model on disk") {
  const TwoClouds clouds(300);
  const HandedOver given("clouds", clouds.data());
  const auto trained = trained_on(linear);
  const TestFolder folder;
  trained->save(folder.path / "model");
  const Folder on_disk(folder.path / "model");
  const auto files = std::make_shared<Folder::Contents>(trained->files());
  const Folder in_memory_only(files, "packed model");
  REQUIRE(in_memory_only.files() == on_disk.files());
  for (const std::string& file : on_disk.files())
    CHECK(in_memory_only.read(file) == on_disk.read(file));
  const auto loaded = Trained::load(in_memory_only, shipped(), in_memory());
  CHECK(loaded->apply("svm", clouds.view()).values == trained->apply("svm", clouds.view()).values);
  CHECK(loaded->files() == *files);
  SUBCASE("a file that is missing") {
    files->erase("nodes/svm/part_0/weights.npy");
    says(message_of([&] { Trained::load(in_memory_only, shipped(), in_memory()); }),
         "the model 'packed model' is damaged: nodes/svm/part_0/weights.npy: No such file");
  }
  SUBCASE("a file that was changed") {
    files->at("nodes/svm/part_0/weights.npy").back() ^= 1;
    says(message_of([&] { Trained::load(in_memory_only, shipped(), in_memory()); }),
         "nodes/svm/part_0/weights.npy has the wrong checksum");
  }
  SUBCASE("no model") {
    files->clear();
    says(message_of([&] { Trained::load(in_memory_only, shipped(), in_memory()); }),
         "cannot read 'packed model/model.json'");
  }
}

TEST_CASE("the data are let go when training is over") {
  TwoClouds clouds(300);
  std::weak_ptr<const Dataset> watched;
  std::unique_ptr<Trained> trained;
  {
    auto data = clouds.data();
    watched = data;
    const HandedOver given("clouds", std::move(data));
    trained = trained_on(linear);
  }
  CHECK(watched.expired());
  CHECK(clouds.accuracy(trained->apply("svm", clouds.view())) > 0.95);
}

TEST_CASE("any node is applied, also where no solver is") {
  const TwoClouds clouds(200);
  const HandedOver given("clouds", clouds.data());
  const auto map = trained_on(R"(name: map
nodes:
  rows:  {is: source/array, data: clouds}
  x:     {is: normalizer/zscore, from: rows}
  bases: {is: basis/random, count: 7, from: x}
  rbf:   {is: similarity/rbf, from: x, bases: bases}
)");
  CHECK(map->output_layout("rbf") == Layout::vector(7));
  const FloatMatrix x = map->apply("x", clouds.view());
  double mean = 0;
  for (std::size_t i = 0; i < 200; ++i) mean += static_cast<double>(x.view().row(i)[0]) / 200;
  CHECK(std::abs(mean) < 1e-6);
  CHECK(map->apply("rbf", clouds.view()).cols == 7);
  const FloatMatrix same = map->apply("rows", clouds.view());
  CHECK(same.values == FloatMatrix(clouds.view()).values);
  says(message_of([&] { map->scoring_node(); }), "the pipeline has no solver");
  says(message_of([&] { map->apply("bases", clouds.view()); }), "gives no row");
  says(message_of([&] { map->apply("rfb", clouds.view()); }), "did you mean 'rbf'?");
}

TEST_CASE("a model says which nodes score rows, and what a map compares with") {
  const TwoClouds clouds(200);
  const HandedOver given("clouds", clouds.data());
  const auto trained = trained_on(R"(name: maps
nodes:
  rows:  {is: source/array, data: clouds}
  x:     {is: normalizer/zscore, from: rows}
  bases: {is: basis/random, count: 7, from: rows}
  rbf:   {is: similarity/rbf, from: x, bases: bases}
  near:  {is: similarity/rbf, gamma: 9, from: rows, bases: bases}
  phi:   {is: normalizer/mean_norm, from: [rbf, near]}
  svm:   {is: solver/linear_svm, from: phi}
  other: {is: solver/linear_svm, from: x}
)");
  CHECK(trained->scores_rows("svm"));
  CHECK_FALSE(trained->scores_rows("phi"));
  CHECK_FALSE(trained->scores_rows("bases"));
  CHECK(trained->maps("svm") == std::vector<std::string>{"rbf", "near"});
  CHECK(trained->maps("near") == std::vector<std::string>{"near"});
  CHECK(trained->maps("other").empty());
  const auto bases = trained->bases("near");
  REQUIRE(bases.size() == 7);
  // A basis is most similar to itself.
  for (std::size_t b = 0; b < bases.size(); ++b) {
    const FloatMatrix row =
        trained->apply("near", clouds.view().rows_range(static_cast<std::size_t>(bases[b]), 1));
    CHECK(row.values[b] == 1);
    // It is stored as the map received it.
    CHECK(std::ranges::equal(trained->basis("near", b),
                             clouds.view().row_span(static_cast<std::size_t>(bases[b]))));
    CHECK(trained->basis("rbf", b) ==
          trained->apply("x", clouds.view().rows_range(static_cast<std::size_t>(bases[b]), 1))
              .values);
    CHECK(std::ranges::max_element(row.values) - row.values.begin() ==
          static_cast<std::ptrdiff_t>(b));
  }
  CHECK(trained->compared_layout("near") == Layout::vector(4));
  says(message_of([&] { trained->bases("x"); }), "is no similarity map");
  says(message_of([&] { trained->basis("rbf", 7); }), "has 7 bases, counted from 0");
  says(message_of([&] { trained->maps("rfb"); }), "did you mean 'rbf'?");
}

TEST_CASE("rows without labels train what needs none") {
  const TwoClouds clouds(200);
  BorrowedData data;
  data.layout = Layout::vector(4);
  data.train = clouds.view();
  const HandedOver given("unlabelled", std::make_shared<BorrowedRows>(std::move(data)));
  const auto map = trained_on(R"(name: map
nodes:
  rows: {is: source/array, data: unlabelled}
  x:    {is: normalizer/zscore, from: rows}
)");
  CHECK(map->apply("x", clouds.view()).rows == 200);
  CHECK_THROWS_AS(trained_on(R"(name: machine
nodes:
  rows: {is: source/array, data: unlabelled}
  svm:  {is: solver/linear_svm, from: rows}
)"),
                  Error);
}

TEST_CASE("what cannot be applied is refused") {
  const TwoClouds clouds(100);
  const HandedOver given("clouds", clouds.data());
  const auto trained = trained_on(linear);
  FloatMatrix narrow(3, 3);
  says(message_of([&] { trained->apply("svm", narrow.view()); }),
       "the rows have 3 values each, but a vector of 4 has 4");
  FloatMatrix bad(3, 4);
  bad.values[6] = std::numeric_limits<float>::quiet_NaN();
  says(message_of([&] { trained->apply("svm", bad.view()); }),
       "row 1 (from 0) has a missing value (NaN) at position 2");
  bad.values[6] = -std::numeric_limits<float>::infinity();
  says(message_of([&] { trained->apply("svm", bad.view()); }), "an infinite value");
  FloatMatrix room(2, 2);
  says(message_of([&] { trained->apply("svm", clouds.view(), room.view()); }),
       "there is room for 2 x 2 values, but 'svm' gives 100 x 2");
  says(message_of([&] { trained->apply_pairs("svm", clouds.view(), {}); }), "does not score pairs");
}

TEST_CASE("data that do not fit together are refused") {
  const TwoClouds clouds(100);
  BorrowedData data;
  data.layout = Layout::vector(4);
  data.train = clouds.view();
  data.labels = clouds.labels();
  data.classes = {"left"};
  const HandedOver given("one class", std::make_shared<BorrowedRows>(data));
  const std::string text =
      "name: n\nnodes:\n  rows: {is: source/array, data: one class}\n"
      "  svm: {is: solver/linear_svm, from: rows}\n";
  says(message_of([&] { trained_on(text); }), "has the label 1, but there are 1 classes");
  data.labels.pop_back();
  says(message_of([&] { BorrowedRows{data}; }), "there are 99 labels for 100 rows");
  says(message_of([&] {
         trained_on(
             "name: n\nnodes:\n  rows: {is: source/array, data: nobody}\n"
             "  svm: {is: solver/linear_svm, from: rows}\n");
       }),
       "no program has handed over the data 'nobody'");
}

TEST_CASE("sparse rows with more columns than a model has are refused, whatever they claim") {
  const std::vector<std::size_t> sizes = {1, 1};
  FloatMatrix rows = FloatMatrix::sparse(3, sizes);
  rows.values = {1, 2};
  rows.columns = {0, 2};
  BorrowedData data;
  data.layout = Layout::sparse(3);
  data.train = std::as_const(rows).view();
  data.labels = {0, 1};
  data.classes = {"left", "right"};
  const HandedOver given("sparse", std::make_shared<BorrowedRows>(data));
  const auto trained = trained_on(
      "name: n\nnodes:\n  rows: {is: source/array, data: sparse}\n"
      "  svm: {is: solver/linear_svm, from: rows}\n");
  CHECK(trained->apply("svm", std::as_const(rows).view()).rows == 2);
  rows.cols = 10;
  rows.columns[1] = 7;
  says(message_of([&] { trained->apply("svm", std::as_const(rows).view()); }),
       "row 1 (from 0) has a value in column 7; columns must ascend and be below 3");
}

TEST_CASE("pairs of rows are scored") {
  const TwoClouds clouds(60);
  const HandedOver given("clouds", clouds.data());
  const auto trained = trained_on(pairs_of_clouds);
  std::vector<Trained::RowPair> pairs;
  for (std::int64_t i = 0; i < 59; ++i) pairs.emplace_back(i, i + 1);
  pairs.emplace_back(0, 2);
  const auto scores = trained->apply_pairs("svm", clouds.view(), pairs);
  CHECK(scores.size() == pairs.size());
  CHECK(scores.front() < scores.back());
  pairs = {{0, 60}};
  says(message_of([&] { trained->apply_pairs("svm", clouds.view(), pairs); }),
       "a pair names row 60, but there are 60 rows");
}

TEST_CASE("evaluators without test rows have nothing to do; with some they judge") {
  const TwoClouds clouds(300);
  const std::string judged =
      std::string(linear) + "  test: {is: evaluator/classification, from: svm}\n";
  {
    const HandedOver given("clouds", clouds.data());
    CHECK(trained_on(judged)->record().nodes.back().metrics.empty());
  }
  const HandedOver given("clouds", clouds.data(100));
  CHECK(trained_on(judged)->record().nodes.back().metrics["accuracy"].get<double>() > 0.9);
}

TEST_CASE("what a selection leaves open is chosen first") {
  const TwoClouds clouds(200);
  const HandedOver given("clouds", clouds.data());
  const auto trained = trained_on(R"(name: chosen
nodes:
  rows: {is: source/array, data: clouds}
  svm:  {is: solver/linear_svm, from: rows}
  test: {is: evaluator/classification, from: svm}
select:
  metric: test.error_rate
  folds: 3
  parameters: {C: {path: nodes.svm.C, values: [0.01, 1]}}
)");
  REQUIRE(trained->record().selection);
  CHECK(trained->record().selection->trials.size() == 2);
  CHECK(clouds.accuracy(trained->apply("svm", clouds.view())) > 0.95);
}

TEST_CASE("rows with gaps between them are applied as those without") {
  const TwoClouds clouds(100);
  const HandedOver given("clouds", clouds.data());
  const auto trained = trained_on(linear);
  FloatMatrix wide(50, 8);
  std::copy_n(clouds.view().data, wide.values.size(), wide.values.begin());
  const MatrixView every_second{wide.values.data(), 50, 4, 8};
  const FloatMatrix scores = trained->apply("svm", every_second);
  const FloatMatrix all = trained->apply("svm", clouds.view());
  for (std::size_t i = 0; i < 50; ++i)
    CHECK(std::ranges::equal(scores.view().row_span(i), all.view().row_span(2 * i)));
}

TEST_CASE("test rows whose labels nobody knows are scored, and not judged") {
  const TwoClouds clouds(100);
  BorrowedData data;
  data.layout = Layout::vector(4);
  data.train = clouds.view().rows_range(0, 60);
  data.test = clouds.view().rows_range(60, 40);
  data.labels = clouds.labels();
  std::fill(data.labels.begin() + 60, data.labels.end(), -1);
  data.classes = {"left", "right"};
  const HandedOver given("clouds", std::make_shared<BorrowedRows>(std::move(data)));
  CHECK(trained_on(linear)->apply("svm", clouds.view()).rows == 100);
  says(message_of([&] {
         trained_on(std::string(linear) + "  test: {is: evaluator/classification, from: svm}\n");
       }),
       "row 0 of the test data (counted from 0) has no label");
}

TEST_CASE("several solvers have to be named") {
  const TwoClouds clouds(100);
  const HandedOver given("clouds", clouds.data());
  const auto trained = trained_on(std::string(linear) + "  ml3: {is: solver/ml3, from: rows}\n");
  says(message_of([&] { trained->scoring_node(); }),
       "the pipeline has several solvers, svm and ml3: say which one");
  CHECK(trained->apply("ml3", clouds.view()).rows == 100);
}

TEST_CASE("of a solver with a calibrator behind it the calibrator's scores are asked for") {
  const TwoClouds clouds(300);
  const HandedOver given("clouds", clouds.data());
  const std::string text = std::string(linear) + "  p: {is: calibrator/probabilities, from: svm}\n";
  const auto trained = trained_on(text);
  CHECK(trained->nodes() == std::vector<std::string>{"rows", "svm", "p"});
  CHECK(trained->scoring_node() == "p");
  CHECK(trained->gives_probabilities("p"));
  CHECK(!trained->gives_probabilities("svm"));
  const FloatMatrix scores = trained->apply("svm", clouds.view());
  const FloatMatrix given_by_it = trained->apply("p", clouds.view());
  for (std::size_t i = 0; i < scores.rows; ++i) {
    const auto p = given_by_it.view().row_span(i);
    CHECK(p[0] + p[1] == doctest::Approx(1));
  }
  // Results are the same for rows one at a time, and for the model read from a folder.
  CHECK(trained->apply("p", clouds.view().rows_range(7, 1)).values[0] ==
        given_by_it.view().row_span(7)[0]);
  const TestFolder folder;
  trained->save(folder.path / "model");
  const auto loaded = Trained::load(folder.path / "model", shipped(), in_memory());
  CHECK(loaded->scoring_node() == "p");
  CHECK(loaded->apply("p", clouds.view()).values == given_by_it.values);
}

TEST_CASE("a run is cancelled alone") {
  const TwoClouds clouds(100);
  const HandedOver given("clouds", clouds.data());
  const std::atomic<bool> cancelled = true;
  RunOptions options = in_memory();
  options.cancel = &cancelled;
  CHECK_THROWS_AS(trained_on(linear, options), Cancelled);
  const auto trained = trained_on(linear);
  CHECK(trained->end() == RunEnd::done);
  CHECK_THROWS_AS(trained->apply("svm", clouds.view(), &cancelled), Cancelled);
}

TEST_CASE("a machine that was stopped while it learned is the best so far") {
  const TwoClouds clouds(100);
  const HandedOver given("clouds", clouds.data());
  std::atomic<bool> cancelled = false;
  RunOptions options = in_memory();
  options.cancel = &cancelled;
  options.on_log = [](LogLevel, const std::string&) {};
  options.on_progress = [&](const std::string& node, double, double) {
    if (node == "svm") cancelled = true;
  };
  const auto trained = trained_on(linear, options);
  CHECK(trained->end() == RunEnd::stopped);
  CHECK(trained->stopped_by() == "the program");
  CHECK(trained->record().warnings.size() == 1);
  CHECK(trained->record().nodes.back().metrics["certificate"] == "cancelled");
  CHECK(trained->apply("svm", clouds.view()).rows == 100);
}

TEST_CASE("what is trained outlives its deadline and what has cancelled it") {
  const TwoClouds clouds(100);
  const HandedOver given("clouds", clouds.data());
  RunOptions options = in_memory();
  options.deadline = 1e9;
  std::unique_ptr<Trained> trained;
  {
    std::atomic<bool> cancelled = false;
    options.cancel = &cancelled;
    const auto program = std::make_shared<int>();
    options.on_log = [program](LogLevel, const std::string&) {};
    options.on_progress = [program](const std::string&, double, double) {};
    trained = trained_on(linear, options);
    cancelled = true;
    CHECK(program.use_count() == 3);
    CHECK(trained->apply("svm", clouds.view()).rows == 100);
  }
  CHECK(trained->apply("svm", clouds.view()).rows == 100);
}

TEST_CASE("messages and progress go to the program instead of the console") {
  const TwoClouds clouds(100);
  const HandedOver given("clouds", clouds.data());
  std::mutex mutex;
  std::vector<std::string> lines, nodes;
  RunOptions options = in_memory();
  options.on_log = [&](LogLevel, const std::string& line) {
    const std::lock_guard lock(mutex);
    lines.push_back(line);
  };
  options.on_progress = [&](const std::string& node, double, double) {
    const std::lock_guard lock(mutex);
    nodes.push_back(node);
  };
  trained_on(linear, options);
  CHECK(std::ranges::find(lines, "svm: finished") != lines.end());
  CHECK(std::ranges::find(nodes, "svm") != nodes.end());
}

TEST_CASE("threads train and apply side by side") {
  const TwoClouds clouds(400);
  const HandedOver given("clouds", clouds.data());
  const auto expected = trained_on(linear);
  const FloatMatrix scores = expected->apply("svm", clouds.view());
  std::atomic<int> same = 0;
  {
    std::vector<std::jthread> threads;
    threads.reserve(4);
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        const HandedOver again("clouds", clouds.data());
        const auto trained = trained_on(linear);
        same += trained->apply("svm", clouds.view()).values == scores.values;
        same += expected->apply("svm", clouds.view()).values == scores.values;
      });
  }
  CHECK(same == 8);
}

}  // namespace trained_test
