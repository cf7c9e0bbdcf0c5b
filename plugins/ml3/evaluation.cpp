// SPDX-License-Identifier: MIT
#include "evaluation.hpp"

#include <limits>
#include <numeric>
#include <vector>

#include "semblance_numerics/product.hpp"

namespace semblance::ml3 {
namespace {

constexpr std::size_t rows_a_part = 256;

ModelMatrix gather(const Problem& problem, std::span<const std::uint32_t> samples) {
  ModelMatrix x(samples.size(), problem.inputs());
  for (std::size_t i = 0; i < samples.size(); ++i)
    copy_with_bias(problem.rows.row(samples[i]), problem.rows.cols, problem.bias, x.row(i));
  return x;
}

void add(const Problem& problem, const SampleScore& score, std::size_t sample,
         std::span<const float> z, Evaluation& sums) {
  const std::size_t m = problem.models;
  const auto label = static_cast<std::size_t>(problem.labels[sample]);
  const float own = score(sample, label, z.subspan(label * m, m));
  float rival = -std::numeric_limits<float>::infinity();
  bool right = true;
  for (std::size_t y = 0; y < problem.classes; ++y) {
    if (y == label) continue;
    const float other = score(sample, y, z.subspan(y * m, m));
    right = right && (y < label ? other < own : other <= own);
    rival = std::max(rival, other);
  }
  sums.losses += std::max(0.0, 1 + double{rival} - double{own});
  sums.errors += !right;
  sums.all_negative += own <= 0;
}

}  // namespace

Evaluation evaluate(const Problem& problem, const PowerBall& ball, const ModelMatrix& w,
                    const Surroundings& surroundings) {
  return evaluate(
      problem, [&](std::size_t, std::size_t, std::span<const float> z) { return ball.score(z); }, w,
      surroundings);
}

Evaluation evaluate(const Problem& problem, const SampleScore& score, const ModelMatrix& w,
                    const Surroundings& surroundings) {
  const std::size_t rows = problem.rows.rows;
  const numerics::PackedRows packed(w.view());
  std::vector<Evaluation> parts((rows + rows_a_part - 1) / rows_a_part);
  surroundings.parallel_for(parts.size(), [&](std::size_t b) {
    if (surroundings.stop()) return;
    std::vector<std::uint32_t> samples(std::min(rows_a_part, rows - b * rows_a_part));
    std::iota(samples.begin(), samples.end(), static_cast<std::uint32_t>(b * rows_a_part));
    ModelMatrix z(samples.size(), w.rows());
    numerics::multiply(gather(problem, samples).view(), packed, z.view());
    for (std::size_t i = 0; i < samples.size(); ++i)
      add(problem, score, samples[i], {z.row(i), w.rows()}, parts[b]);
  });
  Evaluation sums;
  for (const Evaluation& part : parts) {
    sums.losses += part.losses;
    sums.errors += part.errors;
    sums.all_negative += part.all_negative;
  }
  sums.losses /= double(rows);
  sums.squared_norm = w.squared_norm();
  return sums;
}

std::size_t own_weights(const Problem& problem, const PowerBall& ball, const ModelMatrix& w,
                        const Surroundings& surroundings, FloatMatrix& weights) {
  const std::size_t m = problem.models;
  std::vector<std::vector<std::uint32_t>> groups(problem.classes);
  for (std::size_t i = 0; i < problem.rows.rows; ++i)
    groups[static_cast<std::size_t>(problem.labels[i])].push_back(static_cast<std::uint32_t>(i));
  std::vector<std::span<const std::uint32_t>> blocks;
  for (const auto& group : groups)
    for (std::size_t first = 0; first < group.size(); first += rows_a_part)
      blocks.push_back(
          std::span(group).subspan(first, std::min(rows_a_part, group.size() - first)));

  std::vector<std::size_t> zeros(blocks.size());
  surroundings.parallel_for(blocks.size(), [&](std::size_t b) {
    if (surroundings.stop()) return;
    const auto samples = blocks[b];
    const auto label = static_cast<std::size_t>(problem.labels[samples[0]]);
    ModelMatrix z(samples.size(), m);
    numerics::multiply(gather(problem, samples).view(),
                       numerics::PackedRows(w.view().rows_range(label * m, m)), z.view());
    for (std::size_t i = 0; i < samples.size(); ++i)
      zeros[b] += ball.weights({z.row(i), m}, {weights.values.data() + samples[i] * m, m}) <= 0;
  });
  return std::accumulate(zeros.begin(), zeros.end(), std::size_t{0});
}

}  // namespace semblance::ml3
