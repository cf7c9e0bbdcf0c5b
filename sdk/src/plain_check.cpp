// SPDX-License-Identifier: MIT
#include "semblance/plain_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "semblance/error.hpp"
#include "semblance/plain_similarity.hpp"
#include "semblance/random.hpp"

namespace semblance {
namespace {

/// Components that draw nothing themselves give the same with any seed of a pipeline.
constexpr std::uint64_t sample_seed = 1;

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

/// The differences of one row of the sample.
struct Difference {
  double largest = 0;
  double scale = 0;  ///< the largest value
};

Difference difference(std::span<const float> fast, std::span<const double> plain) {
  Difference found;
  for (std::size_t j = 0; j < plain.size(); ++j) {
    const double apart = std::abs(double{fast[j]} - plain[j]);
    // No comparison with NaN is true.
    found.largest = std::isnan(apart) ? std::numeric_limits<double>::infinity()
                                      : std::max(found.largest, apart);
    if (std::isnan(apart)) break;
    found.scale = std::max(found.scale, std::abs(plain[j]));
  }
  return found;
}

}  // namespace

std::vector<std::size_t> drawn_sample(std::size_t count, std::size_t most) {
  std::vector<std::size_t> drawn;
  if (count <= most) {
    for (std::size_t i = 0; i < count; ++i) drawn.push_back(i);
    return drawn;
  }
  // One of each of `most` stretches: spread over all rows, in their order.
  Random random(sample_seed);
  for (std::size_t k = 0; k < most; ++k) {
    const std::size_t first = k * count / most, end = (k + 1) * count / most;
    drawn.push_back(first + random.below(end - first));
  }
  return drawn;
}

std::vector<std::size_t> checked_rows(std::size_t count) {
  constexpr std::size_t rows_for_each = 40, fewest = 16, most = 256;
  return drawn_sample(count, std::clamp(count / rows_for_each, fewest, most));
}

void throw_lost_values(const std::string& what, double error) {
  throw Error(what + " differ from their definition by up to " + short_number(error) +
              " of the largest (" + short_number(largest_check_error) +
              " are allowed): float32 has lost them, as it does where columns lie far from 0 "
              "compared with their spread; center and scale the samples (normalizer/zscore)");
}

std::optional<double> check_similarity(const Similarity& similarity, MatrixView bases,
                                       MatrixView samples, Context& context,
                                       const std::string& what) {
  const auto* plain = dynamic_cast<const PlainSimilarity*>(&similarity);
  if (!plain || bases.rows == 0 || samples.rows == 0) return std::nullopt;
  constexpr std::size_t bases_for_each = 64;
  const std::size_t stretch = std::clamp<std::size_t>(bases.rows / bases_for_each, 1, bases.rows);
  std::vector<std::size_t> firsts(samples.rows);
  Random random(sample_seed);
  for (std::size_t& first : firsts) first = random.below(bases.rows - stretch + 1);
  std::vector<Difference> found(samples.rows);
  context.parallel_for(samples.rows, [&](std::size_t i) {
    context.check_stop();
    const MatrixView sample = samples.rows_range(i, 1);
    FloatMatrix fast(1, stretch);
    std::vector<double> exact(stretch);
    similarity.apply_range(sample, firsts[i], fast.view(), context);
    plain->compare_plainly(bases.rows_range(firsts[i], stretch), sample, exact.data());
    found[i] = difference(fast.values, exact);
    // Where all bases are far away, their values are as good as 0 beside that of the sample itself.
    plain->compare_plainly(sample, sample, exact.data());
    found[i].scale = std::max(found[i].scale, std::abs(exact.front()));
  });
  Difference all;
  for (const Difference& one : found) {
    all.largest = std::max(all.largest, one.largest);
    all.scale = std::max(all.scale, one.scale);
  }
  if (all.largest == 0) return 0.0;
  const double error = all.scale > 0 ? all.largest / all.scale : 1;
  if (error > largest_check_error) throw_lost_values(what, error);
  return error;
}

}  // namespace semblance
