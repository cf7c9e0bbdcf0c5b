// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "oracle_data.hpp"

namespace semblance::oracle {

/// LIBLINEAR's result: `vectors` weight vectors of `length` values, the bias weight last.
struct Weights {
  std::size_t length = 0;
  std::vector<std::int32_t> classes;  ///< the class of each vector
  std::vector<double> values;

  double at(std::size_t vector, std::size_t j) const { return values[vector * length + j]; }
};

/// LIBLINEAR called by hand; `type` is the number of its option -s. `class_weights`: one per class,
/// or none.
Weights liblinear(const Data& data, int type, double cost, double bias, double eps,
                  const std::vector<double>& class_weights = {});

/// The decision value of a vector for row i.
double decision(const Data& data, std::size_t i, const Weights& weights, std::size_t vector,
                double bias);

}  // namespace semblance::oracle
