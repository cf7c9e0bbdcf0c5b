// SPDX-License-Identifier: MIT
// Gradients that are more exact than float32 kernel values allow.
#include <algorithm>
#include <numeric>
#include <utility>

#include "dual/dual_task.hpp"
#include "expansion/linear_functions.hpp"

namespace semblance::kernel {
namespace {

/// The number of times that problems are solved further.
constexpr std::size_t most_passes = 20;

/// The values of functions with these coefficients at all places, by the kernel's definition, both
/// functions x places.
std::vector<std::vector<double>> values_by_definition(
    const DualSetting& setting, const std::vector<std::vector<double>>& coefficients) {
  constexpr std::size_t rows_at_once = 16;
  std::vector<std::size_t> places(setting.samples.order.size()), vectors;
  std::iota(places.begin(), places.end(), std::size_t{0});
  for (const std::size_t place : places)
    if (std::ranges::any_of(coefficients, [&](const auto& own) { return own[place] != 0; }))
      vectors.push_back(place);
  const FloatMatrix samples = setting.samples.values_at(places),
                    bases = setting.samples.values_at(vectors);
  std::vector<std::vector<double>> values(coefficients.size(), std::vector<double>(places.size()));
  setting.context.parallel_for(
      (places.size() + rows_at_once - 1) / rows_at_once, [&](std::size_t block) {
        std::vector<double> of_vectors(vectors.size());
        const std::size_t end = std::min(places.size(), (block + 1) * rows_at_once);
        for (std::size_t place = block * rows_at_once; place < end; ++place) {
          setting.context.check_stop();
          setting.kernel.kernel.compare_plainly(bases.view(), samples.view().rows_range(place, 1),
                                                of_vectors.data());
          for (std::size_t q = 0; q < values.size(); ++q)
            for (std::size_t v = 0; v < vectors.size(); ++v)
              values[q][place] += coefficients[q][vectors[v]] * of_vectors[v];
        }
      });
  return values;
}

/// Whether values by definition are a small part of the training. A definition takes about twenty
/// times as long as the measure.
bool few_enough(const DualSetting& setting, const DualTask& task, const Solutions& solutions) {
  constexpr double most_operations = 5e7;
  std::vector<char> is_vector(setting.samples.order.size());
  for (std::size_t p = 0; p < solutions.size(); ++p)
    for (std::size_t i = 0; i < solutions[p].coefficients.size(); ++i)
      if (solutions[p].coefficients[i] != 0) is_vector[task.place(p, i)] = 1;
  const auto vectors = static_cast<double>(std::ranges::count(is_vector, 1));
  const auto pairs = static_cast<double>(is_vector.size()) * vectors;
  return pairs * std::max(1.0, setting.kernel.kernel.operations()) +
             pairs * static_cast<double>(solutions.size()) <=
         most_operations;
}

/// Whether the kernel's definition may refine the solutions.
bool has_definition(const DualSetting& setting, const DualTask& task, const Solutions& solutions) {
  const KernelTask& kernel = setting.kernel;
  const bool repaired = !kernel.semidefinite && kernel.repair != numerics::SpectrumRepair::refuse;
  return setting.certified && kernel.kernel.abilities().compares_plainly && !repaired &&
         few_enough(setting, task, solutions);
}

/// Takes the exact figures of a solution, given its function's values at all places; adds its state
/// if it is to be solved further.
void take_exact(const DualSetting& setting, const DualTask& task, std::size_t problem,
                std::span<const double> values, bool last_pass, numerics::DualSolution& s,
                InitialStates& states) {
  if (s.coefficients.empty()) return;
  const numerics::DualOptions& options = setting.options;
  const numerics::DualProblem outline = task.outline(problem);
  std::vector<double> gradients(s.coefficients.size());
  for (std::size_t i = 0; i < gradients.size(); ++i)
    gradients[i] = values[task.place(problem, i)] -
                   (outline.linear.empty() ? outline.labels[i] : outline.linear[i]);
  numerics::take_gradients(outline, gradients, options.gap,
                           last_pass || s.steps >= options.most_steps, s);
  s.sensitivity = 0;
  if (s.certificate > Certificate::iteration_limit) return;
  const double tolerance = options.tolerance * task.unit(problem);
  const bool optimal = s.violation < tolerance && numerics::relative_gap(s) <= options.gap;
  s.certificate = optimal && numerics::doubt(s, tolerance, options.gap).empty()
                      ? Certificate::converged
                      : Certificate::iteration_limit;
  if (optimal || s.steps >= options.most_steps) return;
  numerics::DualState& state = states[problem] = numerics::warm_start(s, std::move(gradients));
  state.steps = s.steps;
  state.rounds = std::max(s.rounds, std::size_t{1});
}

/// The problems that are to be solved further.
InitialStates take_exact(const DualSetting& setting, const DualTask& task, bool last_pass,
                         Solutions& solutions) {
  const std::size_t n = setting.samples.order.size(), at_once = functions_at_once(setting.samples);
  InitialStates states;
  for (std::size_t first = 0; first < solutions.size(); first += at_once) {
    const std::size_t count = std::min(at_once, solutions.size() - first);
    const auto coefficients =
        task.coefficients(first, std::span(solutions).subspan(first, count), n);
    const auto values = setting.kernel.linear
                            ? linear_values(setting.samples, coefficients, {}, setting.context)
                            : values_by_definition(setting, coefficients);
    for (std::size_t q = 0; q < count; ++q)
      take_exact(setting, task, first + q, values[q], last_pass, solutions[first + q], states);
  }
  return states;
}

}  // namespace

void refine(const DualSetting& setting, const DualTask& task, Solutions& solutions) {
  if (setting.context.stop_requested() != StopReason::none) return;
  if (!setting.kernel.linear && !has_definition(setting, task, solutions)) return;
  try {
    for (std::size_t pass = 0; pass <= most_passes; ++pass) {
      const InitialStates states = take_exact(setting, task, pass == most_passes, solutions);
      if (states.empty()) return;
      if (pass < most_passes)
        solutions = solve_as_float32(setting, task, states, std::move(solutions));
    }
    setting.context.log(
        LogLevel::warning,
        "kernel values in float32 are too inexact to solve this problem to the tolerance; bring "
        "the columns to similar sizes (normalizer/zscore), lower C or raise tolerance");
  } catch (const Cancelled&) {
    for (numerics::DualSolution& s : solutions)
      s.certificate = std::max(s.certificate, stop_certificate(setting.context));
  }
}

}  // namespace semblance::kernel
