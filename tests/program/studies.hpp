// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "pipelines.hpp"

/// Studies that several tests run, of a second or two.
namespace semblance::testing {

/// small_pipeline, varied: 3 x 2 x 2 combinations, over two seeds; about a second of work.
inline std::string small_study(const std::string& more = "") {
  const std::string pipeline = small_pipeline;
  return R"(name: small_study
study:
  metric: test.error_rate
  baseline: {features: mean, map: mean, C: 1}
  slots:
    features:
      none:   {bypass: x}
      zscore: {nodes.x.is: normalizer/zscore}
      mean:   {}
    map:
      rbf:  {drop: rigid}
      mean: {}
    C: {path: nodes.svm.C, values: [0.1, 1]}
  repeats: {seeds: 2}
)" + more +
         pipeline.substr(pipeline.find("nodes:"));
}

/// Two good variants, one whose feature throws while rows are computed, one where it cannot bind.
inline const char* const failing_study = R"(name: failing
study:
  metric: test.error_rate
  slots:
    f:
      as_is:  {}
      apply:  {nodes.f: {is: feature/throwing, where: apply, from: glyphs}}
      bind:   {nodes.f: {is: feature/throwing, where: bind, from: glyphs}}
      nowhere: {nodes.f: {is: feature/throwing, where: nowhere, from: glyphs}}
nodes:
  glyphs: {is: source/glyphs, train_per_class: 10, test_per_class: 5}
  f:   {is: feature/pixels, from: glyphs}
  x:   {is: normalizer/zscore, from: f}
  svm: {is: solver/linear_svm, from: x}
  test: {is: evaluator/classification, from: svm}
)";

/// The checkerboard in steps; `first` and `second` are additional settings of the steps.
inline std::string board_in_steps(const std::string& first = "", const std::string& second = "") {
  return R"(name: walk
study:
  metric: test.eer
  slots:
    kernel:
      SD: {nodes.svm.kernel.is: pair_kernel/symmetric_direct_sum}
      ML: {}
    examples: {path: nodes.points.examples_per_class, values: [4, 5]}
    classes: {path: nodes.points.classes, values: [20, 25, 30]}
  steps:
    pair: {choose: kernel, nodes.points.task: pair, nodes.pairs.held_out: 0.25)" +
         first + R"(}
    interexample: {choose: examples, nodes.points.task: interexample)" +
         second + R"(}
    interclass: {choose: classes, within: 0.99}
  repeats: {seeds: 2}
nodes:
  points: {is: source/checkerboard, side: 25, task: interclass, classes: 30, examples_per_class: 5, test_classes: 20}
  pairs:  {is: pairs/all, from: points}
  svm:    {is: solver/pairwise_newton, kernel: {is: pair_kernel/metric_learning}, C: 1, from: points, pairs: pairs}
  test:   {is: evaluator/verification, from: svm}
)";
}

}  // namespace semblance::testing
