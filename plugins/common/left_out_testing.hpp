// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "layout_testing.hpp"
#include "saved_bits_testing.hpp"
#include "semblance/component_testing.hpp"
#include "semblance/left_out_scores.hpp"
#include "semblance/plugin_testing.hpp"
#include "semblance/solver.hpp"

/// The scores that a training gives what it leaves out, beside trainings without each sample.
namespace semblance::common::testing {

using namespace semblance::testing;

/// The training data of any solver.
struct AllSamples {
  FloatMatrix values;
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;
  std::vector<double> targets;
  std::vector<std::string> names;
  std::vector<double> weights;

  std::size_t scores() const { return names.empty() ? classes.size() : names.size(); }
};

/// The data without one sample.
inline AllSamples without(const AllSamples& all, std::size_t left_out) {
  AllSamples others{
      FloatMatrix(all.values.rows - 1, all.values.cols), {}, all.classes, {}, all.names, {}};
  for (std::size_t i = 0, to = 0; i < all.values.rows; ++i) {
    if (i == left_out) continue;
    copy_rows(all.values.view().rows_range(i, 1), others.values.view().rows_range(to++, 1));
    if (!all.labels.empty()) others.labels.push_back(all.labels[i]);
    for (std::size_t k = 0; k < all.names.size(); ++k)
      others.targets.push_back(all.targets[i * all.names.size() + k]);
    if (!all.weights.empty()) others.weights.push_back(all.weights[i]);
  }
  return others;
}

/// Trains on the data, also for the scores of what is left out if `left_out` has rows.
inline MemoryReport train_on(Learner& solver, const AllSamples& all, MutableMatrixView left_out) {
  TestContext context;
  MemoryReport report;
  const MemoryRows rows(all.values);
  const Layout layout = layout_of(all.values);
  const std::vector<std::int32_t> unknown(all.values.rows, -1);
  solver.bind(layout);
  TrainingSet set{rows, layout, all.labels.empty() ? unknown : all.labels, all.classes};
  set.targets = all.targets;
  set.target_names = all.names;
  set.weights = all.weights;
  if (left_out.rows == 0)
    solver.train(set, report, context);
  else
    dynamic_cast<LeftOutScores&>(solver).train_leaving_out(set, left_out, report, context);
  return report;
}

/// Checks the scores of each sample that is left out against those of a new training without it,
/// and that asking for them changes nothing that is learned. `make`: the solver, with the penalty
/// or cost that it has chosen before.
inline void check_left_out(
    const AllSamples& all, double tolerance,
    const std::function<std::unique_ptr<Learner>(const MemoryReport*)>& make) {
  const auto whole = make(nullptr), asked = make(nullptr);
  FloatMatrix found(all.values.rows, all.scores());
  const MemoryReport report = train_on(*asked, all, found.view());
  train_on(*whole, all, {});
  CHECK(saved_bits(*whole) == saved_bits(*asked));
  TestContext context;
  for (std::size_t i = 0; i < all.values.rows; ++i) {
    CAPTURE(i);
    const auto other = make(&report);
    train_on(*other, without(all, i), {});
    FloatMatrix expected(1, all.scores());
    other->apply(all.values.view().rows_range(i, 1), expected.view(), context);
    for (std::size_t k = 0; k < all.scores(); ++k)
      REQUIRE(found.values[i * all.scores() + k] ==
              doctest::Approx(expected.values[k]).epsilon(tolerance).scale(1));
  }
}

}  // namespace semblance::common::testing
