// SPDX-License-Identifier: MIT
#include "semblance_numerics/far_column.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "semblance_numerics/distances.hpp"

namespace semblance::numerics {
namespace {

/// The moments of each column.
struct Moments {
  std::vector<double> means, variances;
};

template <class Body>
void for_each_value(MatrixView rows, const Body& body) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const auto values = rows.row_span(i);
    for (std::size_t k = 0; k < values.size(); ++k)
      body(rows.sparse() ? std::size_t{rows.columns_of(i)[k]} : k, double{values[k]});
  }
}

Moments moments(MatrixView rows) {
  const auto n = static_cast<double>(std::max(rows.rows, std::size_t{1}));
  Moments m{std::vector<double>(rows.cols), std::vector<double>(rows.cols)};
  std::vector<double> counts(rows.cols);
  for_each_value(rows, [&](std::size_t k, double x) { m.means[k] += x / n; });
  for_each_value(rows, [&](std::size_t k, double x) {
    m.variances[k] += (x - m.means[k]) * (x - m.means[k]) / n;
    ++counts[k];
  });
  for (std::size_t k = 0; k < rows.cols; ++k)  // the zeros of sparse rows
    m.variances[k] += (1 - counts[k] / n) * m.means[k] * m.means[k];
  return m;
}

}  // namespace

double lost_by_products(MatrixView rows) {
  const Moments m = moments(rows);
  double length = 0, spread = 0;
  for (std::size_t k = 0; k < rows.cols; ++k) {
    length += m.means[k] * m.means[k] + m.variances[k];
    spread += m.variances[k];
  }
  return spread > 0 ? double{product_error(rows.cols)} * length / spread : 0;
}

std::string far_column(MatrixView rows) {
  const Moments m = moments(rows);
  std::size_t worst = 0;
  double most = -1;
  for (std::size_t k = 0; k < rows.cols; ++k) {
    if (m.variances[k] == 0) continue;
    const double ratio = m.means[k] * m.means[k] / m.variances[k];
    if (ratio <= most) continue;
    most = ratio;
    worst = k;
  }
  char text[160];
  std::snprintf(text, sizeof text,
                "column %zu (counted from 0), whose values are %.4g on average and differ by %.2g "
                "from that",
                worst, m.means.at(worst), std::sqrt(m.variances.at(worst)));
  return text;
}

}  // namespace semblance::numerics
