// SPDX-License-Identifier: MIT
#include "pegasos.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "semblance/error.hpp"

namespace semblance::ml3 {
namespace {

class Pegasos {
 public:
  Pegasos(const Problem& problem, const FloatMatrix& weights, const PegasosOptions& options,
          Random random, const Surroundings& surroundings)
      : problem_(problem),
        options_(options),
        random_(random),
        surroundings_(surroundings),
        weighting_(problem, weights, options.order),
        order_(problem.rows.rows) {
    std::iota(order_.begin(), order_.end(), 0u);
    result_.w = ModelMatrix(problem.model_rows(), problem.inputs());
  }

  PegasosResult run() {
    while (!result_.stopped && result_.epochs.size() < options_.epochs) descend();
    if (!options_.order.empty()) make_zeros_positive();
    if (result_.stopped) return std::move(result_);
    const Evaluation evaluation = evaluate(
        problem_,
        [&](std::size_t sample, std::size_t label, std::span<const float> z) {
          return weighted_sum(class_weights(weighting_.values(sample), problem_.models, label), z);
        },
        result_.w, surroundings_);
    result_.stopped = surroundings_.stop();
    if (!result_.stopped) result_.evaluation = evaluation;
    return std::move(result_);
  }

 private:
  /// Which ones are negative depends on the products that were omitted, and so on the width of
  /// panels.
  void make_zeros_positive() {
    for (std::size_t r = 0; r < result_.w.rows(); ++r)
      for (std::size_t k = 0; k < result_.w.cols(); ++k) result_.w.row(r)[k] += 0.0F;
  }

  /// One epoch.
  void descend() {
    const std::size_t e = result_.epochs.size();
    const bool last = e + 1 == options_.epochs;
    const double s0 = 1 + double(e) * double(order_.size());
    ModelMatrix average;
    Descent descent(problem_, {options_.lambda, s0, std::sqrt(2 / options_.lambda), options_.batch},
                    weighting_, result_.w, last ? &average : nullptr, surroundings_);
    random_.shuffle(std::span(order_));
    result_.stopped = !descent.run(order_);
    const DescentOutcome outcome = descent.finish();
    if (!std::isfinite(result_.w.squared_norm()))
      throw Error("the models left the range of float32; normalize the rows or raise lambda");
    if (result_.stopped) return;
    result_.epochs.push_back(outcome);
    if (last) result_.w = std::move(average);
    surroundings_.progress(double(e + 1) / double(options_.epochs));
  }

  const Problem& problem_;
  const PegasosOptions& options_;
  Random random_;
  const Surroundings& surroundings_;
  FixedWeighting weighting_;
  std::vector<std::uint32_t> order_;
  PegasosResult result_;
};

}  // namespace

PegasosResult pegasos(const Problem& problem, const FloatMatrix& weights,
                      const PegasosOptions& options, Random random,
                      const Surroundings& surroundings) {
  return Pegasos(problem, weights, options, random, surroundings).run();
}

}  // namespace semblance::ml3
