// SPDX-License-Identifier: MIT
// The shipped pipelines that need no data set.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "program.hpp"

namespace shipped_test {

using namespace semblance::testing;

namespace {

nlohmann::json run_shipped(const Workplace& work, const std::string& name,
                           const std::string& options = "") {
  const std::string file = std::string(SEMBLANCE_PIPELINES) + "/be_svm/" + name + ".yaml";
  work.succeed("run " + file + " " + options + " --out " + (work.path / name).string());
  return work.metrics(name)["nodes"];
}

}  // namespace

TEST_CASE("figure 1 draws three decision regions; the dual BE-SVM has fewer support vectors") {
  const Workplace work;
  const auto nodes = run_shipped(work, "figure_1");
  for (const char* test : {"kernel_test", "be_exact_test", "be_normalized_test"})
    CHECK(nodes[test]["accuracy"].get<double>() > 0.8);
  CHECK(nodes["be_exact"]["support_vectors"].get<int>() <
        nodes["kernel"]["support_vectors"].get<int>());
  const std::string page = work.content("figure_1/report.html");
  for (const char* node : {"kernel_regions", "be_exact_regions", "be_normalized_regions"})
    CHECK(page.find(node) != std::string::npos);
}

TEST_CASE("margins are those of the solvers' squared norms") {
  const Workplace work;
  const auto nodes = run_shipped(work, "margins");
  for (const auto& [margin, solver] :
       {std::pair{"be_margin", "be_dual"}, std::pair{"kernel_margin", "kernel"},
        std::pair{"nystrom_margin", "reduced"}}) {
    const auto& problems = nodes[solver]["problems"];
    const auto& columns = problems["columns"];
    const auto column = std::find(columns.begin(), columns.end(), "squared norm");
    REQUIRE(column != columns.end());
    const double norm = problems["values"][0][column - columns.begin()];
    CHECK(nodes[margin]["smallest_margin"].get<double>() == doctest::Approx(1 / norm));
  }
}

TEST_CASE("a similarity matrix from a file: BE-SVM as it is, a kernel machine once repaired") {
  const Workplace work;
  const std::string data = "--data " + std::string(SEMBLANCE_PIPELINES) + "/be_svm";
  const auto nodes = run_shipped(work, "own_similarity", data);
  CHECK(nodes["test"]["accuracy"].get<double>() > 0.9);
  CHECK(nodes["kernel_test"]["accuracy"].get<double>() > 0.9);
  CHECK(nodes["spectrum"]["negative_ratio"].get<double>() > 0);
  CHECK(nodes["kernel"]["smallest_eigenvalue"].get<double>() < 0);

  const std::string file = std::string(SEMBLANCE_PIPELINES) + "/be_svm/own_similarity.yaml";
  work.expect("run " + file + " " + data + " --set nodes.kernel.repair=refuse", 1, "indefinite");
}

}  // namespace shipped_test
