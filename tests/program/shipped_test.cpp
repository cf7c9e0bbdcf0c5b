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

}  // namespace shipped_test
