// SPDX-License-Identifier: MIT
#include "descent/sparse_pegasos.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "semblance/error.hpp"

namespace semblance::ml3 {
namespace {

constexpr double smallest_sparse_scale = 1e-9;
constexpr std::size_t steps_between_stops = 256;

/// Calls body(input, value) for all values of a row and its constant.
template <class Body>
void for_each_value(std::span<const Entry> row, double bias, std::size_t cols, const Body& body) {
  for (const auto& [column, value] : row) body(std::size_t{column}, double{value});
  if (bias != 0) body(cols, bias);
}

/// W = scale V, with the data for the average of its iterates: their sum is scales V - done. See
/// Descent for the reason.
class Iterate {
 public:
  Iterate(const SparseProblem& problem, const PegasosOptions& options)
      : problem_(problem),
        lambda_(options.lambda),
        radius_squared_(2 / options.lambda),
        v_(problem.inputs() * problem.classes),
        scores_(problem.classes) {}

  void begin_epoch(double s0, bool average) {
    multiply_scale_in();
    s0_ = s0;
    done_.assign(average ? v_.size() : 0, 0.0);
    scales_ = 0;
    outcome_ = {};
  }

  void step(std::size_t sample) {
    const auto row = problem_.rows.row(sample);
    const auto label = static_cast<std::size_t>(problem_.labels[sample]);
    const std::size_t rival = judge(row, label);
    const double loss = 1 + scores_[rival] - scores_[label];
    ++outcome_.steps;
    outcome_.errors += scores_[label] <= scores_[rival];
    const double weight = problem_.weight(sample);
    outcome_.losses += weight * std::max(0.0, loss);

    const double moment = double(outcome_.steps) + s0_, shrink = 1 - 1 / moment;
    scale_ *= shrink;
    squared_norm_ *= shrink * shrink;
    if (loss > 0 && weight > 0)
      update(row, label, rival, weight / (lambda_ * moment), shrink * (1 - loss));
    project();
    scales_ += scale_;
    if (scale_ < smallest_sparse_scale) multiply_scale_in();
  }

  const DescentOutcome& outcome() const { return outcome_; }

  /// W, or the average of the epoch's iterates.
  void copy_to(FloatMatrix& weights) const {
    for (std::size_t i = 0; i < v_.size(); ++i)
      weights.values[i] = static_cast<float>(
          done_.empty() ? scale_ * v_[i] : (scales_ * v_[i] - done_[i]) / double(outcome_.steps));
  }

 private:
  std::size_t judge(std::span<const Entry> row, std::size_t label) {
    std::fill(scores_.begin(), scores_.end(), 0.0);
    const std::size_t classes = problem_.classes;
    for_each_value(row, problem_.bias, problem_.rows.cols, [&](std::size_t k, double x) {
      const double* v = v_.data() + k * classes;
      for (std::size_t y = 0; y < classes; ++y) scores_[y] += x * v[y];
    });
    std::size_t rival = label == 0 ? 1 : 0;
    for (std::size_t y = 0; y < classes; ++y) {
      scores_[y] *= scale_;
      if (y != label && scores_[y] > scores_[rival]) rival = y;
    }
    return rival;
  }

  /// `gain`: the own score minus the rival's, for the shrunk iterate.
  void update(std::span<const Entry> row, std::size_t label, std::size_t rival, double eta,
              double gain) {
    const double factor = eta / scale_;
    double length = 0;
    for_each_value(row, problem_.bias, problem_.rows.cols, [&](std::size_t k, double x) {
      length += x * x;
      const std::size_t own = k * problem_.classes + label, other = k * problem_.classes + rival;
      v_[own] += factor * x;
      v_[other] -= factor * x;
      if (done_.empty()) return;
      done_[own] += scales_ * factor * x;
      done_[other] -= scales_ * factor * x;
    });
    squared_norm_ += 2 * eta * gain + 2 * eta * eta * length;
    ++outcome_.updates;
  }

  void project() {
    squared_norm_ = std::max(squared_norm_, 0.0);
    if (squared_norm_ <= radius_squared_) return;
    scale_ *= std::sqrt(radius_squared_ / squared_norm_);
    squared_norm_ = radius_squared_;
    ++outcome_.projections;
  }

  void multiply_scale_in() {
    for (std::size_t i = 0; i < done_.size(); ++i) done_[i] -= scales_ * v_[i];
    for (double& v : v_) v *= scale_;
    scales_ = 0;
    scale_ = 1;
  }

  const SparseProblem& problem_;
  const double lambda_;
  const double radius_squared_;
  std::vector<double> v_;
  std::vector<double> done_;
  std::vector<double> scores_;
  double scale_ = 1;
  double scales_ = 0;
  double squared_norm_ = 0;
  double s0_ = 1;
  DescentOutcome outcome_;
};

Evaluation evaluate_sparse(const SparseProblem& problem, const FloatMatrix& weights,
                           const Surroundings& surroundings) {
  constexpr std::size_t block = 256;
  std::vector<Evaluation> parts((problem.rows.rows() + block - 1) / block);
  surroundings.parallel_for(parts.size(), [&](std::size_t b) {
    std::vector<double> scores(problem.classes);
    const std::size_t end = std::min((b + 1) * block, problem.rows.rows());
    for (std::size_t i = b * block; i < end; ++i) {
      sparse_scores(problem.rows.row(i), problem.bias, weights.view(), scores);
      const auto label = static_cast<std::size_t>(problem.labels[i]);
      double rival = -std::numeric_limits<double>::infinity();
      bool right = true;
      for (std::size_t y = 0; y < problem.classes; ++y) {
        if (y == label) continue;
        rival = std::max(rival, scores[y]);
        right = right && (y < label ? scores[y] < scores[label] : scores[y] <= scores[label]);
      }
      parts[b].losses += problem.weight(i) * std::max(0.0, 1 + rival - scores[label]);
      parts[b].errors += !right;
      parts[b].all_negative += scores[label] <= 0;
    }
  });
  Evaluation sums;
  for (const Evaluation& part : parts) {
    sums.losses += part.losses;
    sums.errors += part.errors;
    sums.all_negative += part.all_negative;
  }
  sums.losses /= double(problem.rows.rows());
  for (const float w : weights.values) sums.squared_norm += double{w} * double{w};
  return sums;
}

}  // namespace

void sparse_scores(std::span<const Entry> row, double bias, MatrixView weights,
                   std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  const std::size_t cols = weights.rows - (bias != 0 ? 1 : 0);
  for_each_value(row, bias, cols, [&](std::size_t k, double x) {
    const float* w = weights.row(k);
    for (std::size_t y = 0; y < out.size(); ++y) out[y] += x * double{w[y]};
  });
}

PegasosOutcome sparse_pegasos(const SparseProblem& problem, const PegasosOptions& options,
                              Random random, const Surroundings& surroundings,
                              FloatMatrix& weights) {
  PegasosOutcome result;
  weights = FloatMatrix(problem.inputs(), problem.classes);
  Iterate iterate(problem, options);
  std::vector<std::uint32_t> order(problem.rows.rows());
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t e = 0; e < options.epochs && !result.stopped; ++e) {
    iterate.begin_epoch(1 + double(e) * double(order.size()), e + 1 == options.epochs);
    random.shuffle(std::span(order));
    for (std::size_t s = 0; s < order.size(); ++s) {
      if (s % steps_between_stops == 0 && surroundings.stop()) {
        result.stopped = true;
        break;
      }
      iterate.step(order[s]);
    }
    if (result.stopped) break;
    result.epochs.push_back(iterate.outcome());
    surroundings.progress(double(e + 1) / double(options.epochs));
  }
  if (!result.stopped || iterate.outcome().steps > 0) iterate.copy_to(weights);
  for (const float w : weights.values)
    if (!std::isfinite(w))
      throw Error("the models left the range of float32; normalize the rows or raise lambda");
  if (result.stopped) return result;
  const Evaluation evaluation = evaluate_sparse(problem, weights, surroundings);
  result.stopped = surroundings.stop();
  if (!result.stopped) result.evaluation = evaluation;
  return result;
}

std::size_t sparse_pegasos_bytes(std::size_t inputs, std::size_t classes) noexcept {
  return inputs * classes * (2 * sizeof(double) + sizeof(float));
}

}  // namespace semblance::ml3
