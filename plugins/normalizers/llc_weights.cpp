// SPDX-License-Identifier: MIT
#include "llc_weights.hpp"

#include <Eigen/Cholesky>

namespace semblance::normalizers {
namespace {

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
