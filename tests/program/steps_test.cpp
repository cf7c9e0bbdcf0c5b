// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "program.hpp"
#include "studies.hpp"

namespace steps_test {

using namespace semblance::testing;

TEST_CASE("a study in steps goes on with what each step chose, and reports the choices") {
  const Workplace work;
  work.file("s.yaml", board_in_steps());
  const auto checked = work("check s.yaml");
  INFO(checked.output);
  REQUIRE(checked.exit == 0);
  CHECK(checked.output.find("in 3 steps can run: pair with 4 variants, interexample with 4 "
                            "variants, interclass with 6 variants") != std::string::npos);
  const auto outcome = work("ablate s.yaml --out out");
  INFO(outcome.output);
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.output.find("step pair: kernel=ML") != std::string::npos);

  const auto study = nlohmann::json::parse(work.content("out/study.json"));
  REQUIRE(study["steps"].size() == 3);
  CHECK(study["steps"][0]["chosen"]["kernel"] == "ML");
  // Within 99 % of the best is everything, so the first is taken.
  CHECK(study["steps"][2]["chosen"]["classes"] == "20");
  CHECK(study["methods"].size() == 2 + 2 + 3);
  const std::string examples = study["steps"][1]["chosen"]["examples"];
  CHECK(study["methods"][6]["choices"] == nlohmann::json({"interclass", "ML", examples, "30"}));
  for (std::size_t s = 0; s < 3; ++s) {
    const auto& step = study["steps"][s];
    const auto& mine = step["trials"];
    double least = 1;
    for (const auto& trial : mine) least = std::min(least, trial["mean"].get<double>());
    if (s < 2) CHECK(step["mean"] == least);
  }
  // Each step is a separate study, with the previous choices in its pipelines.
  const std::string resolved =
      work.content("out/steps/interclass/variants/classes=25,seed=1/pipeline.yaml");
  CHECK(resolved.find("pair_kernel/metric_learning") != std::string::npos);
  CHECK(resolved.find("examples_per_class: " + examples) != std::string::npos);
  CHECK(resolved.find("classes: 25") != std::string::npos);
  CHECK(work.metrics("out/steps/pair/variants/kernel=SD,seed=2")["nodes"]["test"]["eer"] ==
        study["methods"][0]["measurements"][1]["value"]);
  const std::string page = work.content("out/report.html");
  for (const char* part : {"Step 1: pair", "Step 3: interclass", "Chosen: kernel=ML",
                           "steps/interexample/report.html"})
    CHECK_MESSAGE(page.find(part) != std::string::npos, part);
  CHECK(work("compare out --out tables").exit == 0);
}

TEST_CASE("a step that cannot be run ends the study, what was chosen before is kept") {
  const Workplace work;
  work.file("s.yaml", board_in_steps("", ", nodes.svm.kernel.is: pair_kernel/asymmetric_tensor"));
  work.expect("ablate s.yaml --out out", 1, "step interexample failed");
  CHECK(nlohmann::json::parse(work.content("out/study.json"))["steps"].size() == 1);
}

}  // namespace steps_test
