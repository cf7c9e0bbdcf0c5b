// SPDX-License-Identifier: MIT
#include "problem.hpp"

namespace semblance::ml3 {

TrainingRows::TrainingRows(const Rows& all, Context& context, bool center,
                           std::span<const double> weights)
    : MatrixView(all.view(0, all.rows())), source_(&all) {
  if (center) centre = column_means(all, weights, context);
}

ModelMatrix stored_models(const Problem& problem, const ModelMatrix& w) {
  ModelMatrix stored(w.rows(), problem.stored_inputs());
  for (std::size_t r = 0; r < w.rows(); ++r) {
    std::copy_n(w.row(r), w.cols(), stored.row(r));
    if (!problem.listed) continue;
    double along = 0;
    for (std::size_t k = 0; k < problem.rows.cols; ++k)
      along += double{w.row(r)[k]} * double{problem.listed->background()[k]};
    stored.row(r)[w.cols() + 1] = static_cast<float>(along);
  }
  return stored;
}

ModelMatrix plain_models(const Problem& problem, ModelMatrix stored) {
  if (!problem.listed) return stored;
  ModelMatrix w(stored.rows(), problem.inputs());
  for (std::size_t r = 0; r < w.rows(); ++r) {
    std::copy_n(stored.row(r), w.cols(), w.row(r));
    const float b = stored.row(r)[w.cols()];
    for (std::size_t k = 0; k < problem.rows.cols; ++k)
      w.row(r)[k] += b * problem.listed->background()[k];
  }
  return w;
}

std::vector<double> mean_one(std::vector<double> weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight *= double(weights.size()) / sum;
  return weights;
}

}  // namespace semblance::ml3
