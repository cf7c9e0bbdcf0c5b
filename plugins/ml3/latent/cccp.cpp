// SPDX-License-Identifier: MIT
#include "latent/cccp.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "semblance/error.hpp"

namespace semblance::ml3 {

namespace {

class Cccp {
 public:
  Cccp(const Problem& problem, const PowerBall& ball, const CccpOptions& options, Random random,
       const Surroundings& surroundings, ModelMatrix from)
      : problem_(problem),
        ball_(ball),
        options_(options),
        random_(random),
        surroundings_(surroundings),
        warm_(from.rows() > 0),
        weights_seed_(warm_ ? 0 : random_.bits()),
        order_(problem.rows.rows) {
    std::iota(order_.begin(), order_.end(), 0u);
    result_.w = warm_ ? std::move(from) : ModelMatrix(problem.model_rows(), problem.inputs());
  }

  CccpResult run() {
    bool complete = start();
    if (complete) own_ = FloatMatrix(problem_.rows.rows, problem_.models);
    for (std::size_t t = 1; complete && t <= options_.iterations; ++t) complete = iterate(t);
    if (complete)
      result_.evaluation = options_.trace && options_.iterations > 0
                               ? result_.iterations.back().evaluation
                               : evaluate(problem_, ball_, result_.w, surroundings_);
    result_.stopped = !complete || surroundings_.stop();
    if (result_.stopped) result_.evaluation.reset();
    return std::move(result_);
  }

 private:
  bool start() {
    if (warm_) {
      result_.iterations.emplace_back();
      return true;
    }
    RandomWeighting weighting(problem_, ball_, options_.start, weights_seed_, surroundings_);
    return descend(weighting, 0, nullptr);
  }

  bool iterate(std::size_t t) {
    const std::size_t all_negative = own_weights(problem_, ball_, result_.w, surroundings_, own_);
    if (surroundings_.stop()) return false;
    LatentWeighting weighting(problem_, ball_, own_);
    ModelMatrix average;
    if (!descend(weighting, t, t == options_.iterations ? &average : nullptr)) return false;
    result_.iterations.back().all_negative = all_negative;
    if (t == options_.iterations) result_.w = std::move(average);
    if (!options_.trace) return true;
    result_.iterations.back().evaluation = evaluate(problem_, ball_, result_.w, surroundings_);
    return true;
  }

  bool descend(Weighting& weighting, std::size_t t, ModelMatrix* average) {
    const double rows = double(problem_.rows.rows);
    const double s0 =
        2 * rows * double(options_.epochs) * double(options_.before + std::max<std::size_t>(t, 1));
    const double radius = std::sqrt(2 * rows / options_.lambda);
    Descent descent(problem_, {options_.lambda, s0, radius, options_.batch}, weighting, result_.w,
                    average, surroundings_);
    bool complete = true;
    for (std::size_t epoch = 0; complete && epoch < options_.epochs; ++epoch) {
      random_.shuffle(std::span(order_));
      for (std::size_t next = 0; complete && next < order_.size();) {
        const std::size_t end = std::min(next + samples_a_piece, order_.size());
        next = descent.run(order_, next, end);
        complete = next >= end;
        const double done = double(t * options_.epochs + epoch) + double(next) / rows;
        if (complete)
          surroundings_.progress(done / double((options_.iterations + 1) * options_.epochs));
      }
    }
    CccpIteration iteration;
    iteration.descent = descent.finish();
    if (!std::isfinite(result_.w.squared_norm()))
      throw Error("the models left the range of float32; normalize the rows or raise lambda");
    if (complete) result_.iterations.push_back(iteration);
    return complete;
  }

  const Problem& problem_;
  const PowerBall& ball_;
  const CccpOptions& options_;
  Random random_;
  const Surroundings& surroundings_;
  const bool warm_;
  const std::uint64_t weights_seed_;
  std::vector<std::uint32_t> order_;
  FloatMatrix own_;
  CccpResult result_;
};

}  // namespace

CccpResult minimise(const Problem& problem, const PowerBall& ball, const CccpOptions& options,
                    Random random, const Surroundings& surroundings, ModelMatrix from) {
  return Cccp(problem, ball, options, random, surroundings, std::move(from)).run();
}

}  // namespace semblance::ml3
