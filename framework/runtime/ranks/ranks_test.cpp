// SPDX-License-Identifier: MIT
// Runs with several ranks, as threads of this process, leave the same files as runs with one.
#include "runtime/ranks/ranks.hpp"

#include <doctest/doctest.h>

#include <map>

#include "program.hpp"
#include "runtime/loop/learning_together.hpp"
#include "runtime/ranks/fail_together.hpp"
#include "runtime/results/others_warnings.hpp"
#include "runtime/results/predict.hpp"
#include "runtime/run/run.hpp"
#include "runtime/session/session.hpp"
#include "runtime/trained/trained_testing.hpp"
#include "semblance/collectives_testing.hpp"
#include "semblance/slow_transport_testing.hpp"
#include "support/json_text.hpp"
#include "support/test_folder.hpp"

namespace ranks_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

struct Case {
  const char* name;
  std::string nodes;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"a linear machine",
       "  rows: {is: source/clusters, classes: 3, columns: 5, train: 9000, test: 3000}\n"
       "  x:    {is: normalizer/zscore, from: rows}\n"
       "  svm:  {is: solver/linear_svm, from: x}\n"
       "  test: {is: evaluator/classification, from: svm}\n"},
      {"features, normalizers, two maps side by side",
       "  rows:  {is: source/glyphs, train_per_class: 70, test_per_class: 40}\n"
       "  hog:   {is: feature/hog, cell: 8, from: rows}\n"
       "  x:     {is: normalizer/zscore, from: hog}\n"
       "  pixel: {is: feature/pixels, from: rows}\n"
       "  bases: {is: basis/random, count: 20, from: rows}\n"
       "  rbf:   {is: similarity/rbf, gamma: 0.01, from: x, bases: bases}\n"
       "  inner: {is: similarity/linear, from: pixel, bases: bases}\n"
       "  phi:   {is: normalizer/mean_norm, from: [rbf, inner]}\n"
       "  svm:   {is: solver/linear_svm, from: phi}\n"
       "  test:  {is: evaluator/classification, from: svm}\n"
       "  look:  {is: evaluator/spectrum, from: rbf}\n"},
      {"inputs joined by a solver",
       "  rows: {is: source/clusters, classes: 2, train: 900, test: 700}\n"
       "  x:    {is: normalizer/min_max, from: rows}\n"
       "  svm:  {is: solver/linear_svm, from: [rows, x]}\n"
       "  test: {is: evaluator/classification, from: svm}\n"},
      {"a kernel machine and its boundary",
       "  rows: {is: source/xor, squares: 4, train: 800, test: 600}\n"
       "  svm:  {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 10}, from: rows}\n"
       "  test: {is: evaluator/boundary, from: svm}\n"},
      {"local models, and who serves which row",
       "  rows: {is: source/xor, squares: 4, train: 800, test: 600}\n"
       "  svm:  {is: solver/ml3, from: rows}\n"
       "  test: {is: evaluator/assignments, from: svm}\n"},
      {"pairs",
       "  rows:  {is: source/clusters, classes: 30, columns: 6, train: 600, test: 300}\n"
       "  x:     {is: normalizer/zscore, from: rows}\n"
       "  pairs: {is: pairs/sampled, from: rows}\n"
       "  svm:   {is: solver/pairwise_svm, C: 0.01, from: x, pairs: pairs}\n"
       "  test:  {is: evaluator/verification, from: svm}\n"},
      {"pairs that are learned from together",
       "  rows:  {is: source/clusters, classes: 500, columns: 6, train: 3000, test: 700}\n"
       "  x:     {is: normalizer/zscore, from: rows}\n"
       "  pairs: {is: pairs/sampled, count: 30000, test_count: 9000, from: rows}\n"
       "  svm:   {is: solver/pairwise_newton, C: 0.1, from: x, pairs: pairs}\n"
       "  test:  {is: evaluator/verification, from: svm}\n"},
      {"all pairs of few rows, of two inputs, some of them tested on",
       "  rows:  {is: source/clusters, classes: 30, columns: 6, train: 300, test: 0}\n"
       "  x:     {is: normalizer/zscore, from: rows}\n"
       "  pairs: {is: pairs/all, held_out: 0.3, from: rows}\n"
       "  svm:   {is: solver/pairwise_newton, C: 0.1, kernel: {is: pair_kernel/metric_learning, "
       "kernel: {is: similarity/rbf}}, max_iterations: 3, from: [rows, x], pairs: pairs}\n"
       "  test:  {is: evaluator/verification, from: svm}\n"},
      {"series that differ in size",
       "  rows:  {is: source/warped_series}\n"
       "  bases: {is: basis/random, count: 9, from: rows}\n"
       "  dtw:   {is: similarity/dtw, as: negative, from: rows, bases: bases}\n"
       "  svm:   {is: solver/linear_svm, from: dtw}\n"
       "  mini:  {is: normalizer/minirocket, from: rows}\n"
       "  svm2:  {is: solver/linear_svm, from: mini}\n"},
      {"bases that are chosen by looking at the rows",
       "  rows:  {is: source/clusters, classes: 3, columns: 5, train: 1400, test: 300}\n"
       "  bases: {is: basis/k_medoids, per_class: 4, similarity: {is: similarity/rbf}, from: "
       "rows}\n"
       "  rbf:   {is: similarity/rbf, from: rows, bases: bases}\n"
       "  svm:   {is: solver/linear_svm, from: rbf}\n"}};
  return all;
}

/// Results that must not depend on the ranks: predictions, the model, and every figure except
/// times.
std::map<std::string, std::string> results_below(const std::filesystem::path& out) {
  std::map<std::string, std::string> files;
  for (const char* part : {"predictions", "model"})
    for (auto& [name, text] : contents_below(out / part))
      files[std::string(part) + "/" + name] = std::move(text);
  for (auto& [name, text] : files)
    if (name.ends_with("model.json")) {
      auto json = parse_json(text);
      json.erase("xxh3");
      for (auto& [node, entry] : json.at("nodes").items())
        if (entry.contains("report")) {
          for (const char* time : {"train_seconds", "predict_seconds"})
            entry.at("report").at("metrics").erase(time);
          auto& curves =
              entry.at("report").at("curves").get_ref<nlohmann::ordered_json::array_t&>();
          std::erase_if(curves, [](const auto& curve) { return curve.at("x_label") == "seconds"; });
        }
      text = json.dump();
    }
  const auto metrics = parse_json(content(out / "metrics.json"));
  for (const auto& [node, record] : metrics.at("nodes").items())
    for (const auto& [figure, value] : record.items())
      if (figure.find("seconds") == std::string::npos && figure != "bytes")
        files["metrics: " + node + "." + figure] = value.dump();
  return files;
}

/// The predictions of a model and their evaluation, once for the test samples and once for all
/// samples.
std::map<std::string, std::string> predicted(const std::filesystem::path& folder,
                                             const RunOptions& options, bool all_rows) {
  Model model = read_model(folder);
  if (all_rows)
    for (const auto& [source, classes] : model.shapes.classes) model.shapes.changed[source];
  const SelectingPipeline pipeline = checked(content(folder / "pipeline.yaml"));
  const PredictResult result = predict(pipeline, *shipped(), options, model);
  std::map<std::string, std::string> found;
  for (const auto& file : result.files) found[file.filename().string()] = content(file);
  for (const NodeRecord& node : result.evaluations)
    for (const auto& [figure, value] : node.metrics.items())
      if (figure.find("seconds") == std::string::npos)
        found[node.name + "." + figure] = value.dump();
  found["rows"] = std::to_string(result.rows) + ", pairs " + std::to_string(result.pairs);
  return found;
}

/// `all_rows_too`: false where fewer pairs are drawn than all samples have of one class.
void check_predictions(const std::filesystem::path& model, const std::filesystem::path& work,
                       bool all_rows_too) {
  for (const bool all_rows : {false, true}) {
    if (all_rows && !all_rows_too) continue;
    CAPTURE(all_rows);
    RunOptions options = in_memory(2);
    options.out = work / "predicted alone";
    const auto expected = predicted(model, options, all_rows);
    CHECK(expected.size() > 2);
    for (const std::size_t ranks : {2, 5}) {
      CAPTURE(ranks);
      std::map<std::string, std::string> found;
      on_transports(ranks, [&](Transport& transport) {
        RunOptions own = in_memory(1);
        own.out = work / "predicted together";
        own.transport = &transport;
        const auto ones = predicted(model, own, all_rows);
        if (transport.rank() == 0) found = ones;
      });
      const bool same = found == expected;
      CHECK(same);
    }
  }
}

/// Without the figures that say whether results come from the store.
std::map<std::string, std::string> stored_results(const std::filesystem::path& out) {
  auto results = results_below(out);
  std::erase_if(results, [](const auto& entry) {
    return std::ranges::any_of(
        std::initializer_list<const char*>{".measured", ".cached", ".predict_rows"},
        [&](const char* end) { return entry.first.ends_with(end); });
  });
  auto& model = results.at("model/model.json");
  auto json = parse_json(model);
  for (auto& [node, entry] : json.at("nodes").items()) entry.erase("report");
  model = json.dump();
  return results;
}

void run_on(std::size_t ranks, const SelectingPipeline& pipeline, const RunOptions& options) {
  if (ranks == 0) {
    run_pipeline(pipeline, *shipped(), options);
    return;
  }
  on_transports(ranks, [&](Transport& transport) {
    RunOptions own = options;
    own.transport = &transport;
    run_pipeline(pipeline, *shipped(), own);
  });
}

void check_same(const std::map<std::string, std::string>& found,
                const std::map<std::string, std::string>& expected) {
  CHECK(found.size() == expected.size());
  for (const auto& [name, text] : expected) {
    CAPTURE(name);
    REQUIRE(found.contains(name));
    const bool same = found.at(name) == text;
    CHECK(same);
  }
}

/// The same with another cost of a linear machine: everything before it is unchanged.
std::string with_another_cost(std::string nodes) {
  const std::string svm = "solver/linear_svm";
  for (auto at = nodes.find(svm); at != std::string::npos; at = nodes.find(svm, at + 1))
    nodes.insert(at + svm.size(), ", C: 2");
  return nodes;
}

}  // namespace

TEST_CASE(
    "rows that several ranks have stored are found, by any number of ranks, and the other way") {
  std::size_t used = 0;
  for (const Case& test : cases()) {
    const std::string name = test.name;
    if (name != "inputs joined by a solver" && name != "series that differ in size") continue;
    CAPTURE(test.name);
    const std::string head = "name: same\nseed: 7\nnodes:\n";
    const SelectingPipeline pipeline = checked(head + test.nodes);
    const SelectingPipeline other = checked(head + with_another_cost(test.nodes));
    const TestFolder work;
    RunOptions options = in_memory(1);
    options.out = work.path / "alone";
    run_on(0, other, options);
    const auto expected = stored_results(options.out);
    options.use_cache = true;
    for (const auto& [makes, finds] : {std::pair<std::size_t, std::size_t>(3, 2), {0, 3}}) {
      CAPTURE(makes);
      CAPTURE(finds);
      options.cache = work.path / ("store" + std::to_string(makes) + std::to_string(finds));
      options.out = work.path / "makes";
      run_on(makes, pipeline, options);
      for (const auto& item : std::filesystem::directory_iterator(options.cache / "artifacts"))
        used += item.path().extension() == ".rows";
      options.out = work.path / "finds";
      run_on(finds, other, options);
      check_same(stored_results(options.out), expected);
      const auto log = content(options.out / "run.log");
      CHECK(log.find("damaged") == std::string::npos);
      // The same again, all from the store.
      run_on(finds == 2 ? 0 : 4, other, options);
      check_same(stored_results(options.out), expected);
    }
  }
  CHECK(used >= 4);
}

TEST_CASE("ranks that do not see the first one's store store no rows, and say so once") {
  const TestFolder work;
  const SelectingPipeline pipeline = checked("name: apart\nseed: 7\nnodes:\n" + cases()[1].nodes);
  RunOptions options = in_memory(1);
  options.out = work.path / "alone";
  run_on(0, pipeline, options);
  const auto expected = results_below(options.out);
  options.out = work.path / "apart";
  options.use_cache = true;
  on_transports(3, [&](Transport& transport) {
    RunOptions own = options;
    own.transport = &transport;
    own.cache = work.path / ("store" + std::to_string(transport.rank() / 2));
    run_pipeline(pipeline, *shipped(), own);
  });
  check_same(results_below(options.out), expected);
  const std::string log = content(options.out / "run.log"), said = "not all ranks see the artifact";
  CHECK(log.find(said) != std::string::npos);
  CHECK(log.find(said, log.find(said) + 1) == std::string::npos);
  for (const auto& item : std::filesystem::directory_iterator(work.path / "store0/artifacts"))
    CHECK(item.path().extension() != ".rows");
}

TEST_CASE("the same results over a network that is slow, now here and now there") {
  const TestFolder work;
  const SelectingPipeline pipeline = checked("name: slow\nseed: 7\nnodes:\n" + cases()[0].nodes);
  RunOptions options = in_memory(1);
  options.out = work.path / "alone";
  run_on(0, pipeline, options);
  const auto expected = results_below(options.out);
  for (const std::uint64_t seed : {1U, 2U}) {
    options.out = work.path / ("slow" + std::to_string(seed));
    on_transports(3, [&](Transport& quick) {
      SlowTransport transport(quick, 6'000, seed);
      RunOptions own = options;
      own.transport = &transport;
      run_pipeline(pipeline, *shipped(), own);
      CHECK(transport.calls() > 20);
    });
    check_same(results_below(options.out), expected);
  }
}

TEST_CASE("the same results with any number of ranks and threads") {
  for (std::size_t n = 0; const Case& test : cases()) {
    CAPTURE(test.name);
    const TestFolder work;
    const SelectingPipeline pipeline = checked("name: same\nseed: 7\nnodes:\n" + test.nodes);
    RunOptions alone = in_memory(2);
    alone.out = work.path / "alone";
    run_pipeline(pipeline, *shipped(), alone);
    const auto expected = results_below(alone.out);
    CHECK(expected.size() > 4);
    ++n;
    // Three ranks each day, other numbers in turn, another one for the next pipeline.
    for (std::size_t other = n;
         const auto& [ranks, threads] : {std::pair(1, 2), {2, 1}, {3, 2}, {8, 1}}) {
      if (ranks != 3 && !of_the_day(other++, 3)) continue;
      CAPTURE(ranks);
      RunOptions options = in_memory(static_cast<std::size_t>(threads));
      options.out = work.path / ("ranks" + std::to_string(ranks));
      run_on(static_cast<std::size_t>(ranks), pipeline, options);
      check_same(results_below(options.out), expected);
    }
    check_predictions(alone.out / "model", work.path,
                      test.nodes.find("pairs/sampled, count") == std::string::npos);
  }
}

TEST_CASE("the log names what learns on the first rank") {
  const SelectingPipeline pipeline = checked(
      "name: named\nnodes:\n"
      "  rows: {is: source/clusters, classes: 2, columns: 3, train: 400, test: 90}\n"
      "  x:    {is: normalizer/zscore, from: rows}\n"
      "  svm:  {is: solver/kernel_svm, kernel: {is: similarity/rbf}, from: x}\n"
      "  flat: {is: solver/linear_svm, from: x}\n"
      "  test: {is: evaluator/classification, from: svm}\n");
  const TestFolder work;
  RunOptions options = in_memory(1);
  for (const std::size_t ranks : {0, 2}) {
    options.out = work.path / std::to_string(ranks);
    run_on(ranks, pipeline, options);
    const std::string log = content(options.out / "run.log");
    const auto named = [&](const std::string& node) {
      return log.find(node + ": learns on the first rank") != std::string::npos;
    };
    CHECK(named("svm") == (ranks > 1));
    for (const char* node : {"x", "flat", "test", "rows"}) CHECK_FALSE(named(node));
  }
}

TEST_CASE("the first rank tells what others warn of, once, and who did") {
  const SelectingPipeline pipeline = checked("name: told\nnodes:\n  rows: {is: source/xor}\n");
  std::vector<std::string> told;
  on_transports(3, [&](Transport& transport) {
    RunOptions options = in_memory(1);
    options.transport = &transport;
    options.on_log = [](LogLevel, const std::string&) {};
    Session session(pipeline, *shipped(), options);
    session.journal().log(LogLevel::warning, "all see this");
    if (transport.rank() > 0) session.journal().log(LogLevel::warning, "two lines\nof \"one\"");
    if (transport.rank() == 2) session.journal().log(LogLevel::warning, "only the last one");
    session.journal().log(LogLevel::info, "nobody asks");
    log_others_warnings(session.journal(), session.ranks());
    if (transport.rank() == 0) told = session.journal().record().warnings;
  });
  CHECK(told == std::vector<std::string>{"all see this", "rank 1 on here: two lines\nof \"one\"",
                                         "rank 2 on here: only the last one"});
}

namespace {

/// Numbers, with one row that cannot be computed.
class FailingRows final : public Rows {
 public:
  FailingRows(std::size_t rows, std::size_t fails) : rows_(rows), fails_(fails) {}
  std::size_t rows() const noexcept override { return rows_; }
  std::size_t cols() const noexcept override { return 2; }
  MatrixView view(std::size_t first, std::size_t count) const override {
    if (first <= fails_ && fails_ < first + count) throw Error("row 1000 is no number");
    return values_.view().rows_range(first, count);
  }
  void release(std::size_t, std::size_t) const override {}

 private:
  std::size_t rows_, fails_;
  FloatMatrix values_{rows_, 2};
};

}  // namespace

TEST_CASE("a rank whose rows cannot be computed leaves nobody waiting for them") {
  const SelectingPipeline pipeline =
      checked("name: failing\nnodes:\n  rows: {is: source/xor, train: 3000, test: 0}\n");
  for (const std::size_t failing : {0u, 1700u, 2999u, 3000u}) {
    CAPTURE(failing);
    std::string message = "none";
    try {
      on_transports(3, [&](Transport& transport) {
        RunOptions options = in_memory(1);
        options.transport = &transport;
        fail_together(options, [&](const RunOptions& own) {
          Session session(pipeline, *shipped(), own);
          const FailingRows rows(3000, failing);
          const auto all =
              rows_on_first(session.ranks(), session.data().memory(),
                            *session.graph().facts(0).outline, rows, {0, 3000}, {2, nullptr});
          session.ranks().meet();
          CHECK((all != nullptr) == session.ranks().first());
        });
      });
    } catch (const std::exception& problem) {
      message = problem.what();
    }
    CHECK(message == (failing < 3000 ? "row 1000 is no number" : "none"));
  }
}

}  // namespace ranks_test
