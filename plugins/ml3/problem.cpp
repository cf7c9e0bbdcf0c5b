// SPDX-License-Identifier: MIT
#include "problem.hpp"

namespace semblance::ml3 {

TrainingRows::TrainingRows(const Rows& all, Context& context) : rows(all.rows()), cols(all.cols()) {
  const OwnParts parts = context.collectives().own(RowParts(rows));
  first_row = parts.first_row;
  own = parts.rows > 0 ? all.view(first_row, parts.rows) : MatrixView{nullptr, 0, cols, cols};
}

std::vector<double> mean_one(std::vector<double> weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight *= double(weights.size()) / sum;
  return weights;
}

}  // namespace semblance::ml3
