// SPDX-License-Identifier: MIT
#include "semblance/plain_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <numeric>
#include <string>

#include "semblance/error.hpp"
#include "semblance/random.hpp"

namespace semblance {
namespace {

/// A fixed seed: components without randomness must not depend on the pipeline's seed.
constexpr std::uint64_t sample_seed = 1;

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

/// The differences of one checked row.
struct Difference {
  double largest = 0;
  double scale = 0;  ///< the largest value
};

Difference difference(std::span<const float> fast, std::span<const double> plain) {
  Difference found;
  for (std::size_t j = 0; j < plain.size(); ++j) {
    const double apart = std::abs(double{fast[j]} - plain[j]);
    // Comparisons with NaN are false.
    found.largest = std::isnan(apart) ? std::numeric_limits<double>::infinity()
                                      : std::max(found.largest, apart);
    if (std::isnan(apart)) break;
    found.scale = std::max(found.scale, std::abs(plain[j]));
  }
  return found;
}

/// Values of samples (rows) and bases, minus their means.
class CentredBlock {
 public:
  CentredBlock(std::size_t rows, std::size_t cols)
      : rows_(rows), cols_(cols), values_(rows * cols) {}

  double* row(std::size_t i) noexcept { return values_.data() + i * cols_; }
  double squares() const noexcept {
    return std::inner_product(values_.begin(), values_.end(), values_.begin(), 0.0);
  }
  void subtract(const CentredBlock& other) noexcept {
    std::ranges::transform(values_, other.values_, values_.begin(), std::minus());
  }
  void centre(Differences which) noexcept {
    for (std::size_t j = 0; j < cols_; ++j) {
      double mean = 0;
      for (std::size_t i = 0; i < rows_; ++i) mean += row(i)[j] / static_cast<double>(rows_);
      for (std::size_t i = 0; i < rows_; ++i) row(i)[j] -= mean;
    }
    if (which == Differences::of_samples) return;
    for (std::size_t i = 0; i < rows_; ++i) {
      const double mean = std::accumulate(row(i), row(i) + cols_, 0.0) / static_cast<double>(cols_);
      for (std::size_t j = 0; j < cols_; ++j) row(i)[j] -= mean;
    }
  }

 private:
  std::size_t rows_, cols_;
  std::vector<double> values_;
};

/// Calls body(first, count) for blocks of rows, which have several where each takes few operations:
/// handing over single ones would take longer.
void for_blocks(std::size_t rows, double operations, Context& context,
                const std::function<void(std::size_t, std::size_t)>& body) {
  constexpr double few = 1e4;
  const std::size_t at_once = operations < few ? 64 : 1;
  context.parallel_for((rows + at_once - 1) / at_once, [&](std::size_t block) {
    context.check_stop();
    body(block * at_once, std::min(at_once, rows - block * at_once));
  });
}

}  // namespace

std::vector<std::size_t> drawn_sample(std::size_t count, std::size_t most) {
  std::vector<std::size_t> drawn;
  if (count <= most) {
    for (std::size_t i = 0; i < count; ++i) drawn.push_back(i);
    return drawn;
  }
  // One from each of `most` ranges: spread over all rows, in their order.
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

void report_check(std::optional<double> error, Report& report) {
  if (error)
    report.number("check_error", *error);
  else
    report.text("check_error", not_checked);
}

void check_differences(const Similarity& similarity, MatrixView bases, MatrixView samples,
                       Differences which, Context& context) {
  // Relative to the values: differences of exact values that count as nothing, and as large.
  constexpr double nothing = 1e-13, much = 1e-4, most_lost = 0.1;
  constexpr std::size_t few = 8;
  if (!similarity.abilities().compares_plainly) return;
  const auto drawn = drawn_sample(bases.rows, few);
  CentredBlock fast(samples.rows, drawn.size()), exact(samples.rows, drawn.size());
  const double operations = similarity.operations();
  for_blocks(samples.rows, operations, context, [&](std::size_t first, std::size_t count) {
    FloatMatrix values(count, 1);
    for (std::size_t j = 0; j < drawn.size(); ++j) {
      similarity.apply_range(samples.rows_range(first, count), drawn[j], values.view(), context);
      for (std::size_t i = 0; i < count; ++i) fast.row(first + i)[j] = double{values.values[i]};
    }
  });
  const double size = std::sqrt(fast.squares());
  CentredBlock differences = fast;
  differences.centre(which);
  if (std::sqrt(differences.squares()) >= much * size) return;
  context.parallel_for(samples.rows, [&](std::size_t i) {
    context.check_stop();
    for (std::size_t j = 0; j < drawn.size(); ++j)
      similarity.compare_plainly(bases.rows_range(drawn[j], 1), samples.rows_range(i, 1),
                                 exact.row(i) + j);
  });
  fast.subtract(exact);
  fast.centre(which);
  exact.centre(which);
  const double differ = std::sqrt(exact.squares()), lost = std::sqrt(fast.squares());
  if (differ <= nothing * size || lost <= most_lost * differ) return;
  throw Error(
      "similarities are " + short_number(size / differ) +
      " times what they differ by from row to row, so that float32 has lost it, as it does "
      "where columns lie far from 0 compared with their spread; center and scale the samples "
      "(normalizer/zscore)");
}

std::optional<double> check_similarity(const Similarity& similarity, MatrixView bases,
                                       MatrixView samples, Context& context,
                                       const std::string& what) {
  if (bases.rows == 0 || samples.rows == 0) return std::nullopt;
  if (!similarity.abilities().compares_plainly) {
    context.log(LogLevel::info, what + " are not checked: the measure has no definition in double");
    return std::nullopt;
  }
  constexpr std::size_t bases_for_each = 64;
  const std::size_t stretch = std::clamp<std::size_t>(bases.rows / bases_for_each, 1, bases.rows);
  std::vector<std::size_t> firsts(samples.rows);
  Random random(sample_seed);
  for (std::size_t& first : firsts) first = random.below(bases.rows - stretch + 1);
  std::vector<Difference> found(samples.rows);
  const double operations = similarity.operations() * static_cast<double>(stretch);
  for_blocks(samples.rows, operations, context, [&](std::size_t begin, std::size_t count) {
    FloatMatrix fast(1, stretch);
    std::vector<double> exact(stretch);
    for (std::size_t i = begin; i < begin + count; ++i) {
      const MatrixView sample = samples.rows_range(i, 1);
      similarity.apply_range(sample, firsts[i], fast.view(), context);
      similarity.compare_plainly(bases.rows_range(firsts[i], stretch), sample, exact.data());
      found[i] = difference(fast.values, exact);
      // If all bases are far away, their values are negligible compared with that of the sample
      // itself.
      similarity.compare_plainly(sample, sample, exact.data());
      found[i].scale = std::max(found[i].scale, std::abs(exact.front()));
    }
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
