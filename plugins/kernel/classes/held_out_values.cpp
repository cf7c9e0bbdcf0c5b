// SPDX-License-Identifier: MIT
// Decision values and errors of samples that are held out.
#include <algorithm>
#include <limits>

#include "classes/cost_path.hpp"
#include "expansion/linear_functions.hpp"
#include "semblance/predicted_class.hpp"

namespace semblance::kernel {
namespace {

/// Every sample is a variable of every problem.
void take_gradients(const ClassProblems& problems, const Solutions& solutions,
                    std::span<const std::uint32_t> places, std::vector<double>& values) {
  for (std::size_t p = 0; p < solutions.size(); ++p)
    for (std::size_t k = 0; k < places.size(); ++k) {
      const double label = problems.positive(p, places[k]) ? 1 : -1;
      values[k * solutions.size() + p] =
          solutions[p].gradients[places[k]] + label + solutions[p].bias;
    }
}

/// Linear functions in double, as the machine evaluates them.
void take_functions(const DualSetting& setting, const ClassProblems& problems,
                    const Solutions& solutions, std::span<const std::uint32_t> places,
                    std::vector<double>& values) {
  const std::size_t at_once = functions_at_once(setting.samples);
  for (std::size_t first = 0; first < solutions.size(); first += at_once) {
    const std::size_t count = std::min(at_once, solutions.size() - first);
    const auto coefficients = problems.coefficients(
        first, std::span(solutions).subspan(first, count), setting.samples.order.size());
    const auto found = linear_values(setting.samples, coefficients, places, setting.context);
    for (std::size_t q = 0; q < count; ++q)
      for (std::size_t k = 0; k < places.size(); ++k)
        values[k * solutions.size() + first + q] = found[q][places[k]] + solutions[first + q].bias;
  }
}

/// Sums over the kernel rows of the samples.
void take_kernel_rows(const DualSetting& setting, const ClassProblems& problems,
                      const Solutions& solutions, std::span<const std::uint32_t> places,
                      std::vector<double>& values) {
  constexpr std::size_t rows_at_once = 64;
  std::vector<double> biases;
  Terms terms;
  for (std::size_t p = 0; p < solutions.size(); ++p) {
    biases.push_back(solutions[p].bias);
    terms.push_back(problems.terms(p, solutions[p]));
  }
  const KernelExpansion functions(std::move(biases), terms, setting.samples.starts);
  for (std::size_t first = 0; first < places.size(); first += rows_at_once) {
    setting.context.check_stop();
    const auto some = places.subspan(first, std::min(rows_at_once, places.size() - first));
    FloatMatrix rows(some.size(), setting.samples.order.size());
    setting.source.compute(some, 0, rows.view());
    std::ranges::copy(functions.values(rows.view()),
                      values.begin() + static_cast<std::ptrdiff_t>(first * solutions.size()));
  }
}

}  // namespace

std::vector<double> held_out_values(const DualSetting& setting, const ClassProblems& problems,
                                    const Solutions& solutions,
                                    std::span<const std::uint32_t> places) {
  const std::size_t count = problems.count();
  std::vector<double> values(places.size() * count);
  if (setting.kernel.linear)
    take_functions(setting, problems, solutions, places, values);
  else if (problems.parts(0)[1].count == 0)
    take_gradients(problems, solutions, places, values);
  else
    take_kernel_rows(setting, problems, solutions, places, values);
  for (std::size_t p = 0; p < count; ++p)
    if (const auto side = problems.only_side(p))
      for (std::size_t k = 0; k < places.size(); ++k) values[k * count + p] = *side;
  return values;
}

std::vector<char> misclassified(const ClassProblems& problems,
                                std::span<const std::uint32_t> places,
                                std::span<const double> values) {
  std::vector<float> scores(problems.classes());
  std::vector<char> wrong;
  for (std::size_t k = 0; k < places.size(); ++k) {
    class_scores(problems.classes(), problems.one_versus_one(), problems.pairs(),
                 values.subspan(k * problems.count(), problems.count()), scores);
    // A training without samples of a class does not know it.
    for (std::size_t c = 0; c < scores.size(); ++c)
      if (!problems.trains(c)) scores[c] = std::numeric_limits<float>::lowest();
    const auto label = static_cast<std::int32_t>(problems.class_of(places[k]));
    wrong.push_back(predicted_class(scores) != label ? 1 : 0);
  }
  return wrong;
}

bool hit_limit(const ClassProblems& problems, const Solutions& solutions) {
  for (std::size_t p = 0; p < solutions.size(); ++p)
    if (solutions[p].certificate == Certificate::iteration_limit && !problems.only_side(p))
      return true;
  return false;
}

}  // namespace semblance::kernel
