// SPDX-License-Identifier: MIT
#include "novelty_machine.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "named_class.hpp"
#include "training_checks.hpp"

namespace semblance::kernel {

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
  options.tolerance = options.gap = tolerance_;
  options.most_steps = static_cast<std::size_t>(max_iterations_);
  const NoveltyTask task{kernel_task(), shape_, nu_, options};
  take_functions(learn_usual(task, training, std::move(rows), report, context));
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

void NoveltyMachine::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  std::vector<double> own(shape_ == NoveltyTask::Shape::sphere ? in.rows : 0);
  if (!own.empty()) compare_with_itself(*kernel_, in, own.data());
  for_values(in, context, [&](std::size_t i, std::span<const double> values) {
    // A negative score must stay below 0 as float32.
    const double score = values[0] - (own.empty() ? 0 : own[i]);
    const auto rounded = static_cast<float>(score);
    out.row(i)[0] =
        score < 0 ? std::min(rounded, -std::numeric_limits<float>::denorm_min()) : rounded;
  });
}

}  // namespace semblance::kernel
