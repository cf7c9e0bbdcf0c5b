// SPDX-License-Identifier: MIT
#include "libsvm_training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "semblance/error.hpp"

namespace semblance::libraries {
namespace {

std::mutex library_mutex;
std::string library_text;
void keep_text(const char* text) { library_text += text; }

/// k(x, x) of a row with these values.
double kernel_of_itself(const svm_parameter& settings, std::span<const float> x) {
  double square = 0;
  for (const float value : x) square += double{value} * value;
  switch (settings.kernel_type) {
    case LINEAR:
      return square;
    case POLY:
      return std::pow(settings.gamma * square + settings.coef0, settings.degree);
    default:
      return 1;
  }
}

}  // namespace

ModelPointer run_library(const svm_problem& data, const svm_parameter& settings,
                         LibraryOutput& output) {
  if (const char* complaint = svm_check_parameter(&data, &settings)) throw Error(complaint);
  const std::lock_guard lock(library_mutex);
  library_text.clear();
  svm_set_print_string_function(keep_text);
  ModelPointer trained(svm_train(&data, &settings));
  output.text = std::move(library_text);
  return trained;
}

bool reached_limit(const svm_model& model, std::span<const std::int32_t> labels,
                   const LibraryOutput& output) {
  constexpr double fewest = 1e7, per_row = 100;
  const std::vector<double> steps = output.all_after("#iter = ");
  std::vector<double> rows(static_cast<std::size_t>(model.nr_class));
  for (std::size_t c = 0; c < rows.size(); ++c)
    rows[c] = static_cast<double>(std::ranges::count(labels, model.label[c]));
  std::size_t problem = 0;
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (std::size_t b = a + 1; b < rows.size(); ++b, ++problem)
      if (problem < steps.size() &&
          steps[problem] >= std::max(fewest, per_row * (rows[a] + rows[b])))
        return true;
  return output.contains("WARNING");
}

double duality_gap(const svm_model& model, const svm_problem& data, const svm_parameter& settings,
                   double dual) {
  const auto classes = static_cast<std::size_t>(model.nr_class);
  const auto cost = [&](std::size_t c) {
    double factor = 1;
    for (int w = 0; w < settings.nr_weight; ++w)
      if (settings.weight_label[w] == model.label[c]) factor = settings.weight[w];
    return settings.C * factor;
  };
  // |w|^2 / 2 of all problems is the dual plus the sum of their coefficients.
  double primal = dual;
  for (std::size_t c = 0; c + 1 < classes; ++c)
    for (int i = 0; i < model.l; ++i) primal += std::abs(model.sv_coef[c][i]);
  std::vector<double> decisions(classes * (classes - 1) / 2);
  for (int i = 0; i < data.l; ++i) {
    svm_predict_values(&model, data.x[i], decisions.data());
    std::size_t problem = 0;
    for (std::size_t a = 0; a < classes; ++a)
      for (std::size_t b = a + 1; b < classes; ++b, ++problem) {
        const int label = static_cast<int>(data.y[i]);
        if (label == model.label[a]) primal += cost(a) * std::max(0.0, 1 - decisions[problem]);
        if (label == model.label[b]) primal += cost(b) * std::max(0.0, 1 + decisions[problem]);
      }
  }
  return primal > 0 ? (primal + dual) / primal : 0;
}

double rounding(const svm_model& model, const svm_parameter& settings, const Rows& rows) {
  double largest = 0, sum = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i)
    largest = std::max(largest, std::abs(kernel_of_itself(settings, rows.view(i, 1).row_span(0))));
  for (int c = 0; c + 1 < model.nr_class; ++c)
    for (int i = 0; i < model.l; ++i) sum += std::abs(model.sv_coef[c][i]);
  return std::numeric_limits<double>::epsilon() * sum * largest;
}

}  // namespace semblance::libraries
