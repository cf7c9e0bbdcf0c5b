// SPDX-License-Identifier: MIT
#include "novelty_machine.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "named_class.hpp"
#include "training_checks.hpp"

namespace semblance::kernel {
namespace {

/// A machine whose objective may be wrong by more is not called converged, whatever the tolerance.
constexpr double largest_gap = 0.01;

}  // namespace

Layout NoveltyMachine::bind(const Layout& input) {
  bind_rows(input);
  return Layout::vector(functions());
}

void NoveltyMachine::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::uint32_t> rows = common::rows_of_class(training, normal_, "normal");
  common::check_finite(training.rows, context);
  bind_rows(training.layout);
  numerics::DualOptions options;
  options.tolerance = tolerance_;
  options.gap = std::min(tolerance_, largest_gap);
  options.most_steps = static_cast<std::size_t>(max_iterations_);
  options.gradients = true;
  const NoveltyTask task{kernel_task(), shape_, nu_, options};
  const UsualFunction usual = learn_usual(task, training, std::move(rows), report, context);
  take_functions(usual.functions);
  try {
    place_threshold(usual, training, context);
  } catch (const Cancelled&) {  // a stop still requires a model
  }
  report.number("threshold", -biases().front());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

std::span<const double> NoveltyMachine::sum_biases() const {
  if (shape_ == NoveltyTask::Shape::sphere)
    throw Error(
        "its score is a distance from a centre, which holds the sample's similarity to itself "
        "beside the sum over examples");
  return biases();
}

void NoveltyMachine::for_scores(
    MatrixView in, Context& context,
    const std::function<void(std::size_t, double score, double own)>& take) const {
  std::vector<double> own(shape_ == NoveltyTask::Shape::sphere ? in.rows : 0);
  if (!own.empty()) compare_with_itself(*kernel_, in, own.data());
  for_values(in, context, [&](std::size_t i, std::span<const double> values) {
    const double subtracted = own.empty() ? 0 : own[i];
    take(i, values[0] - subtracted, subtracted);
  });
}

/// Moves the threshold so that training rows within the tolerance are usual and at most nu are
/// novel, by the scores that apply() gives them: of those near the threshold, or, where more
/// than nu are below the tolerance, of all below.
void NoveltyMachine::place_threshold(const UsualFunction& usual, const TrainingSet& training,
                                     Context& context) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  std::vector<double> scores = usual.scores;
  double largest = std::abs(biases()[0]);
  const double error = usual.error + 64 * epsilon * largest;
  const double tolerance = usual.tolerance + (std::isfinite(error) ? error : 0);
  double below = usual.tolerance + error, shift = 0;
  for (double from = error;; from = -below, below = HUGE_VAL) {
    std::vector<std::size_t> near;
    for (std::size_t k = 0; k < scores.size(); ++k)
      if (usual.scores[k] <= from && usual.scores[k] >= -below) near.push_back(k);
    for (std::size_t first = 0; first < near.size(); first += block_rows) {
      const auto some = std::span(near).subspan(first, std::min(block_rows, near.size() - first));
      std::vector<std::uint32_t> rows;
      for (const std::size_t k : some) rows.push_back(usual.rows[k]);
      const FloatMatrix samples = gather(training.rows, training.layout, rows);
      for_scores(samples.view(), context, [&](std::size_t i, double score, double own) {
        scores[some[i]] = score;
        largest = std::max(largest, std::abs(score) + std::abs(own));
      });
    }
    shift = threshold_shift(scores, usual.weights, tolerance, nu_);
    if (shift <= below) break;
  }
  if (shift > 0) raise_function(shift + 8 * epsilon * largest);
}

void NoveltyMachine::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  for_scores(in, context, [&](std::size_t i, double score, double) {
    // A negative score must stay below 0 as float32.
    const auto rounded = static_cast<float>(score);
    out.row(i)[0] =
        score < 0 ? std::min(rounded, -std::numeric_limits<float>::denorm_min()) : rounded;
  });
}

}  // namespace semblance::kernel
