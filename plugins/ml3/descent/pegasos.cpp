// SPDX-License-Identifier: MIT
#include "descent/pegasos.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "semblance/error.hpp"

namespace semblance::ml3 {
PegasosResult pegasos(const Problem& problem, const FloatMatrix& weights,
                      const PegasosOptions& options, Random random,
                      const Surroundings& surroundings) {
  FixedWeighting weighting(problem, weights);
  std::vector<std::uint32_t> order(problem.rows.rows);
  std::iota(order.begin(), order.end(), 0u);
  PegasosResult result;
  result.w = ModelMatrix(problem.model_rows(), problem.inputs());
  for (std::size_t e = 0; e < options.epochs && !result.stopped; ++e) {
    const bool last = e + 1 == options.epochs;
    const double s0 = 1 + double(e) * double(order.size());
    ModelMatrix average;
    Descent descent(problem, {options.lambda, s0, std::sqrt(2 / options.lambda), options.batch},
                    weighting, result.w, last ? &average : nullptr, surroundings);
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
      [&](std::size_t sample, std::size_t label, std::span<const float> z) {
        return weighted_sum(class_weights(weighting.values(sample), problem.models, label), z);
      },
      result.w, surroundings);
  result.stopped = surroundings.stop();
  if (!result.stopped) result.evaluation = evaluation;
  return result;
}

}  // namespace semblance::ml3
