// SPDX-License-Identifier: MIT
#include "libsvm_functions.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "prefixed_state.hpp"
#include "semblance/error.hpp"
#include "semblance/solver.hpp"

namespace semblance::libraries {
namespace {

/// The objective that the library minimizes, 1/2 b'Kb plus the terms of its targets, by its
/// coefficients in double: it prints six decimals only.
double objective_of(const LibSvmModel& model, const svm_model& trained,
                    const svm_parameter& settings, const std::vector<double>& targets) {
  double objective = 0;
  for (std::size_t i = 0; i < model.vectors(); ++i) {
    const double b = model.coefficients()[i];
    objective += b * (model.value(model.vector(i)) + model.rho()) / 2;
    if (settings.svm_type == ONE_CLASS) continue;
    objective -= b * targets[static_cast<std::size_t>(trained.sv_indices[i] - 1)];
    if (settings.svm_type == EPSILON_SVR) objective += settings.p * std::abs(b);
  }
  return objective;
}

/// The possible error of the gradients in the library's stopping rule.
double rounding_of(const LibSvmModel& model, const svm_parameter& settings, const Rows& rows) {
  double largest = 0, sum = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i)
    largest = std::max(largest, std::abs(kernel_of_itself(settings, rows.view(i, 1).row_span(0))));
  for (const double b : model.coefficients()) sum += std::abs(b);
  return std::numeric_limits<double>::epsilon() * sum * largest;
}

/// Whether the library ended by its own limit of steps (Solver::Solve()).
bool reached_limit(const LibraryOutput& output, std::size_t variables) {
  constexpr double fewest = 1e7, per_variable = 100;
  const double most = std::max(fewest, per_variable * static_cast<double>(variables));
  return output.sum_after("#iter = ").largest >= most || output.contains("WARNING");
}

std::string prefix_of(std::size_t function) {
  return function == 0 ? "" : "function_" + std::to_string(function) + "_";
}

}  // namespace

void LibSvmFunctions::bind_rows(const Layout& input) {
  inputs_ = input.size();
  if (inputs_ == 0) throw Error("samples without values cannot be compared");
}

void LibSvmFunctions::train_functions(const TrainingSet& training,
                                      std::span<const std::uint32_t> chosen, svm_parameter settings,
                                      std::vector<std::vector<double>> targets, Report& report,
                                      Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  SparseNodes<svm_node> nodes = nodes_of(training, context);
  std::vector<svm_node*> rows;
  for (const std::uint32_t row : chosen) rows.push_back(nodes.rows()[row]);
  models_.clear();
  double objective = 0, steps = 0;
  std::size_t vectors = 0;
  bool limit = false, lost = false;
  for (std::vector<double>& y : targets) {
    context.check_stop();
    const svm_problem data{static_cast<int>(y.size()), y.data(), rows.data()};
    LibraryOutput output;
    const ModelPointer trained = run_library(data, settings, output);
    output.log_to(context);
    const LibSvmModel& model =
        *models_.emplace_back(std::make_unique<LibSvmModel>(*trained, training.layout));
    if (!std::isfinite(model.rho()))
      throw Error("LIBSVM finds no finite bias, as all rows are at their bound; lower nu");
    objective += objective_of(model, *trained, settings, y);
    steps += output.sum_after("#iter = ").total;
    vectors += model.vectors();
    limit |= reached_limit(output, (settings.svm_type == ONE_CLASS ? 1 : 2) * y.size());
    lost |= !(rounding_of(model, settings, training.rows) < settings.eps);
  }
  if (!std::isfinite(objective))
    throw Error("LIBSVM's objective is not finite; scale the samples or the targets");
  if (lost)
    report.text("remedy",
                "coefficients times the kernel's values are so large that rounding hides the "
                "remaining improvement; scale the samples, or divide targets and C");
  else if (limit)
    report.text("remedy",
                "LIBSVM gave up after 10,000,000 steps or more; scale the samples "
                "(normalizer/zscore), or use solver/kernel_svr or solver/one_class_svm");
  const bool converged = !limit && !lost;
  report.text("certificate",
              name(converged ? Certificate::converged : Certificate::iteration_limit));
  report.number("objective", objective);
  if (converged) report.number("gradient_norm", settings.eps);
  report.integer("iterations", static_cast<std::int64_t>(steps));
  report.integer("support_vectors", static_cast<std::int64_t>(vectors));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

void LibSvmFunctions::apply_functions(MatrixView in, MutableMatrixView out,
                                      Context& context) const {
  if (models_.empty()) throw Error("the solver has not been trained");
  if (in.cols != models_.front()->inputs() || out.cols != functions())
    throw Error("rows of " + std::to_string(in.cols) + " values do not match a model for " +
                std::to_string(models_.front()->inputs()));
  for (std::size_t i = 0; i < in.rows; ++i) {
    context.check_stop();
    for (std::size_t t = 0; t < functions(); ++t)
      out.row(i)[t] = static_cast<float>(models_[t]->value(in, i));
  }
}

void LibSvmFunctions::save_functions(StateWriter& state) const {
  if (models_.empty()) throw Error("the solver has not been trained");
  state.integer("functions", static_cast<std::int64_t>(functions()));
  for (std::size_t t = 0; t < functions(); ++t) {
    common::PrefixedWriter prefixed(state, prefix_of(t));
    models_[t]->save(prefixed);
  }
}

void LibSvmFunctions::load_functions(const StateReader& state) {
  const std::int64_t count = state.integer("functions");
  std::vector<std::unique_ptr<LibSvmModel>> models;
  for (std::int64_t t = 0; t < count; ++t)
    models.push_back(std::make_unique<LibSvmModel>(
        common::PrefixedReader(state, prefix_of(static_cast<std::size_t>(t)))));
  if (models.empty() || std::ranges::any_of(models, [](const auto& m) { return m->classes() > 0; }))
    throw Error("the saved LIBSVM model has inconsistent arrays; train it again");
  models_ = std::move(models);
  inputs_ = models_.front()->inputs();
}

}  // namespace semblance::libraries
