// SPDX-License-Identifier: MIT
#include "exchange.hpp"

#include <cmath>

#include "model_share.hpp"

namespace semblance::ml3 {

Exchange descent_exchange(const LearningSize& size, const DescentShape& shape) {
  const auto batch = double(shape.batch);
  const double rows = batch * double(size.values + shape.weights) / double(size.ranks);
  const double products = batch * ModelShare::sent(size.classes * shape.models,
                                                   size.values + (shape.bias ? 1 : 0), size.ranks);
  return {size.ranks > 1 ? sizeof(float) * (rows + products) : 0,
          shape.passes * std::ceil(double(size.rows) / batch)};
}

}  // namespace semblance::ml3
