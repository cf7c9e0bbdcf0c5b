// SPDX-License-Identifier: MIT
#include "fixed_weighting.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "semblance/error.hpp"

namespace semblance::ml3 {

float weighted_sum(std::span<const float> weights, std::span<const float> z) {
  float sum = 0;
  for (std::size_t j = 0; j < weights.size(); ++j)
    if (weights[j] != 0) sum += weights[j] * z[j];
  return sum;
}

Judgement FixedWeighting::judge(std::size_t sample, std::size_t, std::span<const float> z,
                                std::span<float> own, std::span<float> rival) {
  const std::size_t m = problem_.models;
  const auto label = static_cast<std::size_t>(problem_.labels[sample]);
  const std::span<const float> weights(weights_.values.data() + sample * m, m);
  Judgement result;
  result.rival_score = -std::numeric_limits<float>::infinity();
  for (std::size_t y = 0; y < problem_.classes; ++y) {
    const float score = weighted_sum(weights, z.subspan(y * m, m));
    if (y == label) {
      result.own_linear = result.own_score = score;
    } else if (score > result.rival_score) {
      result.rival_score = score;
      result.rival = y;
    }
  }
  std::copy_n(weights.data(), m, own.data());
  std::copy_n(weights.data(), m, rival.data());
  return result;
}

FixedResult minimise_fixed(const Problem& problem, const FloatMatrix& weights,
                           const FixedOptions& options, Random random,
                           const Surroundings& surroundings) {
  FixedResult result{ModelMatrix(problem.model_rows(), problem.inputs()), {}, {}, false};
  FixedWeighting weighting(problem, weights);
  std::vector<std::uint32_t> order(problem.rows.rows);
  std::iota(order.begin(), order.end(), 0u);
  const double radius = std::sqrt(2 / options.lambda);
  for (std::size_t e = 0; e < options.epochs && !result.stopped; ++e) {
    const bool last = e + 1 == options.epochs;
    const double s0 = 1 + double(e) * double(order.size());
    ModelMatrix average;
    Descent descent(problem, {options.lambda, s0, radius, options.batch}, weighting, result.w,
                    last ? &average : nullptr, surroundings);
    random.shuffle(std::span(order));
    result.stopped = !descent.run(order);
    const DescentOutcome outcome = descent.finish();
    if (!std::isfinite(result.w.squared_norm()))
      throw Error("the models left the range of float32; normalize the rows or raise lambda");
    if (result.stopped) break;
    result.epochs.push_back(outcome);
    if (last) result.w = std::move(average);
    surroundings.progress(double(e + 1) / double(options.epochs));
  }
  if (result.stopped) return result;
  const Evaluation evaluation = evaluate(
      problem,
      [&](std::size_t sample, std::span<const float> z) {
        return weighted_sum({weights.values.data() + sample * z.size(), z.size()}, z);
      },
      result.w, surroundings);
  result.stopped = surroundings.stop();
  if (!result.stopped) result.evaluation = evaluation;
  return result;
}

}  // namespace semblance::ml3
