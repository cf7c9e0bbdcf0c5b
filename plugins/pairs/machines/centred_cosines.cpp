// SPDX-License-Identifier: MIT
#include "machines/centred_cosines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "semblance/samples.hpp"

namespace semblance::pairs {
namespace {

constexpr std::size_t centred_rows_at_once = 64;
constexpr std::size_t cosines_at_once = 4096;

/// Eight sums in a fixed order, which the compiler may vectorise.
float product(const float* a, const float* b, std::size_t count) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> sums{};
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes)
    for (std::size_t l = 0; l < lanes; ++l)
      sums[l] += static_cast<double>(a[k + l]) * static_cast<double>(b[k + l]);
  for (std::size_t l = 0; k < count; ++k, ++l)
    sums[l] += static_cast<double>(a[k]) * static_cast<double>(b[k]);
  double sum = 0;
  for (const double s : sums) sum += s;
  return static_cast<float>(sum);
}

float product(MatrixView rows, std::int32_t i, std::int32_t j) {
  return product(rows.row(static_cast<std::size_t>(i)), rows.row(static_cast<std::size_t>(j)),
                 rows.cols);
}

void of_list(MatrixView rows, std::span<const Pair> pairs, std::span<float> out, Context& context) {
  context.parallel_for((pairs.size() + cosines_at_once - 1) / cosines_at_once, [&](std::size_t b) {
    context.check_stop();
    const std::size_t end = std::min(pairs.size(), (b + 1) * cosines_at_once);
    for (std::size_t p = b * cosines_at_once; p < end; ++p)
      out[p] = product(rows, pairs[p].first, pairs[p].second);
  });
}

/// All pairs of some rows, by the first of them.
void of_all(MatrixView rows, const PairSet& pairs, std::span<float> out, Context& context) {
  const std::span<const std::int32_t> chosen = pairs.rows();
  const std::size_t n = chosen.size(), skipped = pairs.reflexive() ? 0 : 1;
  context.parallel_for(n, [&](std::size_t i) {
    context.check_stop();
    // Row k before it has n - skipped - k pairs.
    std::size_t p = i * (n - skipped) - (i * (i + 1) / 2 - i);
    for (std::size_t j = i + skipped; j < n; ++j) out[p++] = product(rows, chosen[i], chosen[j]);
  });
}

}  // namespace

void centre_to_unit_length(FloatMatrix& rows, std::span<const double> mean, Context& context) {
  context.parallel_for(
      (rows.rows + centred_rows_at_once - 1) / centred_rows_at_once, [&](std::size_t b) {
        context.check_stop();
        std::vector<double> centred(rows.cols);
        const std::size_t end = std::min(rows.rows, (b + 1) * centred_rows_at_once);
        for (std::size_t i = b * centred_rows_at_once; i < end; ++i) {
          float* const row = rows.view().row(i);
          double square = 0;
          for (std::size_t k = 0; k < rows.cols; ++k) {
            centred[k] = static_cast<double>(row[k]) - mean[k];
            square += centred[k] * centred[k];
          }
          const double factor = square > 0 ? 1 / std::sqrt(square) : 0;
          for (std::size_t k = 0; k < rows.cols; ++k)
            row[k] = static_cast<float>(factor * centred[k]);
        }
      });
}

void inner_products(MatrixView rows, const PairSet& pairs, std::span<float> out, Context& context) {
  if (pairs.is_list()) return of_list(rows, pairs.list(), out, context);
  of_all(rows, pairs, out, context);
}

EqualErrors equal_errors(std::vector<float> positive, std::vector<float> negative) {
  std::sort(positive.begin(), positive.end());
  std::sort(negative.begin(), negative.end());
  const auto share = [](auto count, const std::vector<float>& all) {
    return static_cast<double>(count) / static_cast<double>(all.size());
  };
  constexpr float none = std::numeric_limits<float>::infinity();
  auto p = positive.begin(), n = negative.begin();  // the first that are accepted
  const auto next = [&] {
    return std::min(p == positive.end() ? none : *p, n == negative.end() ? none : *n);
  };
  for (;;) {
    const float value = next();
    p = std::upper_bound(p, positive.end(), value);
    n = std::upper_bound(n, negative.end(), value);
    const double rejected = share(p - positive.begin(), positive);
    const double accepted = share(negative.end() - n, negative);
    if (rejected < accepted) continue;
    const float above = next() == none ? value : next();
    return {(static_cast<double>(value) + static_cast<double>(above)) / 2,
            (rejected + accepted) / 2};
  }
}

}  // namespace semblance::pairs
