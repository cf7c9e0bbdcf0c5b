// SPDX-License-Identifier: MIT
#include "semblance_numerics/distances.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "semblance_numerics/product.hpp"

namespace semblance::numerics {
namespace {

/// The number of rows whose distances to a panel are summed together.
constexpr std::size_t most_rows = 120;

/// The criterion of one pair.
class Doubt {
 public:
  Doubt(std::size_t cols, const DistanceNeed& need)
      : unit_(product_error(cols)),
        bound_(std::numeric_limits<float>::epsilon() * static_cast<float>(cols + 2)),
        need_(need) {}

  /// Whether a distance by products is too inexact, for rows whose squared lengths have this sum;
  /// true if either is NaN.
  bool operator()(float norms, float distance) const noexcept {
    const float error = unit_ * norms;
    return !(error <= need_.error || error <= need_.share * (distance - error) ||
             distance - bound_ * norms >= need_.far);
  }
  /// Whether no distance is too inexact.
  bool none(float norms) const noexcept { return unit_ * norms <= need_.error; }

 private:
  float unit_;
  float bound_;  // if all roundings of both chains go the same way
  DistanceNeed need_;
};

/// Turns products into distances and marks those in doubt; returns whether there are any.
bool to_distances(const Doubt& doubt, float a_norm, const float* b_norms, std::size_t count,
                  float* values, char* in_doubt) {
  char any = 0;
  for (std::size_t j = 0; j < count; ++j) {
    const float norms = a_norm + b_norms[j];
    values[j] = norms - (values[j] + values[j]);
    in_doubt[j] = static_cast<char>(doubt(norms, values[j]));
    any |= in_doubt[j];
  }
  return any != 0;
}

/// The part of a panel that is inside the result.
struct Part {
  std::size_t panel;
  std::size_t first;  ///< row of the panel
  std::size_t count;
  std::size_t column;  ///< of the result
};

/// Replaces the marked distances of some rows to some of a panel's rows.
void replace(MatrixView a, const PackedRows& b, const Part& part,
             std::span<const std::size_t> chosen, const std::vector<char>& in_doubt,
             MutableMatrixView c) {
  const std::size_t width = b.width();
  std::vector<float> exact(std::min(most_rows, chosen.size()) * width);
  std::vector<const float*> rows;
  std::vector<float*> results;
  for (std::size_t begin = 0; begin < chosen.size(); begin += most_rows) {
    const auto some = chosen.subspan(begin, std::min(most_rows, chosen.size() - begin));
    rows.clear();
    results.clear();
    for (std::size_t k = 0; k < some.size(); ++k) {
      rows.push_back(a.row(some[k]));
      results.push_back(exact.data() + k * width);
    }
    squared_differences(rows, b, part.panel, part.panel + 1, results);
    for (std::size_t k = 0; k < some.size(); ++k)
      for (std::size_t j = 0; j < part.count; ++j)
        if (in_doubt[some[k] * width + j] != 0)
          c.row(some[k])[part.column + j] = results[k][part.first + j];
  }
}

}  // namespace

float product_error(std::size_t cols) {
  constexpr float unit = std::numeric_limits<float>::epsilon() / 2;
  return unit * (2 + std::sqrt(static_cast<float>(cols)));
}

bool products_suffice(std::span<const float> a_norms, std::span<const float> b_norms,
                      std::size_t cols, const DistanceNeed& need) {
  if (a_norms.empty() || b_norms.empty()) return true;
  const Doubt doubt(cols, need);
  const float most_b = *std::ranges::max_element(b_norms);
  return std::ranges::all_of(b_norms, [](float norm) { return std::isfinite(norm); }) &&
         std::ranges::all_of(a_norms, [&](float norm) { return doubt.none(norm + most_b); });
}

void distances_from_products(MatrixView a, std::span<const float> a_norms, const PackedRows& b,
                             std::span<const float> b_norms, std::size_t first,
                             const DistanceNeed& need, MutableMatrixView c) {
  const Doubt doubt(a.cols, need);
  const std::size_t width = b.width();
  std::vector<char> in_doubt(a.rows * width);
  std::vector<std::size_t> chosen;
  for (std::size_t column = 0; column < c.cols;) {
    Part part{(first + column) / width, (first + column) % width, 0, column};
    part.count = std::min(width - part.first, c.cols - column);
    chosen.clear();
    for (std::size_t i = 0; i < a.rows; ++i)
      if (to_distances(doubt, a_norms[i], b_norms.data() + first + column, part.count,
                       c.row(i) + column, in_doubt.data() + i * width))
        chosen.push_back(i);
    replace(a, b, part, chosen, in_doubt, c);
    column += part.count;
  }
}

void distances_from_products(MatrixView a, std::span<const float> a_norms, const IndexedRows& b,
                             std::span<const float> b_norms, std::size_t first,
                             const DistanceNeed& need, MutableMatrixView c) {
  const Doubt doubt(a.cols, need);
  const MatrixView rows = b.view();
  std::vector<char> in_doubt(c.cols);
  for (std::size_t i = 0; i < a.rows; ++i) {
    if (!to_distances(doubt, a_norms[i], b_norms.data() + first, c.cols, c.row(i), in_doubt.data()))
      continue;
    for (std::size_t j = 0; j < c.cols; ++j)
      if (in_doubt[j] != 0) c.row(i)[j] = squared_differences(a, i, rows, first + j);
  }
}

std::vector<float> nearness_from_products(MatrixView a, const PackedRows& b,
                                          std::span<const float> b_norms, MutableMatrixView c) {
  constexpr float most_share = 1e-3F;
  std::vector<float> missing(a.rows);
  squared_norms(a, missing.data());
  if (b_norms.empty()) return missing;
  const float unit = product_error(a.cols), most_norm = *std::ranges::max_element(b_norms);
  std::vector<const float*> rows;
  std::vector<float*> distances;
  for (std::size_t i = 0; i < a.rows; ++i) {
    const auto values = c.row_span(i);
    for (std::size_t j = 0; j < values.size(); ++j) values[j] = b_norms[j] - 2 * values[j];
    const float least = *std::ranges::min_element(values) + missing[i];
    if (unit * (missing[i] + most_norm) <= most_share * least) continue;
    rows.push_back(a.row(i));
    distances.push_back(values.data());
    missing[i] = 0;
  }
  squared_differences(rows, b, 0, b.panels(), distances);
  return missing;
}

}  // namespace semblance::numerics
