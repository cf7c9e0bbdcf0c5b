// SPDX-License-Identifier: MIT
#include "exact_refinement.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "linear_functions.hpp"

namespace semblance::kernel {
namespace {

using Solutions = std::vector<numerics::DualSolution>;

/// The number of times that problems are solved further.
constexpr std::size_t most_passes = 20;

/// The coefficients of some problems at all places.
struct DenseCoefficients {
  DenseCoefficients(const RefinedDuals& duals, const Solutions& solutions, std::size_t places,
                    std::size_t begin, std::size_t count)
      : first(begin), values(count, std::vector<double>(places)) {
    for (std::size_t q = 0; q < count; ++q)
      for (std::size_t i = 0; i < solutions[first + q].coefficients.size(); ++i)
        values[q][duals.place(first + q, i)] += solutions[first + q].coefficients[i];
  }

  std::size_t first;
  std::vector<std::vector<double>> values;
};

/// Values of the functions of some problems at all places, problem by problem, without the biases.
class ExactFunctions {
 public:
  virtual ~ExactFunctions() = default;
  virtual std::size_t at_once(std::size_t problems) const = 0;
  virtual std::vector<std::vector<double>> values(const DenseCoefficients& b) const = 0;
};

class ExactLinear final : public ExactFunctions {
 public:
  ExactLinear(const TrainingSet& training, const SortedSamples& rows, Context& context)
      : training_(training),
        rows_(rows),
        context_(context),
        place_of_(training.rows.rows(), rows.order.size()) {
    for (std::size_t place = 0; place < rows.order.size(); ++place)
      place_of_[rows.order[place]] = place;
  }

  std::size_t at_once(std::size_t problems) const override {
    return functions(problems, {}).at_once();
  }

  std::vector<std::vector<double>> values(const DenseCoefficients& b) const override {
    const std::size_t count = b.values.size();
    const std::vector<double> found = functions(count, &b).values(0, count);
    std::vector<std::vector<double>> values(count, std::vector<double>(rows_.order.size()));
    for (std::size_t place = 0; place < rows_.order.size(); ++place)
      for (std::size_t q = 0; q < count; ++q)
        values[q][place] = found[rows_.order[place] * count + q];
    return values;
  }

 private:
  LinearFunctions functions(std::size_t problems, const DenseCoefficients* b) const {
    return {training_,
            rows_.centre,
            problems,
            [this, b](std::size_t q, std::size_t row) {
              return place_of_[row] < rows_.order.size() ? b->values[q][place_of_[row]] : 0;
            },
            [this](std::size_t, std::size_t row) { return place_of_[row] < rows_.order.size(); },
            context_};
  }

  const TrainingSet& training_;
  const SortedSamples& rows_;
  Context& context_;
  std::vector<std::size_t> place_of_;  // of each training sample; the number of places: none
};

/// By the kernel's definition.
class ExactSums final : public ExactFunctions {
 public:
  ExactSums(const Similarity& kernel, const SortedSamples& rows, Context& context)
      : kernel_(kernel), rows_(rows), context_(context), places_(rows.order.size()) {
    std::iota(places_.begin(), places_.end(), std::size_t{0});
    samples_ = rows.values_at(places_);
  }

  std::size_t at_once(std::size_t problems) const override {
    constexpr std::size_t most_values = std::size_t{1} << 22;
    return std::clamp<std::size_t>(most_values / places_.size(), 1, problems);
  }

  std::vector<std::vector<double>> values(const DenseCoefficients& b) const override {
    constexpr std::size_t rows_at_once = 16;
    std::vector<std::size_t> vectors;
    for (const std::size_t place : places_)
      if (std::ranges::any_of(b.values, [&](const auto& own) { return own[place] != 0; }))
        vectors.push_back(place);
    const FloatMatrix bases = rows_.values_at(vectors);
    std::vector<std::vector<double>> values(b.values.size(), std::vector<double>(places_.size()));
    context_.parallel_for(
        (places_.size() + rows_at_once - 1) / rows_at_once, [&](std::size_t block) {
          std::vector<double> of_vectors(vectors.size());
          const std::size_t end = std::min(places_.size(), (block + 1) * rows_at_once);
          for (std::size_t place = block * rows_at_once; place < end; ++place) {
            context_.check_stop();
            kernel_.compare_plainly(bases.view(), samples_.view().rows_range(place, 1),
                                    of_vectors.data());
            for (std::size_t q = 0; q < values.size(); ++q)
              for (std::size_t v = 0; v < vectors.size(); ++v)
                values[q][place] += b.values[q][vectors[v]] * of_vectors[v];
          }
        });
    return values;
  }

 private:
  const Similarity& kernel_;
  const SortedSamples& rows_;
  Context& context_;
  std::vector<std::size_t> places_;
  FloatMatrix samples_;
};

/// Whether values by definition are a small part of the training. A definition takes about twenty
/// times as long as the measure.
bool few_enough(const Similarity& kernel, const RefinedDuals& duals, const Solutions& solutions,
                const SortedSamples& rows) {
  constexpr double most_operations = 5e7;
  std::vector<char> is_vector(rows.order.size());
  for (std::size_t p = 0; p < duals.count; ++p)
    for (std::size_t i = 0; i < solutions[p].coefficients.size(); ++i)
      if (solutions[p].coefficients[i] != 0) is_vector[duals.place(p, i)] = 1;
  const auto vectors = static_cast<double>(std::ranges::count(is_vector, 1));
  const auto pairs = static_cast<double>(rows.order.size()) * vectors;
  return pairs * std::max(1.0, kernel.operations()) + pairs * static_cast<double>(duals.count) <=
         most_operations;
}

std::unique_ptr<ExactFunctions> exact_functions(const KernelTask& task, bool plain,
                                                const TrainingSet& training,
                                                const SortedSamples& rows,
                                                const RefinedDuals& duals,
                                                const Solutions& solutions, Context& context) {
  if (task.linear) return std::make_unique<ExactLinear>(training, rows, context);
  const bool repaired = !task.semidefinite && task.repair != numerics::SpectrumRepair::refuse;
  if (!plain || !task.kernel.abilities().compares_plainly || repaired ||
      !few_enough(task.kernel, duals, solutions, rows))
    return nullptr;
  return std::make_unique<ExactSums>(task.kernel, rows, context);
}

/// Takes the exact figures of a solution; adds its state if it is to be solved further.
void take_exact(const RefinedDuals& duals, std::size_t problem, std::span<const double> values,
                const numerics::DualOptions& options, bool scaled, numerics::DualSolution& s,
                InitialStates& states) {
  if (s.coefficients.empty()) return;
  const numerics::DualProblem outline = duals.outline(problem);
  std::vector<double> gradients(s.coefficients.size());
  for (std::size_t i = 0; i < gradients.size(); ++i)
    gradients[i] = values[duals.place(problem, i)] -
                   (outline.linear.empty() ? outline.labels[i] : outline.linear[i]);
  numerics::take_gradients(outline, gradients, options.gap, scaled || s.steps >= options.most_steps,
                           s);
  s.sensitivity = 0;
  if (s.certificate > Certificate::iteration_limit) return;
  const double tolerance = duals.tolerance(problem);
  const bool optimal = s.violation < tolerance && numerics::relative_gap(s) <= options.gap;
  s.certificate = optimal && numerics::doubt(s, tolerance, options.gap).empty()
                      ? Certificate::converged
                      : Certificate::iteration_limit;
  if (optimal || s.steps >= options.most_steps) return;
  numerics::DualState& state = states[problem] = numerics::warm_start(s, std::move(gradients));
  state.steps = s.steps;
  state.rounds = std::max(s.rounds, std::size_t{1});
}

}  // namespace

void refine(const KernelTask& task, bool plain, const TrainingSet& training,
            const SortedSamples& rows, const RefinedDuals& duals,
            const numerics::DualOptions& options, Solutions& solutions, Context& context) {
  const auto functions = exact_functions(task, plain, training, rows, duals, solutions, context);
  if (!functions) return;
  const std::size_t at_once = functions->at_once(duals.count);
  for (std::size_t pass = 0; pass <= most_passes; ++pass) {
    InitialStates states;
    for (std::size_t first = 0; first < duals.count; first += at_once) {
      const DenseCoefficients b(duals, solutions, rows.order.size(), first,
                                std::min(at_once, duals.count - first));
      const std::vector<std::vector<double>> values = functions->values(b);
      for (std::size_t q = 0; q < values.size(); ++q)
        take_exact(duals, first + q, values[q], options, pass == most_passes, solutions[first + q],
                   states);
    }
    if (states.empty()) return;
    if (pass < most_passes) {
      solutions = duals.solve(std::move(states), std::move(solutions));
      continue;
    }
    context.log(LogLevel::warning,
                "kernel values in float32 are too inexact to solve this problem to the tolerance; "
                "bring the columns to similar sizes (normalizer/zscore), lower C or raise "
                "tolerance");
  }
}

RefinedDuals refined_duals(const ClassProblems& problems, const numerics::DualOptions& options,
                           std::size_t bytes, Context& context) {
  const auto pairs = std::make_shared<const std::vector<Opponents>>(
      opponents(problems.classes(), problems.one_versus_one));
  const auto place = [&problems, pairs](std::size_t problem, std::size_t variable) {
    return row_of(problems, (*pairs)[problem], variable);
  };
  const auto outline = [&problems, pairs, place](std::size_t problem) {
    const Opponents& pair = (*pairs)[problem];
    const auto positive = problems.rows(static_cast<std::size_t>(pair.positive));
    std::size_t variables = problems.starts.back();
    if (pair.negative != Opponents::rest)
      variables = positive.count + problems.rows(static_cast<std::size_t>(pair.negative)).count;
    numerics::DualProblem made;
    for (std::size_t i = 0; i < variables; ++i) {
      const std::size_t at = place(problem, i);
      made.labels.push_back(
          static_cast<signed char>(at - positive.first < positive.count ? 1 : -1));
      made.costs.push_back(problems.costs[at]);
    }
    return made;
  };
  return {pairs->size(), outline, place, [&options](std::size_t) { return options.tolerance; },
          [&problems, &options, bytes, &context](InitialStates states, Solutions known) {
            return solve_all(problems, options, bytes, context, states, std::move(known));
          }};
}

}  // namespace semblance::kernel
