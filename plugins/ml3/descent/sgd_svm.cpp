// SPDX-License-Identifier: MIT
#include "descent/sgd_svm.hpp"

#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "row_products.hpp"
#include "semblance/collectives.hpp"
#include "semblance/number_or_word.hpp"
#include "semblance/row_parts.hpp"
#include "training_checks.hpp"

namespace semblance::ml3 {
namespace {

/// The weighted mean of the squared lengths of the rows minus their centre; 1 if all are 0.
double mean_square(const Problem& problem, Context& context) {
  const TrainingRows& rows = problem.rows;
  const RowParts parts(rows.rows);
  std::vector<double> sums(2);
  sum_over_parts(context, parts, sums, [&](std::size_t part, std::span<double> own) {
    std::vector<float> row(rows.cols);
    for (std::size_t i = parts.first_row(part); i < parts.first_row(part + 1); ++i) {
      rows.copy(i, row.data());
      double square = 0;
      for (const float x : row) square += double{x} * double{x};
      own[0] += problem.weight(i) * square;
      own[1] += problem.weight(i);
    }
    rows.release(parts.first_row(part), parts.rows_of(part));
  });
  return sums[0] > 0 ? sums[0] / sums[1] : 1;
}

/// lambda: scale, as a share of the mean squared length.
constexpr double lambda_share = 1e-5;

}  // namespace

Layout SgdSvm::bind(const Layout& input) {
  inputs_ = input.size();
  if (inputs_ == 0) throw Error("samples without values cannot be classified");
  return Layout::vector(classes_);
}

void SgdSvm::scale(const Problem& problem, Context& context) {
  const std::optional<double> lambda = number_given(given_lambda_),
                              bias = number_given(given_bias_);
  const double square = lambda && bias ? 1 : mean_square(problem, context);
  lambda_ = lambda.value_or(lambda_share * square);
  bias_ = bias.value_or(std::sqrt(square));
}

void SgdSvm::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_labels(training);
  common::check_finite(training.rows, context);
  inputs_ = training.rows.cols();
  classes_ = training.classes.size();
  const std::size_t rows = training.rows.rows();
  const std::vector<double> row_weights = mean_one(this->row_weights(training));
  Problem problem{{training.rows, context, center_, row_weights},
                  training.labels,
                  classes_,
                  models(),
                  bias_,
                  row_weights};
  centre_ = problem.rows.centre;
  scale(problem, context);
  problem.bias = bias_;
  const double left =
      check_memory(problem, static_cast<std::size_t>(batch_), weights_per_row(), context);
  problem.listed = ListedRows::make(problem, left, context);
  const PegasosOptions options{lambda_, static_cast<std::size_t>(epochs_),
                               static_cast<std::size_t>(batch_)};
  Random random = context.random();
  learn_weights(problem, random, context);

  FloatMatrix table(rows, weights_per_row());
  context.parallel_for(block_count(rows), [&](std::size_t b) {
    const std::size_t first = b * block_rows, count = std::min(block_rows, rows - first);
    weigh(problem.rows.rows_range(first, count), table.view().rows_range(first, count));
    problem.rows.release(first, count);
  });
  const Surroundings surroundings{context, [&](double share) { context.progress(share, 1); }};
  const PegasosResult result = pegasos(problem, table, options, random, surroundings);
  w_ = numerics::PackedRows(result.w.view());
  report_pegasos(result, {lambda_, result.w.squared_norm(), rows, w_.rows() * w_.cols()}, report,
                 context);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

void SgdSvm::apply(MatrixView in, MutableMatrixView out, Context&) const {
  if (w_.rows() == 0) throw Error("the solver has not been trained");
  common::check_scores(out, classes_);
  const std::size_t m = models();
  FloatMatrix beta(std::min(block_rows, in.rows), weights_per_row());
  for (std::size_t first = 0; first < in.rows; first += block_rows) {
    const std::size_t count = std::min(block_rows, in.rows - first);
    const MatrixView rows = in.rows_range(first, count);
    if (in.cols == inputs_) weigh(rows, beta.view().rows_range(0, count));
    for_each_product(rows, centre_, bias_, w_, [&](std::size_t i, std::span<const float> z) {
      for (std::size_t y = 0; y < classes_; ++y)
        out.row(first + i)[y] = weighted_sum(
            class_weights(std::as_const(beta).view().row_span(i), m, y), z.subspan(y * m, m));
    });
  }
}

void SgdSvm::save(StateWriter& state) const {
  common::save_inputs(state, inputs_, centre_);
  state.integer("classes", static_cast<std::int64_t>(classes_));
  state.number("bias", bias_);
  state.floats("models", w_.unpack().view());
  save_weights(state);
}

void SgdSvm::load(const StateReader& state, Context&) {
  auto [inputs, centre] = common::load_inputs(state);
  const std::int64_t classes = state.integer("classes");
  const FloatMatrix saved = state.floats("models");
  bias_ = state.number("bias");
  if (inputs < 1 || classes < 2 || saved.rows % models() != 0 ||
      saved.rows / models() != static_cast<std::size_t>(classes) ||
      saved.cols != static_cast<std::size_t>(inputs) + (bias_ != 0 ? 1 : 0))
    throw Error("the saved model has an array of the wrong size; train it again");
  inputs_ = static_cast<std::size_t>(inputs);
  centre_ = std::move(centre);
  classes_ = static_cast<std::size_t>(classes);
  w_ = numerics::PackedRows(saved.view());
}

void LocalSvm::assign(MatrixView in, std::span<const std::int32_t> classes,
                      MutableMatrixView shares, Context&) const {
  const std::size_t m = models();
  FloatMatrix beta(std::min(block_rows, in.rows), weights_per_row());
  for (std::size_t first = 0; first < in.rows; first += block_rows) {
    const std::size_t count = std::min(block_rows, in.rows - first);
    weigh(in.rows_range(first, count), beta.view().rows_range(0, count));
    for (std::size_t i = 0; i < count; ++i) {
      const auto label = static_cast<std::size_t>(classes[first + i]);
      const auto own = class_weights(std::as_const(beta).view().row_span(i), m, label);
      const auto share = shares.row_span(first + i);
      std::transform(own.begin(), own.end(), share.begin(), [](float w) { return std::abs(w); });
      scale_to_shares(share);
    }
  }
}

}  // namespace semblance::ml3
