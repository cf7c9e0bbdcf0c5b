// SPDX-License-Identifier: MIT
#include "coding/centres.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "semblance/collectives.hpp"
#include "semblance/error.hpp"
#include "semblance_numerics/distances.hpp"
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

std::vector<std::uint32_t> some_rows(std::size_t rows, std::size_t count, Random& random) {
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0u);
  random.shuffle(std::span(order));
  order.resize(std::min(count, rows));
  return order;
}

FloatMatrix copies(const TrainingRows& rows, std::span<const std::uint32_t> numbers) {
  FloatMatrix copies(numbers.size(), rows.cols);
  for (std::size_t i = 0; i < numbers.size(); ++i) rows.copy(numbers[i], copies.view().row(i));
  return copies;
}

bool stopped(const Context& context) { return context.stop_requested() != StopReason::none; }

/// Lloyd's iterations on some rows: distances by matrix products, sums in double up the tree over
/// the parts of all rows. A centre that is nearest to no row stays unchanged.
class Lloyd {
 public:
  Lloyd(const TrainingRows& rows, std::vector<std::uint32_t> numbers, FloatMatrix& centres,
        Context& context)
      : parts_(rows.rows),
        centres_(centres),
        context_(context),
        sums_(centres.rows * (centres.cols + 1) + 1),
        squares_(centres.rows) {
    const auto part_of = [&](std::uint32_t number) { return parts_.part_of(number); };
    std::ranges::stable_sort(numbers, {}, part_of);
    rows_ = copies(rows, numbers);
    for (std::size_t part = 0; part <= parts_.count(); ++part)
      firsts_.push_back(static_cast<std::size_t>(
          std::ranges::lower_bound(numbers, part, {}, part_of) - numbers.begin()));
  }

  /// Returns the sum of squared distances to the nearest centres, before they move.
  double iterate() {
    packed_ = numerics::PackedRows(std::as_const(centres_).view());
    numerics::squared_norms(std::as_const(centres_).view(), squares_.data());
    sum_over_parts(context_, parts_, sums_, [&](std::size_t part, std::span<double> sums) {
      add(firsts_[part], firsts_[part + 1], sums);
    });
    const double energy = sums_.back();
    if (stopped(context_)) return energy;
    for (std::size_t j = 0; j < centres_.rows; ++j) {
      const double* sum = sums_.data() + j * (centres_.cols + 1);
      const double count = sum[centres_.cols];
      for (std::size_t k = 0; count > 0 && k < centres_.cols; ++k)
        centres_.values[j * centres_.cols + k] = static_cast<float>(sum[k] / count);
    }
    return energy;
  }

 private:
  /// Adds the nearest rows to each centre's sum, which is followed by their number; the energy
  /// comes last.
  void add(std::size_t first, std::size_t end, std::span<double> sums) const {
    FloatMatrix products(std::min(block_rows, end - first), centres_.rows);
    for (; first < end && !stopped(context_); first += block_rows) {
      const MatrixView block = rows_.view().rows_range(first, std::min(block_rows, end - first));
      const MutableMatrixView near = products.view().rows_range(0, block.rows);
      numerics::multiply(block, packed_, near);
      const auto missing = numerics::nearness_from_products(block, packed_, squares_, near);
      for (std::size_t i = 0; i < block.rows; ++i) {
        const auto values = near.row_span(i);
        const auto least = std::ranges::min_element(values);
        const auto centre = static_cast<std::size_t>(least - values.begin());
        double* sum = sums.data() + centre * (centres_.cols + 1);
        for (std::size_t k = 0; k < centres_.cols; ++k) sum[k] += double{block.row(i)[k]};
        ++sum[centres_.cols];
        sums.back() += std::max(0.0, double{*least} + double{missing[i]});
      }
    }
  }

  const RowParts parts_;
  FloatMatrix rows_;                 // by their part
  std::vector<std::size_t> firsts_;  // row of each part, and their number
  FloatMatrix& centres_;
  Context& context_;
  std::vector<double> sums_;
  std::vector<float> squares_;  // of the centres
  numerics::PackedRows packed_;
};

}  // namespace

FloatMatrix spread_rows(const FloatMatrix& rows, std::size_t count, Context& context) {
  VlRand* const random = vl_get_rand();
  const auto distance = vl_get_vector_comparison_function_f(VlDistanceL2);
  std::vector<float> distances(rows.rows);
  std::vector<float> nearest(rows.rows, std::numeric_limits<float>::infinity());
  FloatMatrix chosen(count, rows.cols);
  std::size_t row = vl_rand_uindex(random, rows.rows);
  for (std::size_t c = 0; c < count; ++c) {
    if (stopped(context)) row = c;
    const auto share = static_cast<float>(vl_rand_real1(random));
    std::ranges::copy(rows.view().row_span(row), chosen.view().row(c));
    if (c + 1 == count || stopped(context)) continue;
    vl_eval_vector_comparison_on_all_pairs_f(distances.data(), rows.cols, chosen.view().row(c), 1,
                                             rows.values.data(), rows.rows, distance);
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

FloatMatrix k_means(const TrainingRows& rows, std::size_t centres, Random random,
                    Context& context) {
  if (rows.rows < centres)
    throw Error(std::to_string(rows.rows) + " training rows are too few for " +
                std::to_string(centres) + " centres; use fewer models");
  std::vector<std::uint32_t> sample = some_rows(rows.rows, centres * rows_a_centre, random);
  // Its random stream is per thread.
  vl_rand_seed(vl_get_rand(), static_cast<vl_uint32>(random.bits()));
  FloatMatrix result = spread_rows(copies(rows, sample), centres, context);
  Lloyd lloyd(rows, std::move(sample), result, context);
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most_iterations && !stopped(context); ++i) {
    const double energy = lloyd.iterate();
    if (energy >= before * (1 - small_gain)) break;
    before = energy;
  }
  return result;
}

void InverseDistances::weights(std::span<const float> row, std::span<float> weights) const {
  std::vector<std::pair<float, std::size_t>> distances(centres_.rows);
  for (std::size_t j = 0; j < centres_.rows; ++j)
    distances[j] = {std::sqrt(squared_distance(row, centres_.view().row(j))), j};
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
