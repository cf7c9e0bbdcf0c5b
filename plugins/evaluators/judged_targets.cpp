// SPDX-License-Identifier: MIT
#include "judged_targets.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "semblance/row_error.hpp"

namespace semblance::evaluators {
namespace {

void check_numbers(const Results& test) {
  const std::size_t targets = test.target_names.size();
  for (std::size_t k = 0; k < test.targets.size(); ++k)
    if (std::abs(test.targets[k]) > std::numeric_limits<float>::max())
      throw RowError(RowError::Of::test, k / targets,
                     "'" + test.target_names[k % targets] + "' of ",
                     " (counted from 0) is beyond the range of float32, in which estimates are; "
                     "scale it");
}

double mean_of_training(const Results& test, std::size_t t) {
  const std::size_t targets = test.target_names.size(),
                    rows = test.training_targets.size() / targets;
  if (rows == 0) return std::numeric_limits<double>::quiet_NaN();
  // A common offset of the numbers costs no digits.
  const double first = test.training_targets[t];
  double sum = 0;
  for (std::size_t i = 0; i < rows; ++i) sum += test.training_targets[i * targets + t] - first;
  return first + sum / static_cast<double>(rows);
}

/// Nothing if no test sample's number is known.
std::optional<JudgedTarget> judged_target(const Results& test, std::size_t t) {
  const std::size_t targets = test.target_names.size();
  std::vector<std::size_t> rows;
  std::vector<double> truth, estimates;
  for (std::size_t i = 0; i < test.outputs.rows; ++i) {
    const double number = test.targets[i * targets + t];
    if (std::isnan(number)) continue;
    rows.push_back(i);
    truth.push_back(number);
    estimates.push_back(double{test.outputs.row_span(i)[t]});
  }
  if (rows.empty()) return std::nullopt;
  ComparedNumbers numbers(truth, estimates);
  const EstimateFigures figures = numbers.figures();
  const double mean = mean_of_training(test, t);
  const double baseline = std::isnan(mean) ? mean : numbers.rmse_of(mean);
  return JudgedTarget{t,       test.target_names[t], std::move(rows), std::move(numbers), figures,
                      baseline};
}

}  // namespace

std::vector<JudgedTarget> judged_targets(const Results& test, Context& context) {
  check_numbers(test);
  std::vector<JudgedTarget> all;
  for (std::size_t t = 0; t < test.target_names.size(); ++t) {
    context.check_stop();
    if (auto target = judged_target(test, t))
      all.push_back(std::move(*target));
    else if (test.target_names.size() > 1)
      context.log(LogLevel::warning, "no test row has a number of '" + test.target_names[t] +
                                         "', so it does not count in the means");
  }
  if (all.empty())
    throw Error("no test row has a number to compare estimates with; give the test rows theirs");
  return all;
}

std::vector<std::size_t> known_samples(const std::vector<JudgedTarget>& targets, std::size_t rows) {
  std::vector<bool> known(rows);
  for (const JudgedTarget& target : targets)
    for (const std::size_t i : target.rows) known[i] = true;
  std::vector<std::size_t> samples;
  for (std::size_t i = 0; i < rows; ++i)
    if (known[i]) samples.push_back(i);
  return samples;
}

EstimateFigures mean_over_targets(const std::vector<EstimateFigures>& all) {
  EstimateFigures mean{};
  for (std::size_t f = 0; f < mean.size(); ++f) {
    std::size_t defined = 0;
    for (const EstimateFigures& one : all) {
      if (std::isnan(one[f])) continue;
      mean[f] += one[f];
      ++defined;
    }
    mean[f] /= static_cast<double>(defined);
  }
  return mean;
}

std::vector<LargestError> largest_errors(const std::vector<JudgedTarget>& targets,
                                         std::size_t rows) {
  std::vector<LargestError> all(rows);
  for (const JudgedTarget& target : targets) {
    const double rmse = target.figures[0];
    if (rmse == 0) continue;
    for (std::size_t k = 0; k < target.rows.size(); ++k) {
      const double error = target.numbers.errors()[k], size = std::abs(error) / rmse;
      if (size > all[target.rows[k]].size)
        all[target.rows[k]] = {target.rows[k], target.index, error, size};
    }
  }
  std::erase_if(all, [](const LargestError& each) { return each.size == 0; });
  std::ranges::stable_sort(all, std::ranges::greater{}, &LargestError::size);
  return all;
}

}  // namespace semblance::evaluators
