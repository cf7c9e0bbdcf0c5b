// SPDX-License-Identifier: MIT
#include "latent/evaluation.hpp"

#include <array>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "semblance/collectives.hpp"
#include "semblance_numerics/product.hpp"

namespace semblance::ml3 {
namespace {

/// The sums; counts of rows are exact.
enum Sum : std::size_t { losses, errors, all_negative, sum_count };

void add(const Problem& problem, const SampleScore& score, std::size_t sample,
         std::span<const float> z, std::span<double> sums) {
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
  sums[losses] += problem.weight(sample) * std::max(0.0, 1 + double{rival} - double{own});
  sums[errors] += right ? 0 : 1;
  sums[all_negative] += own <= 0 ? 1 : 0;
}

/// Products of models with samples of a problem.
class ModelProducts {
 public:
  ModelProducts() = default;
  /// For models in stored form.
  ModelProducts(const Problem& problem, MatrixView models) : problem_(&problem), models_(models) {}

  /// A row of `z` for each of the samples.
  void multiply(std::span<const std::uint32_t> samples, MutableMatrixView z) const {
    const TrainingRows& rows = problem_->rows;
    if (problem_->listed) return multiply_listed(samples, z);
    ModelMatrix x(samples.size(), problem_->inputs());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      copy_with_bias(rows.row(samples[i]), rows.cols, rows.centre, problem_->bias, x.row(i));
      rows.release_after(i + 1);
    }
    numerics::multiply(std::as_const(x).view(), models_, z);
  }

 private:
  /// A product reads its rows once per slice of columns: so few that they stay in the second-level
  /// cache, which the next ones reach meanwhile.
  void multiply_listed(std::span<const std::uint32_t> samples, MutableMatrixView z) const {
    constexpr std::size_t few = 64;
    const ListedRows& rows = *problem_->listed;
    const auto part = [&](std::size_t first) {
      return samples.subspan(first, std::min(few, samples.size() - first));
    };
    for (const std::uint32_t i : part(0)) rows.expect(i);
    std::vector<numerics::SparseRow> listed;
    for (std::size_t first = 0; first < samples.size(); first += few) {
      if (first + few < samples.size())
        for (const std::uint32_t i : part(first + few)) rows.expect(i);
      listed.clear();
      for (const std::uint32_t i : part(first)) listed.push_back(rows.row(i));
      numerics::multiply(listed, models_, z.rows_range(first, listed.size()));
    }
  }

  const Problem* problem_ = nullptr;
  numerics::PackedRows models_;
};

}  // namespace

Evaluation evaluate(const Problem& problem, const PowerBall& ball, const ModelMatrix& w,
                    const Surroundings& surroundings) {
  return evaluate(
      problem, [&](std::size_t, std::size_t, std::span<const float> z) { return ball.score(z); }, w,
      surroundings);
}

Evaluation evaluate(const Problem& problem, const SampleScore& score, const ModelMatrix& w,
                    const Surroundings& surroundings) {
  const RowParts parts(problem.rows.rows);
  const ModelMatrix stored = stored_models(problem, w);
  const ModelProducts products(problem, stored.view());
  std::array<double, sum_count> total{};
  sum_over_parts(surroundings.context, parts, total, [&](std::size_t part, std::span<double> sums) {
    const std::size_t end = parts.first_row(part + 1);
    for (std::size_t first = parts.first_row(part); first < end; first += block_rows) {
      if (surroundings.stop()) return;
      std::vector<std::uint32_t> samples(std::min(block_rows, end - first));
      std::iota(samples.begin(), samples.end(), static_cast<std::uint32_t>(first));
      ModelMatrix z(samples.size(), w.rows());
      products.multiply(samples, z.view());
      problem.rows.release(first, samples.size());
      for (std::size_t i = 0; i < samples.size(); ++i)
        add(problem, score, samples[i], {z.row(i), w.rows()}, sums);
    }
  });
  return {total[losses] / double(problem.rows.rows), w.squared_norm(),
          static_cast<std::size_t>(total[errors]), static_cast<std::size_t>(total[all_negative])};
}

std::size_t own_weights(const Problem& problem, const PowerBall& ball, const ModelMatrix& w,
                        const Surroundings& surroundings, FloatMatrix& weights) {
  const std::size_t m = problem.models;
  std::vector<std::vector<std::uint32_t>> groups(problem.classes);
  for (std::size_t i = 0; i < problem.rows.rows; ++i)
    groups[static_cast<std::size_t>(problem.labels[i])].push_back(static_cast<std::uint32_t>(i));
  std::vector<std::span<const std::uint32_t>> blocks;
  for (const auto& group : groups)
    for (std::size_t first = 0; first < group.size(); first += block_rows)
      blocks.push_back(std::span(group).subspan(first, std::min(block_rows, group.size() - first)));

  const ModelMatrix stored = stored_models(problem, w);
  std::vector<ModelProducts> products(problem.classes);
  surroundings.parallel_for(problem.classes, [&](std::size_t y) {
    products[y] = ModelProducts(problem, stored.view().rows_range(y * m, m));
  });

  std::vector<std::size_t> zeros(blocks.size());
  surroundings.parallel_for(blocks.size(), [&](std::size_t b) {
    if (surroundings.stop()) return;
    const auto samples = blocks[b];
    const auto label = static_cast<std::size_t>(problem.labels[samples[0]]);
    ModelMatrix z(samples.size(), m);
    products[label].multiply(samples, z.view());
    for (std::size_t i = 0; i < samples.size(); ++i)
      zeros[b] += ball.weights({z.row(i), m}, weights.view().row_span(samples[i])) <= 0;
  });
  return std::accumulate(zeros.begin(), zeros.end(), std::size_t{0});
}

}  // namespace semblance::ml3
