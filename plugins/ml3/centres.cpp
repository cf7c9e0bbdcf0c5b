// SPDX-License-Identifier: MIT
#include "centres.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "semblance/error.hpp"
#include "semblance_numerics/packed_rows.hpp"
#include "semblance_numerics/product.hpp"

extern "C" {
#include <vl/generic.h>
#include <vl/mathop.h>
#include <vl/random.h>
}

namespace semblance::ml3 {
namespace {

constexpr std::size_t rows_a_centre = 100;
constexpr int most_iterations = 50;
constexpr double small_gain = 1e-4;

FloatMatrix some_rows(MatrixView rows, std::size_t count, Random& random) {
  std::vector<std::size_t> order(rows.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(std::span(order));
  FloatMatrix chosen(std::min(count, rows.rows), rows.cols);
  for (std::size_t i = 0; i < chosen.rows; ++i)
    std::copy_n(rows.row(order[i]), rows.cols, chosen.values.data() + i * rows.cols);
  return chosen;
}

/// Lloyd's iterations on all rows: distances by matrix products, sums in double. A centre that no
/// row is nearest to stays where it is.
class Lloyd {
 public:
  Lloyd(MatrixView rows, FloatMatrix& centres, const std::function<bool()>& stop)
      : rows_(rows),
        centres_(centres),
        stop_(stop),
        squares_(rows.rows),
        nearest_(rows.rows),
        products_(std::min(block, rows.rows), centres.rows) {
    numerics::squared_norms(rows, squares_.data());
  }

  /// Returns the sum of squared distances to the nearest centres, before they move.
  double iterate() {
    const double energy = assign();
    if (stop_()) return energy;
    std::vector<double> sums(centres_.values.size());
    std::vector<std::size_t> counts(centres_.rows);
    for (std::size_t i = 0; i < rows_.rows; ++i) {
      ++counts[nearest_[i]];
      double* sum = sums.data() + nearest_[i] * centres_.cols;
      for (std::size_t k = 0; k < centres_.cols; ++k) sum[k] += double{rows_.row(i)[k]};
    }
    for (std::size_t j = 0; j < centres_.rows; ++j)
      for (std::size_t k = 0; counts[j] > 0 && k < centres_.cols; ++k)
        centres_.values[j * centres_.cols + k] =
            static_cast<float>(sums[j * centres_.cols + k] / double(counts[j]));
    return energy;
  }

 private:
  static constexpr std::size_t block = 256;

  double assign() {
    const numerics::PackedRows packed(std::as_const(centres_).view());
    std::vector<float> squares(centres_.rows);
    numerics::squared_norms(std::as_const(centres_).view(), squares.data());
    double energy = 0;
    for (std::size_t first = 0; first < rows_.rows && !stop_(); first += block) {
      const std::size_t count = std::min(block, rows_.rows - first);
      numerics::multiply(rows_.rows_range(first, count), packed,
                         products_.view().rows_range(0, count));
      for (std::size_t i = 0; i < count; ++i) {
        const float* p = products_.values.data() + i * centres_.rows;
        float least = std::numeric_limits<float>::infinity();
        for (std::size_t j = 0; j < centres_.rows; ++j) {
          const float distance = squares[j] - 2 * p[j];
          if (distance >= least) continue;
          least = distance;
          nearest_[first + i] = j;
        }
        energy += std::max(0.0, double{least} + double{squares_[first + i]});
      }
    }
    return energy;
  }

  MatrixView rows_;
  FloatMatrix& centres_;
  const std::function<bool()>& stop_;
  std::vector<float> squares_;
  std::vector<std::size_t> nearest_;
  FloatMatrix products_;
};

}  // namespace

FloatMatrix spread_rows(MatrixView rows, std::size_t count, const std::function<bool()>& stop) {
  VlRand* const random = vl_get_rand();
  const auto distance = vl_get_vector_comparison_function_f(VlDistanceL2);
  std::vector<float> distances(rows.rows);
  std::vector<float> nearest(rows.rows, std::numeric_limits<float>::infinity());
  FloatMatrix chosen(count, rows.cols);
  std::size_t row = vl_rand_uindex(random, rows.rows);
  for (std::size_t c = 0; c < count; ++c) {
    if (stop()) row = c;
    const auto share = static_cast<float>(vl_rand_real1(random));
    std::copy_n(rows.row(row), rows.cols, chosen.view().row(c));
    if (c + 1 == count || stop()) continue;
    vl_eval_vector_comparison_on_all_pairs_f(distances.data(), rows.cols, chosen.view().row(c), 1,
                                             rows.data, rows.rows, distance);
    float sum = 0, seen = 0;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      nearest[i] = std::min(nearest[i], distances[i]);
      sum += nearest[i];
    }
    for (row = 0; row + 1 < rows.rows; ++row) {
      seen += nearest[row];
      if (seen >= share * sum) break;
    }
  }
  return chosen;
}

FloatMatrix k_means(MatrixView rows, std::size_t centres, Random random,
                    const std::function<bool()>& stop) {
  if (rows.rows < centres)
    throw Error(std::to_string(rows.rows) + " training rows are too few for " +
                std::to_string(centres) + " centres; use fewer models");
  const FloatMatrix sample = some_rows(rows, centres * rows_a_centre, random);
  // Its random stream belongs to the thread.
  vl_rand_seed(vl_get_rand(), static_cast<vl_uint32>(random.bits()));
  FloatMatrix result = spread_rows(sample.view(), centres, stop);
  Lloyd lloyd(sample.view(), result, stop);
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most_iterations && !stop(); ++i) {
    const double energy = lloyd.iterate();
    if (energy >= before * (1 - small_gain)) break;
    before = energy;
  }
  return result;
}

void InverseDistances::weights(std::span<const float> row, std::span<float> weights) const {
  constexpr std::size_t lanes = 8;
  const std::size_t cols = centres_.cols;
  std::vector<std::pair<float, std::size_t>> distances(centres_.rows);
  for (std::size_t j = 0; j < centres_.rows; ++j) {
    const float* centre = centres_.values.data() + j * cols;
    float sums[lanes] = {};
    std::size_t k = 0;
    for (; k + lanes <= cols; k += lanes)
      for (std::size_t l = 0; l < lanes; ++l) {
        const float d = row[k + l] - centre[k + l];
        sums[l] += d * d;
      }
    for (; k < cols; ++k) sums[0] += (row[k] - centre[k]) * (row[k] - centre[k]);
    distances[j] = {std::sqrt(std::accumulate(sums, sums + lanes, 0.0f)), j};
  }
  const std::size_t count = std::min(neighbours_, distances.size());
  const auto end = distances.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(distances.begin(), end, distances.end());
  std::fill(weights.begin(), weights.end(), 0.0f);
  const float nearest = distances[0].first;
  if (nearest == 0) {
    weights[distances[0].second] = 1;
    return;
  }
  float sum = 0;
  for (auto d = distances.begin(); d != end; ++d) sum += nearest / d->first;
  for (auto d = distances.begin(); d != end; ++d) weights[d->second] = nearest / d->first / sum;
}

}  // namespace semblance::ml3
