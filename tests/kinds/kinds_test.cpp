// SPDX-License-Identifier: MIT
// A kind of node that the program does not have: one file (contrast_node.cpp) and one registration
// make its components nodes of pipelines, with everything that nodes can do.
#include <doctest/doctest.h>

#include "contrast_node.hpp"
#include "registry/discovery.hpp"
#include "runtime/results/model.hpp"
#include "runtime/results/predict.hpp"
#include "runtime/run/run.hpp"
#include "semblance/error.hpp"
#include "study/check_pipeline.hpp"
#include "support/files/npy.hpp"
#include "support/test_folder.hpp"

namespace kinds_test {

using namespace semblance;
using testing::TestFolder;

namespace {

constexpr const char* pipeline_text = R"(name: contrast
nodes:
  glyphs:  {is: source/glyphs, train_per_class: 30, test_per_class: 20}
  rough:   {is: feature/hog, cell: 8, from: glyphs}
  fine:    {is: normalizer/zscore, from: rough}
  left:    {is: contrast/projection, from: fine, against: rough}
  whole:   {is: normalizer/mean_norm, from: left}
  svm:     {is: solver/linear_svm, from: whole}
  test:    {is: evaluator/classification, from: svm}
)";

Discovery discovered(const TestFolder& work) {
  PluginSearch search;
  search.explicit_paths = {SEMBLANCE_TEST_CONTRAST, SEMBLANCE_SHIPPED_PLUGINS};
  search.manifests = work.path / "manifests";
  return discover_plugins(search);
}

RunOptions options_in(const std::filesystem::path& folder, std::size_t threads) {
  RunOptions options;
  options.out = folder / "out";
  options.cache = folder / "cache";
  options.threads = threads;
  options.memory = std::size_t{1} << 30;
  options.quiet = true;
  return options;
}

SelectingPipeline checked(const Catalogue& catalogue) {
  PipelineCheck check = check_pipeline(pipeline_text, "contrast.yaml", catalogue, {});
  INFO(render(check.diagnostics));
  REQUIRE(check.pipeline);
  return *std::move(check.pipeline);
}

std::string scores(const std::filesystem::path& out) {
  return testing::content(out / "predictions" / "svm.npy");
}

const NodeRecord& node(const RunRecord& record, const std::string& name) {
  const auto found = std::ranges::find(record.nodes, name, &NodeRecord::name);
  REQUIRE(found != record.nodes.end());
  return *found;
}

/// Once per program, since kinds cannot be removed; before, its plugin is refused.
void register_contrast() {
  static const bool once = [] {
    const TestFolder work;
    CHECK_THROWS_WITH_AS(discovered(work), doctest::Contains("'contrast/projection' is not "),
                         Error);
    add_contrast();
    return true;
  }();
  CHECK(once);
}

}  // namespace

TEST_CASE("a kind is one file and one registration") {
  const TestFolder work;
  register_contrast();
  const Discovery found = discovered(work);
  const SelectingPipeline pipeline = checked(found.catalogue);

  const RunOptions options = options_in(work.path, 2);
  const RunResult first = run_pipeline(pipeline, found.catalogue, options);
  CHECK_FALSE(node(first.record, "left").cached);
  CHECK(node(first.record, "test").metrics.at("accuracy").get<double>() > 0.8);

  SUBCASE("its rows do not depend on the number of threads, nor on the store") {
    RunOptions other = options_in(work.path / "other", 1);
    other.use_cache = false;
    run_pipeline(pipeline, found.catalogue, other);
    CHECK(scores(other.out) == scores(options.out));
  }
  SUBCASE("what it learned is taken from the store") {
    RunOptions again = options;
    again.out = work.path / "again";
    const RunResult second = run_pipeline(pipeline, found.catalogue, again);
    CHECK(node(second.record, "left").cached);
    CHECK(scores(again.out) == scores(options.out));
  }
  SUBCASE("it is part of the model") {
    const Model model = read_model(options.out / "model");
    CHECK(model.has_state.at("left"));
    RunOptions applying = options;
    applying.out = work.path / "predicted";
    predict(pipeline, found.catalogue, applying, model);
    CHECK(testing::content(applying.out / "svm.npy") == scores(options.out));
  }
}

}  // namespace kinds_test
