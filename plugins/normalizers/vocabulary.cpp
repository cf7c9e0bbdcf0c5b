// SPDX-License-Identifier: MIT
#include "vocabulary.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "semblance/error.hpp"
#include "semblance/samples.hpp"
#include "semblance_numerics/distances.hpp"
#include "semblance_numerics/product.hpp"

namespace semblance::normalizers {
namespace {

constexpr std::size_t step = 240;  // whole groups of rows, see numerics::multiply

double squared_distance(const float* a, const float* b, std::size_t count) {
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double d = double(a[k]) - double(b[k]);
    sum += d * d;
  }
  return sum;
}

FloatMatrix drawn_rows(MatrixView sample, std::size_t count, Random& random) {
  std::vector<std::size_t> order(sample.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  FloatMatrix rows(count, sample.cols);
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(order[i], order[i + random.below(sample.rows - i)]);
    std::copy_n(sample.row(order[i]), sample.cols, rows.view().row(i));
  }
  return rows;
}

std::vector<std::uint32_t> assign(const Vocabulary& words, MatrixView sample, Context& context) {
  std::vector<std::uint32_t> nearest(sample.rows);
  context.parallel_for(block_count(sample.rows), [&](std::size_t b) {
    context.check_stop();
    const std::size_t first = b * block_rows, count = std::min(block_rows, sample.rows - first);
    words.nearest(sample.rows_range(first, count), 1, std::span(nearest).subspan(first, count));
  });
  return nearest;
}

/// The rows of each word, ascending.
std::vector<std::vector<std::size_t>> members(std::span<const std::uint32_t> nearest,
                                              std::size_t words) {
  std::vector<std::vector<std::size_t>> all(words);
  for (std::size_t i = 0; i < nearest.size(); ++i) all[nearest[i]].push_back(i);
  return all;
}

/// Rows by their distance to their word, the farthest first.
std::vector<std::size_t> farthest_first(const FloatMatrix& words, MatrixView sample,
                                        std::span<const std::uint32_t> nearest) {
  std::vector<std::pair<double, std::size_t>> distances;
  for (std::size_t i = 0; i < sample.rows; ++i)
    distances.emplace_back(
        -squared_distance(sample.row(i), words.view().row(nearest[i]), sample.cols), i);
  std::sort(distances.begin(), distances.end());
  std::vector<std::size_t> rows;
  for (const auto& [distance, row] : distances) rows.push_back(row);
  return rows;
}

/// The mean of each word's rows.
FloatMatrix means(const FloatMatrix& words, MatrixView sample,
                  std::span<const std::uint32_t> nearest, Context& context) {
  const auto rows = members(nearest, words.rows);
  FloatMatrix next = words;
  context.parallel_for(words.rows, [&](std::size_t w) {
    if (rows[w].empty()) return;
    std::vector<double> sum(sample.cols, 0.0);
    for (const std::size_t i : rows[w])
      for (std::size_t k = 0; k < sample.cols; ++k) sum[k] += sample.row(i)[k];
    for (std::size_t k = 0; k < sample.cols; ++k)
      next.view().row(w)[k] = static_cast<float>(sum[k] / double(rows[w].size()));
  });
  const auto empty = [](const auto& own) { return own.empty(); };
  if (std::none_of(rows.begin(), rows.end(), empty)) return next;
  const auto far = farthest_first(words, sample, nearest);
  for (std::size_t w = 0, taken = 0; w < words.rows; ++w)
    if (rows[w].empty()) std::copy_n(sample.row(far[taken++]), sample.cols, next.view().row(w));
  return next;
}

using Matrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_llc_words, most_llc_words>;
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_llc_words, 1>;

/// Products of all pairs of (word - origin); origin may be null.
Matrix products(std::span<const float* const> words, const float* origin, std::size_t depth) {
  const auto count = static_cast<Eigen::Index>(words.size());
  Matrix gram(count, count);
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      const float *a = words[static_cast<std::size_t>(i)], *b = words[static_cast<std::size_t>(j)];
      double sum = 0;
      for (std::size_t k = 0; k < depth; ++k) {
        const double o = origin ? double(origin[k]) : 0.0;
        sum += (double(a[k]) - o) * (double(b[k]) - o);
      }
      gram(i, j) = gram(j, i) = sum;
    }
  return gram;
}

}  // namespace

Vocabulary::Vocabulary(FloatMatrix words)
    : words_(std::move(words)), packed_(words_.view()), norms_(words_.rows) {
  numerics::squared_norms(words_.view(), norms_.data());
}

Vocabulary Vocabulary::learn(MatrixView sample, std::size_t words, std::size_t iterations,
                             Random random, Context& context) {
  if (sample.rows < words)
    throw Error(std::to_string(sample.rows) + " descriptors are too few for " +
                std::to_string(words) +
                " words; use fewer words, a larger sample or more training rows");
  Vocabulary current(drawn_rows(sample, words, random));
  std::vector<std::uint32_t> before;
  for (std::size_t i = 0; i < iterations; ++i) {
    auto nearest = assign(current, sample, context);
    if (nearest == before) break;
    current = Vocabulary(means(current.words(), sample, nearest, context));
    before = std::move(nearest);
    context.progress(double(i + 1), double(iterations));
  }
  return current;
}

void Vocabulary::nearest(MatrixView descriptors, std::size_t count,
                         std::span<std::uint32_t> out) const {
  FloatMatrix products(std::min(step, descriptors.rows), size());
  std::vector<float> distances(count);
  for (std::size_t first = 0; first < descriptors.rows; first += step) {
    const std::size_t rows = std::min(step, descriptors.rows - first);
    const MatrixView part = descriptors.rows_range(first, rows);
    const MutableMatrixView near = products.view().rows_range(0, rows);
    numerics::multiply(part, packed_, near);
    numerics::nearness_from_products(part, packed_, norms_, near);
    for (std::size_t i = 0; i < rows; ++i) {
      std::uint32_t* best = out.data() + (first + i) * count;
      std::size_t found = 0;
      for (std::size_t w = 0; w < size(); ++w) {
        const float distance = near.row(i)[w];
        if (found == count && !(distance < distances[count - 1])) continue;
        std::size_t at = found < count ? found++ : count - 1;
        for (; at > 0 && distance < distances[at - 1]; --at) {
          distances[at] = distances[at - 1];
          best[at] = best[at - 1];
        }
        distances[at] = distance;
        best[at] = static_cast<std::uint32_t>(w);
      }
    }
  }
}

void llc_weights(std::span<const float> x, std::span<const float* const> words, double beta,
                 bool sum_to_one, std::span<float> weights) {
  const auto count = static_cast<Eigen::Index>(words.size());
  Matrix gram = products(words, sum_to_one ? x.data() : nullptr, x.size());
  Vector right = Vector::Ones(count);
  if (!sum_to_one)
    for (Eigen::Index i = 0; i < count; ++i) {
      const float* word = words[static_cast<std::size_t>(i)];
      double sum = 0;
      for (std::size_t k = 0; k < x.size(); ++k) sum += double(word[k]) * double(x[k]);
      right(i) = sum;
    }
  const double trace = gram.trace();
  Vector solution = sum_to_one ? right : Vector::Zero(count);
  if (trace > 0) {
    gram.diagonal().array() += beta * trace;
    solution = gram.ldlt().solve(right);
  }
  if (sum_to_one) solution /= solution.sum();
  for (Eigen::Index i = 0; i < count; ++i)
    weights[static_cast<std::size_t>(i)] = static_cast<float>(solution(i));
}

}  // namespace semblance::normalizers
