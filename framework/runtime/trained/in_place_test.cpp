// SPDX-License-Identifier: MIT
// Rows in a program's memory are read in place, as shown by their addresses, by what the plan
// counts, and by the memory that a training takes.
#include <doctest/doctest.h>

#include <cstdint>

#include "program.hpp"
#include "runtime/session/plan.hpp"
#include "runtime/session/session.hpp"
#include "runtime/stages/pulled_rows.hpp"
#include "runtime/trained/trained_testing.hpp"
#include "semblance/declaration.hpp"
#include "semblance/solver.hpp"
#include "study/check_pipeline.hpp"

namespace in_place_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

/// The arguments that the components below received.
struct Seen {
  const float* trained = nullptr;
  std::vector<const float*> applied;
};
Seen seen;

/// Records the addresses of its rows.
class Witness final : public Solver {
 public:
  Layout bind(const Layout&) override { return Layout::vector(2); }
  void train(const TrainingSet& training, Report&, Context&) override {
    seen.trained = training.rows.view(0, training.rows.rows()).data;
  }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    seen.applied.push_back(in.data);
    for (std::size_t i = 0; i < out.rows; ++i) out.row(i)[0] = out.row(i)[1] = 0;
  }
  static Declaration<Witness> declare() {
    Declaration<Witness> declaration("solver/witness", "Takes note of its rows");
    return declaration;
  }
};

std::shared_ptr<const Catalogue> with_witness() {
  static const auto all = [] {
    auto catalogue = std::make_shared<Catalogue>(*shipped());
    PluginOrigin origin;
    origin.name = "test";
    origin.hash = "0";
    catalogue->add(
        {Witness::declare().entry().info, std::make_shared<const PluginOrigin>(origin)},
        [](const ComponentConfig&, const Catalogue&) { return std::make_unique<Witness>(); });
    return catalogue;
  }();
  return all;
}

constexpr const char* witnessed = R"(name: clouds
nodes:
  rows: {is: source/array, data: clouds}
  svm:  {is: solver/witness, from: rows}
)";

SelectingPipeline checked_with_witness(const std::string& text) {
  PipelineCheck check = check_pipeline(text, "pipeline.yaml", *with_witness(), {});
  INFO(render(check.diagnostics));
  REQUIRE(check.pipeline);
  return *std::move(check.pipeline);
}

}  // namespace

TEST_CASE("a solver behind a source learns from the program's rows, where they lie") {
  const TwoClouds clouds(1000);
  const HandedOver given("clouds", clouds.data());
  seen = {};
  const auto trained = Trained::train(checked_with_witness(witnessed), with_witness(), in_memory());
  CHECK(seen.trained == clouds.view().data);
  trained->apply("svm", clouds.view().rows_range(10, 5));
  REQUIRE(seen.applied.size() == 1);
  CHECK(seen.applied[0] == clouds.view().row(10));
}

TEST_CASE("test rows behind the source are streamed from where they lie") {
  const TwoClouds clouds(1000);
  const HandedOver given("clouds", clouds.data(300));
  seen = {};
  Trained::train(checked_with_witness(witnessed), with_witness(), in_memory(1));
  CHECK(seen.trained == clouds.view().data);
  REQUIRE(!seen.applied.empty());
  CHECK(seen.applied[0] == clouds.view().row(700));
}

TEST_CASE("folds are copied, as their rows do not lie together; the whole is not") {
  const TwoClouds clouds(1000);
  const HandedOver given("clouds", clouds.data());
  seen = {};
  Trained::train(checked_with_witness(std::string(witnessed) +
                                      R"(  test: {is: evaluator/classification, from: svm}
select:
  metric: test.error_rate
  folds: 2
  parameters: {rows: {path: nodes.rows.test_fraction, values: [0]}}
)"),
                 with_witness(), in_memory());
  CHECK(seen.trained == clouds.view().data);
}

TEST_CASE("rows that are set aside by the seed have to be gathered") {
  const TwoClouds clouds(1000);
  const HandedOver given("clouds", clouds.data());
  seen = {};
  std::string text = witnessed;
  text.replace(text.find("clouds}"), 7, "clouds, test_fraction: 0.5}");
  Trained::train(checked_with_witness(text), with_witness(), in_memory());
  CHECK(seen.trained != nullptr);
  CHECK(seen.trained != clouds.view().data);
}

TEST_CASE("normalizers and bases look at the rows where they lie, and the plan keeps none") {
  const TwoClouds clouds(1000);
  const HandedOver given("clouds", clouds.data());
  const SelectingPipeline pipeline = checked(R"(name: clouds
nodes:
  rows:  {is: source/array, data: clouds}
  bases: {is: basis/random, count: 5, from: rows}
  rbf:   {is: similarity/rbf, from: rows, bases: bases}
  svm:   {is: solver/linear_svm, from: rows}
)");
  Session session(pipeline, *shipped(), in_memory(), {.judged_elsewhere = true});
  session.execute([&] {
    session.prepare();
    const auto rows = training_rows(session.progress(), session.data(), 0);
    CHECK(rows->view(256, 256).data == clouds.view().row(256));
  });
  CHECK(session.progress().plan().source_bytes == 0);
  CHECK(session.progress().plan().kept_bytes == 0);
}

TEST_CASE("a training takes no copy of a large array, or one where it is about the means" *
          doctest::skip(sanitized)) {
  constexpr std::size_t rows = 400'000, columns = 64;  // 98 MiB
  const auto values = std::make_shared<std::vector<float>>(rows * columns);
  BorrowedData data;
  data.layout = Layout::vector(columns);
  data.train = {values->data(), rows, columns, columns};
  data.classes = {"left", "right"};
  data.owner = values;
  Random random(1);
  for (std::size_t i = 0; i < rows; ++i) {
    data.labels.push_back(static_cast<std::int32_t>(i % 2));
    for (std::size_t c = 0; c < columns; ++c)
      (*values)[i * columns + c] =
          static_cast<float>(random.uniform() + (i % 2 == 0 && c == 0 ? 1 : 0));
  }
  const HandedOver given("large", std::make_shared<BorrowedRows>(std::move(data)));
  const std::size_t size = values->size() * sizeof(float);
  const auto taken = [&](const std::string& centres) {
    const std::size_t before = peak_memory();
    trained_on(R"(name: large
nodes:
  rows:  {is: source/array, data: large}
  x:     {is: normalizer/zscore, from: rows}
  bases: {is: basis/random, count: 10, from: x}
  rbf:   {is: similarity/rbf, from: x, bases: bases}
  svm:   {is: solver/linear_svm, from: rows, center: )" +
               centres + "}\n");
    return peak_memory() - before;
  };
  const std::size_t in_place = taken("false"), about_means = taken("true");
  MESSAGE("an array of " << (size >> 20) << " MiB took " << (in_place >> 20) << " MiB in place and "
                         << (about_means >> 20) << " MiB more about its means");
  CHECK(in_place < size / 2);
  CHECK(about_means < size + size / 4);
}

}  // namespace in_place_test
