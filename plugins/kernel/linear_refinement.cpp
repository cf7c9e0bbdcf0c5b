// SPDX-License-Identifier: MIT
#include "linear_refinement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "semblance/collectives.hpp"
#include "semblance/error.hpp"

namespace semblance::kernel {
namespace {

constexpr std::size_t most_passes = 20;

/// Calls body(column, value of the row minus that of the centre) for each value of the row.
template <class Body>
void for_each_value(MatrixView rows, std::size_t i, std::span<const float> centre,
                    const Body& body) {
  const auto values = rows.row_span(i);
  if (rows.sparse()) {
    const auto columns = rows.columns_of(i);
    for (std::size_t k = 0; k < values.size(); ++k) body(columns[k], double{values[k]});
  } else if (centre.empty()) {
    for (std::size_t k = 0; k < values.size(); ++k) body(k, double{values[k]});
  } else {
    for (std::size_t k = 0; k < values.size(); ++k) body(k, double{values[k]} - double{centre[k]});
  }
}

/// The functions of some problems and their values on the training samples.
class LinearFunctions {
 public:
  LinearFunctions(const TrainingSet& training, const SortedSamples& rows,
                  const ClassProblems& problems, const std::vector<Opponents>& pairs,
                  const std::vector<numerics::DualSolution>& solutions, Context& context)
      : training_(training),
        rows_(rows),
        problems_(problems),
        pairs_(pairs),
        solutions_(solutions),
        context_(context),
        cols_(training.layout.size()),
        class_of_(training.labels),
        place_of_(rows.order.size()) {
    for (std::size_t place = 0; place < rows.order.size(); ++place)
      place_of_[rows.order[place]] = place;
  }

  /// The number of problems computed at once.
  std::size_t at_once() const {
    constexpr std::size_t most_values = std::size_t{1} << 21;
    return std::clamp(most_values / std::max({cols_, rows_.order.size(), std::size_t{1}}),
                      std::size_t{1}, pairs_.size());
  }

  /// f without its bias for the problems [first, first + count), one row per training sample.
  /// Collective.
  std::vector<double> values(std::size_t first, std::size_t count) const {
    const std::vector<double> weights = this->weights(first, count);
    const OwnParts own = context_.collectives().own(RowParts(training_.rows.rows()));
    std::vector<double> found(own.rows * count);
    for_each_own_block(training_.rows, context_,
                       [&](std::size_t, std::size_t first_row, MatrixView view) {
                         for (std::size_t i = 0; i < view.rows; ++i)
                           for (std::size_t q = 0; q < count; ++q)
                             if (variable(first + q, first_row + i))
                               found[(first_row + i - own.first_row) * count + q] =
                                   product(view, i, weights.data() + q * cols_);
                       });
    return context_.collectives().gather(found);
  }

 private:
  /// The variable of a training sample, if the sample is part of the problem.
  std::optional<std::size_t> variable(std::size_t problem, std::size_t row) const {
    const std::size_t place = place_of_[row];
    if (!problems_.one_versus_one || problems_.classes() == 2) return place;
    const Opponents& pair = pairs_[problem];
    const auto positive = problems_.rows(static_cast<std::size_t>(pair.positive));
    if (class_of_[row] == pair.positive) return place - positive.first;
    if (class_of_[row] != pair.negative) return {};
    return positive.count + place - problems_.rows(static_cast<std::size_t>(pair.negative)).first;
  }

  double coefficient(std::size_t problem, std::size_t row) const {
    const std::vector<double>& of_problem = solutions_[problem].coefficients;
    const auto found = variable(problem, row);
    return found && !of_problem.empty() ? of_problem[*found] : 0;
  }

  std::vector<double> weights(std::size_t first, std::size_t count) const {
    const RowParts parts(training_.rows.rows());
    std::vector<double> total(count * cols_);
    sum_over_parts(context_, parts, total, [&](std::size_t part, std::span<double> sums) {
      for (std::size_t row = parts.first_row(part); row < parts.first_row(part + 1); ++row)
        for (std::size_t q = 0; q < count; ++q) {
          const double b = coefficient(first + q, row);
          if (b == 0) continue;
          double* const sum = sums.data() + q * cols_;
          for_each_value(training_.rows.view(row, 1), 0, rows_.centre,
                         [&](std::size_t k, double x) { sum[k] += b * x; });
        }
    });
    return total;
  }

  double product(MatrixView view, std::size_t i, const double* weights) const {
    constexpr std::size_t lanes = 8;
    std::array<double, lanes> sums{};
    for_each_value(view, i, rows_.centre,
                   [&](std::size_t k, double x) { sums[k % lanes] += weights[k] * x; });
    return std::accumulate(sums.begin(), sums.end(), 0.0);
  }

  const TrainingSet& training_;
  const SortedSamples& rows_;
  const ClassProblems& problems_;
  const std::vector<Opponents>& pairs_;
  const std::vector<numerics::DualSolution>& solutions_;
  Context& context_;
  std::size_t cols_;
  std::span<const std::int32_t> class_of_;
  std::vector<std::size_t> place_of_;  // of the training samples
};

/// The labels and costs of a problem's variables.
numerics::DualProblem outline(const ClassProblems& problems, const Opponents& pair,
                              std::size_t variables) {
  numerics::DualProblem outline;
  const auto positive = problems.rows(static_cast<std::size_t>(pair.positive));
  for (std::size_t i = 0; i < variables; ++i) {
    const std::size_t place = row_of(problems, pair, i);
    const bool is_positive = place - positive.first < positive.count;
    outline.labels.push_back(static_cast<signed char>(is_positive ? 1 : -1));
    outline.costs.push_back(problems.costs[place]);
  }
  return outline;
}

}  // namespace

std::vector<float> far_centre(const TrainingSet& training, Context& context) {
  if (training.layout.ragged()) return {};
  const std::size_t cols = training.layout.size();
  const RowParts parts(training.rows.rows());
  const auto n = static_cast<double>(training.rows.rows());
  const auto mean_over_rows = [&](const auto& add) {
    std::vector<double> total(cols);
    sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sums) {
      for (std::size_t row = parts.first_row(part); row < parts.first_row(part + 1); ++row)
        for_each_value(training.rows.view(row, 1), 0, {},
                       [&](std::size_t k, double x) { sums[k] += add(k, x); });
    });
    for (double& sum : total) sum /= n;
    return total;
  };
  const auto means = mean_over_rows([](std::size_t, double x) { return x; });
  const auto variances =
      mean_over_rows([&](std::size_t k, double x) { return (x - means[k]) * (x - means[k]); });
  const double length = std::inner_product(means.begin(), means.end(), means.begin(), 0.0);
  const double spread = std::accumulate(variances.begin(), variances.end(), 0.0);
  if (!(length > spread)) return {};
  return {means.begin(), means.end()};
}

void refine_linear(const TrainingSet& training, const SortedSamples& rows,
                   const ClassProblems& problems, const numerics::DualOptions& options,
                   std::size_t bytes, std::vector<numerics::DualSolution>& solutions,
                   Context& context) {
  const std::vector<Opponents> pairs = opponents(problems.classes(), problems.one_versus_one);
  for (std::size_t pass = 0; pass <= most_passes; ++pass) {
    InitialStates states;
    const LinearFunctions functions(training, rows, problems, pairs, solutions, context);
    for (std::size_t first = 0; first < pairs.size(); first += functions.at_once()) {
      const std::size_t count = std::min(functions.at_once(), pairs.size() - first);
      const std::vector<double> values = functions.values(first, count);
      for (std::size_t q = 0; q < count; ++q) {
        numerics::DualSolution& s = solutions[first + q];
        if (s.coefficients.empty()) continue;
        const auto outlined = outline(problems, pairs[first + q], s.coefficients.size());
        std::vector<double> gradients(s.coefficients.size());
        for (std::size_t i = 0; i < gradients.size(); ++i) {
          const std::uint32_t row = rows.order[row_of(problems, pairs[first + q], i)];
          gradients[i] = values[row * count + q] - outlined.labels[i];
        }
        take_gradients(outlined, gradients, s);
        if (s.certificate > Certificate::iteration_limit || s.steps >= options.most_steps ||
            s.violation < options.tolerance)
          continue;
        states[first + q] = warm_start(s, std::move(gradients));
        states[first + q].steps = s.steps;
        states[first + q].rounds = std::max(s.rounds, std::size_t{1});
      }
    }
    if (states.empty()) return;
    if (pass == most_passes) {
      for (const auto& [problem, state] : states)
        solutions[problem].certificate =
            std::max(solutions[problem].certificate, Certificate::iteration_limit);
      return context.log(
          LogLevel::warning,
          "inner products in float32 are too inexact to solve this problem to the tolerance; "
          "bring the columns to similar sizes (normalizer/zscore), lower C or raise tolerance");
    }
    solutions =
        solve_all(problems, options, bytes, context, std::move(states), std::move(solutions));
  }
}

}  // namespace semblance::kernel
