// SPDX-License-Identifier: MIT
#include "held_out_values.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "class_problems.hpp"
#include "linear_functions.hpp"
#include "sample_variables.hpp"
#include "semblance/predicted_class.hpp"

namespace semblance::kernel {
namespace {

/// Whether samples with a cost above 0 are on a side of a problem.
struct Sides {
  bool positive = false, negative = false;
};

bool any_costs(const ClassProblems& problems, std::size_t c) {
  const numerics::Range range = problems.rows(c);
  const auto costs = std::span(problems.costs).subspan(range.first, range.count);
  return std::ranges::any_of(costs, [](double cost) { return cost > 0; });
}

Sides sides_of(const ClassProblems& problems, const Opponents& pair) {
  const auto any = [&](std::size_t c) { return any_costs(problems, c); };
  Sides sides{any(static_cast<std::size_t>(pair.positive)), false};
  if (pair.negative != Opponents::rest) {
    sides.negative = any(static_cast<std::size_t>(pair.negative));
    return sides;
  }
  for (std::size_t c = 0; c < problems.classes(); ++c)
    sides.negative = sides.negative || (c != static_cast<std::size_t>(pair.positive) && any(c));
  return sides;
}

/// The decision values of machines at held-out samples.
class HeldOutValues {
 public:
  HeldOutValues(const PathSetting& path, const ClassProblems& problems, const Solutions& solutions,
                std::span<const std::uint32_t> places)
      : path_(path),
        problems_(problems),
        solutions_(solutions),
        places_(places),
        pairs_(opponents(problems.classes(), problems.one_versus_one)),
        values_(places.size() * pairs_.size()) {
    if (path.task.linear)
      from_functions();
    else if (!problems.one_versus_one || problems.classes() == 2)
      from_gradients();
    else
      from_kernel_rows();
    replace_one_sided();
  }

  std::vector<double> take() { return std::move(values_); }

 private:
  double& value(std::size_t k, std::size_t problem) { return values_[k * pairs_.size() + problem]; }

  /// Every sample is a variable of every problem.
  void from_gradients() {
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      const auto positive = problems_.rows(static_cast<std::size_t>(pairs_[p].positive));
      for (std::size_t k = 0; k < places_.size(); ++k) {
        const double label = places_[k] - positive.first < positive.count ? 1 : -1;
        value(k, p) = solutions_[p].gradients[places_[k]] + label + solutions_[p].bias;
      }
    }
  }

  /// Linear functions in double, as the machine evaluates them.
  void from_functions() {
    std::vector<std::size_t> number(path_.rows.order.size(), places_.size());
    for (std::size_t k = 0; k < places_.size(); ++k) number[path_.rows.order[places_[k]]] = k;
    const SampleVariables variables(path_.training, path_.rows, problems_);
    const LinearFunctions functions(
        path_.training, path_.rows.centre, pairs_.size(),
        [&](std::size_t problem, std::size_t row) {
          return variables.coefficient(solutions_[problem], problem, row);
        },
        [&](std::size_t, std::size_t row) { return number[row] < places_.size(); }, path_.context);
    for (std::size_t first = 0; first < pairs_.size(); first += functions.at_once()) {
      const std::size_t count = std::min(functions.at_once(), pairs_.size() - first);
      const std::vector<double> found = functions.values(first, count);
      for (std::size_t k = 0; k < places_.size(); ++k)
        for (std::size_t q = 0; q < count; ++q)
          value(k, first + q) =
              found[path_.rows.order[places_[k]] * count + q] + solutions_[first + q].bias;
    }
  }

  /// Sums over the kernel rows of the samples.
  void from_kernel_rows() {
    constexpr std::size_t rows_at_once = 64;
    std::vector<double> biases;
    std::vector<std::vector<Term>> terms(pairs_.size());
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      const std::vector<double>& b = solutions_[p].coefficients;
      biases.push_back(solutions_[p].bias);
      for (std::size_t i = 0; i < b.size(); ++i)
        if (b[i] != 0) terms[p].push_back({row_of(problems_, pairs_[p], i), b[i]});
    }
    const KernelExpansion functions(std::move(biases), terms, problems_.starts);
    for (std::size_t first = 0; first < places_.size(); first += rows_at_once) {
      path_.context.check_stop();
      const auto some = places_.subspan(first, std::min(rows_at_once, places_.size() - first));
      FloatMatrix rows(some.size(), problems_.starts.back());
      problems_.source.compute(some, 0, rows.view());
      std::ranges::copy(functions.values(rows.view()),
                        values_.begin() + static_cast<std::ptrdiff_t>(first * pairs_.size()));
    }
  }

  void replace_one_sided() {
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      const Sides sides = sides_of(problems_, pairs_[p]);
      if (sides.positive && sides.negative) continue;
      for (std::size_t k = 0; k < places_.size(); ++k) value(k, p) = sides.positive ? 1 : -1;
    }
  }

  const PathSetting& path_;
  const ClassProblems& problems_;
  const Solutions& solutions_;
  std::span<const std::uint32_t> places_;
  std::vector<Opponents> pairs_;
  std::vector<double> values_;  // samples x problems
};

}  // namespace

bool one_sided(const ClassProblems& problems, const Opponents& pair) {
  const Sides sides = sides_of(problems, pair);
  return !sides.positive || !sides.negative;
}

std::vector<double> held_out_values(const PathSetting& path, const ClassProblems& problems,
                                    const Solutions& solutions,
                                    std::span<const std::uint32_t> places) {
  return HeldOutValues(path, problems, solutions, places).take();
}

std::vector<char> misclassified(const PathSetting& path, const ClassProblems& problems,
                                std::span<const std::uint32_t> places,
                                std::span<const double> values) {
  const auto pairs = opponents(problems.classes(), problems.one_versus_one);
  std::vector<float> scores(problems.classes());
  std::vector<char> wrong;
  for (std::size_t k = 0; k < places.size(); ++k) {
    class_scores(problems.classes(), problems.one_versus_one, pairs,
                 values.subspan(k * pairs.size(), pairs.size()), scores);
    // A training without samples of a class does not know it.
    for (std::size_t c = 0; c < scores.size(); ++c)
      if (!any_costs(problems, c)) scores[c] = std::numeric_limits<float>::lowest();
    const std::int32_t label = path.training.labels[path.rows.order[places[k]]];
    wrong.push_back(predicted_class(scores) != label ? 1 : 0);
  }
  return wrong;
}

bool hit_limit(const ClassProblems& problems, const Solutions& solutions) {
  const auto pairs = opponents(problems.classes(), problems.one_versus_one);
  for (std::size_t p = 0; p < pairs.size(); ++p)
    if (solutions[p].certificate == Certificate::iteration_limit && !one_sided(problems, pairs[p]))
      return true;
  return false;
}

}  // namespace semblance::kernel
