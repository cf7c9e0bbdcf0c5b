// SPDX-License-Identifier: MIT
#include "localized/localized_svm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "semblance/error.hpp"

namespace semblance::ml3 {

namespace {

// Measured on ringnorm and spambase, where 150 to 350 variables are free.
constexpr std::size_t working_set = 384;

// Measured on the same data.
constexpr std::size_t pairs_before_newton = 700;

constexpr std::size_t most_pair_steps = 10'000'000;

constexpr std::size_t most_halvings = 12;

constexpr double sufficient = 1e-4;  // of the decrease that the gradient promises

class Trainer {
 public:
  Trainer(MatrixView rows, std::span<const signed char> labels, std::size_t kernels,
          const LocalizedOptions& options, Context& context)
      : options_(options),
        context_(context),
        surroundings_{context},
        kernel_(rows, options.centre, kernels),
        rows_(kernel_.rows()),
        dual_options_{.tolerance = options.tolerance,
                      .most_steps = most_pair_steps,
                      .working_set = working_set,
                      .pairs_before_newton = pairs_before_newton,
                      .gap = options.tolerance} {
    problem_.direct = &kernel_;
    problem_.parts = {{0, rows.rows}};
    problem_.labels.assign(labels.begin(), labels.end());
    problem_.costs.assign(rows.rows, options.cost);
    for (std::size_t i = 0; i < options.weights.size(); ++i)
      problem_.costs[i] *= options.weights[i];
  }

  LocalizedSvm run(Gating start) {
    accept(*solve(std::move(start), std::numeric_limits<double>::infinity()));
    first_gradient_ = std::sqrt(squared_gradient_);
    double step = first_step();
    while (!stopped() && result_.objectives.size() <= options_.iterations) {
      const double before = best_.objective;
      const bool advanced = advance(step);
      const double gain = before - best_.objective;
      if (advanced && before != 0)
        result_.convergence.record(result_.objectives.size() - 1, gain / std::abs(before));
      if (!advanced || gain < options_.least_gain * std::abs(before))
        return finish(Certificate::converged);
      step *= 2;
    }
    return finish(Certificate::iteration_limit);
  }

 private:
  /// A gating with its machine.
  struct Point {
    Gating gating;
    std::vector<double> gates;
    numerics::DualSolution machine;
    double objective = 0;
  };

  bool stopped() const { return context_.stop_requested() != StopReason::none; }

  /// The machine of a gating, starting from the best one; or nothing, once J is known to be above
  /// `limit`.
  std::optional<Point> solve(Gating gating, double limit) {
    Point point;
    point.gates = gates_of(gating, rows_, surroundings_);
    point.gating = std::move(gating);
    kernel_.set_gates(point.gates);
    ++result_.machines;
    numerics::DualSolver solver(problem_, dual_options_, context_);
    if (!best_.gates.empty()) solver.resume(warm_start(point));
    // The dual only rises to J.
    const auto too_high = [&] { return -solver.dual() > limit; };
    if (too_high() || !solver.advance(too_high)) return {};
    point.machine = solver.take();
    point.objective = -point.machine.dual;
    return point;
  }

  /// Starts at the best machine's coefficients, which are feasible for any gates, with the
  /// gradients there.
  numerics::DualState warm_start(const Point& point) const {
    const VectorColumns weights = local_weights(rows_, point.gates, point.gating.kernels,
                                                best_.machine.coefficients, surroundings_);
    std::vector<double> gradients = local_values(rows_, point.gates, weights, surroundings_);
    for (std::size_t i = 0; i < gradients.size(); ++i) gradients[i] -= problem_.labels[i];
    return numerics::warm_start(best_.machine, std::move(gradients));
  }

  void accept(Point point) {
    best_ = std::move(point);
    result_.objectives.push_back(best_.objective);
    const std::vector<double>& coefficients = best_.machine.coefficients;
    weights_ = local_weights(rows_, best_.gates, best_.gating.kernels, coefficients, surroundings_);
    gradient_ = dual_gradient(rows_, best_.gates, weights_, coefficients, surroundings_);
    squared_gradient_ = 0;
    for (const double g : gradient_.values) squared_gradient_ += g * g;
    if (!std::isfinite(squared_gradient_))
      throw Error(
          "the gradient with respect to the gates overflows; lower C, or scale the rows "
          "(normalizer/unit_length, normalizer/zscore)");
  }

  /// A step that changes the gating by as much as a start of unit variance has.
  double first_step() const {
    return squared_gradient_ > 0
               ? std::sqrt(double(gradient_.values.size()) / squared_gradient_) * 0.1
               : 0;
  }

  /// Whether a step was found that lowers J; `step` is then its length.
  bool advance(double& step) {
    if (squared_gradient_ == 0) return false;
    for (std::size_t halving = 0; halving < most_halvings && !stopped(); ++halving, step /= 2) {
      Gating next = best_.gating;
      for (std::size_t k = 0; k < next.values.size(); ++k)
        next.values[k] -= step * gradient_.values[k];
      const double limit = best_.objective - sufficient * step * squared_gradient_;
      std::optional<Point> point = solve(std::move(next), limit);
      // A stopped machine has a dual below its maximum, which proves nothing.
      if (stopped()) return true;
      if (!point || !(point->objective <= limit)) continue;
      accept(std::move(*point));
      return true;
    }
    return false;
  }

  LocalizedSvm finish(Certificate certificate) {
    if (stopped())
      certificate = stop_certificate(context_);
    else if (best_.machine.certificate != Certificate::converged)
      certificate = best_.machine.certificate;
    result_.certificate = certificate;
    result_.weights = weights_.rows();
    result_.bias = best_.machine.bias;
    result_.gradient_norm =
        first_gradient_ > 0 ? std::sqrt(squared_gradient_) / first_gradient_ : 0;
    result_.vectors = best_.machine.vectors;
    result_.gating = std::move(best_.gating);
    return std::move(result_);
  }

  const LocalizedOptions& options_;
  Context& context_;
  Surroundings surroundings_;
  LocalizedRows kernel_;
  MatrixView rows_;
  numerics::DualOptions dual_options_;
  numerics::DualProblem problem_;
  Point best_;
  VectorColumns weights_;
  Gating gradient_;
  double squared_gradient_ = 0;
  double first_gradient_ = 0;
  LocalizedSvm result_;
};

}  // namespace

LocalizedRows::LocalizedRows(MatrixView rows, std::span<const double> centre, std::size_t kernels)
    : rows_(rows.rows), cols_(rows.cols), kernels_(kernels), vectors_(rows_ * stride()) {
  std::fill_n(vectors_.data(), vectors_.size(), 0.0F);
  double largest = 0;
  for (std::size_t i = 0; i < rows_; ++i) {
    float* row = vectors_.data() + i * stride();
    copy_about(centre, rows.row(i), cols_, row);
    largest = std::max(largest, std::inner_product(row, row + cols_, row, 0.0));
  }
  constexpr double most = 1e37;  // with room for sums of float32
  if (largest > most)
    throw Error(
        "float32 cannot hold the products of rows whose squared length exceeds 1e37; scale the "
        "rows (normalizer/unit_length, normalizer/zscore)");
}

void LocalizedRows::set_gates(const std::vector<double>& gates) {
  gates_ = &gates;
  float* second = vectors_.data() + TwoParts::size(cols_, 0);
  for (std::size_t i = 0; i < rows_; ++i, second += stride())
    std::transform(gates.data() + i * kernels_, gates.data() + (i + 1) * kernels_, second,
                   [](double eta) { return static_cast<float>(eta); });
}

void LocalizedRows::values(std::uint32_t variable, std::span<const std::uint32_t> others,
                           float* out) const {
  kernel_values({vectors_.data(), cols_, kernels_}, variable, others, out);
}

void LocalizedRows::add(std::span<const std::uint32_t> variables, std::span<const double> factors,
                        std::span<double> sums, Context& context) const {
  VectorColumns weights(kernels_, cols_);
  std::vector<double> shares(variables.size() * weights.stride());
  std::vector<const float*> x;
  x.reserve(variables.size());
  for (std::size_t r = 0; r < variables.size(); ++r) {
    const double* eta = gates_->data() + variables[r] * kernels_;
    for (std::size_t m = 0; m < kernels_; ++m)
      shares[r * weights.stride() + m] = factors[r] * eta[m];
    x.push_back(rows().row(variables[r]));
  }
  add_rows(x, cols_, shares.data(), weights);
  const std::vector<double> values = local_values(rows(), *gates_, weights, {context});
  for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += values[j];
}

std::size_t LocalizedRows::bytes(std::size_t rows, std::size_t cols, std::size_t kernels) noexcept {
  return rows * TwoParts::size(cols, kernels) * sizeof(float);
}

LocalizedSvm train_localized(MatrixView rows, std::span<const signed char> labels, Gating start,
                             const LocalizedOptions& options, Context& context) {
  Trainer trainer(rows, labels, start.kernels, options, context);
  return trainer.run(std::move(start));
}

std::size_t localized_bytes(std::size_t rows, std::size_t cols, std::size_t kernels) noexcept {
  // Gates of the best point, of a trial, and products; coefficients and gradients; Newton's steps.
  return LocalizedRows::bytes(rows, cols, kernels) + rows * (3 * kernels + 8) * sizeof(double) +
         8 * (kernels + 4) * (cols + 1) * sizeof(double) +
         working_set * (working_set + 80) * sizeof(double) +
         numerics::solve_bytes(rows, working_set);
}

}  // namespace semblance::ml3
