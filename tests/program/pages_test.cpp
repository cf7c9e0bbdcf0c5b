// SPDX-License-Identifier: MIT
// The pages of runs and studies in a browser: what their readers see, on a phone and at a desk.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

#include "program.hpp"

namespace pages_test {

using namespace semblance::testing;

TEST_CASE("pages of runs and studies can be read on a phone and at a desk, in light and in dark") {
  if (std::system("command -v chromium >/dev/null 2>&1") != 0) {
    std::puts("skipped: chromium is not installed");
    return;
  }
  const Workplace work;
  work.file("evaluated.yaml", R"(name: evaluated
nodes:
  glyphs:  {is: source/glyphs, train_per_class: 10, test_per_class: 10, noise: 60}
  bases:   {is: basis/random_per_class, per_class: 3, from: glyphs}
  rbf:     {is: similarity/rbf, gamma: 1e-6, from: glyphs, bases: bases}
  svm:     {is: solver/linear_svm, from: rbf}
  test:    {is: evaluator/classification, from: svm}
  ranking: {is: evaluator/ranking, bootstrap: 50, from: svm}
  wrong:   {is: evaluator/errors, from: svm}
  map:     {is: evaluator/embedding, from: rbf}
select:
  metric: test.error_rate
  folds: 2
  parameters:
    C:     {path: nodes.svm.C, values: [1, 10]}
    gamma: {path: nodes.rbf.gamma, values: [1e-7, 1e-6]}
)");
  work.file("table.yaml", R"(name: table
nodes:
  points: {is: source/rings, train: 60, test: 200}
  svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf}, from: points}
  test:   {is: evaluator/classification, from: svm}
  plane:  {is: evaluator/boundary, from: svm}
  margin: {is: evaluator/margin, from: svm}
  wrong:  {is: evaluator/errors, from: svm}
  why:    {is: evaluator/explanations, count: 2, from: svm}
)");
  work.file("study.yaml", R"(name: study
study:
  metric: [test.error_rate, svm.train_seconds]
  baseline: {kernel: linear, C: 1}
  slots:
    kernel:
      linear: {}
      rbf:
        nodes.svm.kernel: {is: similarity/rbf}
        slots: {gamma: {path: nodes.svm.kernel.gamma, values: [0.1, 1, 10]}}
      wrong: {nodes.svm.kernel: {is: similarity/chi_square}}
    C: {path: nodes.svm.C, values: [0.1, 1, 10]}
  repeats: {seeds: 3}
nodes:
  points: {is: source/rings, train: 60, test: 60}
  svm:    {is: solver/kernel_svm, kernel: {is: similarity/linear}, from: points}
  test:   {is: evaluator/classification, from: svm}
)");
  work.succeed("run evaluated.yaml --quiet --out evaluated");
  work.succeed("run table.yaml --quiet --out table");
  work.succeed("run " SEMBLANCE_PIPELINES "/explanations.yaml --quiet --out explained");
  work.expect("ablate study.yaml --quiet --out study", 1, "chi_square compares histograms");
  const auto outcome =
      work.shell("timeout 300 python3 " PAGE_LAYOUT_SCRIPT
                 " evaluated/report.html table/report.html explained/report.html study/report.html "
                 "'study/variants/kernel=linear,C=1,seed=1/report.html' 2>&1");
  CHECK(outcome.exit == 0);
  CHECK(outcome.output == "{}\n");
}

}  // namespace pages_test
