// SPDX-License-Identifier: MIT
#include "linear_model.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "semblance/error.hpp"
#include "skinny_product.hpp"
#include "training_checks.hpp"

namespace semblance::linear {
namespace {

std::ptrdiff_t place(std::size_t vector, std::size_t stride) {
  return static_cast<std::ptrdiff_t>(vector * stride);
}

}  // namespace

LinearModel::LinearModel(const Vectors<double>& vectors, numerics::OccurringColumns columns,
                         std::size_t classes, double bias)
    : columns_(std::move(columns)),
      classes_(classes),
      weights_(vectors.count() * padded(columns_.size())),
      offsets_(vectors.count()) {
  const std::size_t n = columns_.size();
  for (std::size_t c = 0; c < vectors.count(); ++c) {
    std::copy_n(vectors.row(c), n, weights_.begin() + place(c, padded(n)));
    offsets_[c] = bias != 0 ? bias * vectors.row(c)[n] : 0;
  }
}

void LinearModel::scores(MatrixView in, MutableMatrixView out) const {
  if (offsets_.empty()) throw Error("the solver has not been trained");
  common::check_scores(out, classes_);
  if (in.cols != inputs())
    throw Error("rows of " + std::to_string(in.cols) + " values do not match a model for " +
                std::to_string(inputs()));
  if (in.sparse()) return sparse_scores(in, out);
  if (weights_.empty() || !columns_.are_all()) throw Error("the model was trained on sparse rows");
  constexpr std::size_t step = 16;
  const float* rows[step];
  const std::size_t n = vectors();
  std::vector<double> scratch(common::multiply_scratch(step, n)), z(step * n);
  for (std::size_t r = 0; r < in.rows; r += step) {
    const std::size_t count = std::min(step, in.rows - r);
    for (std::size_t i = 0; i < count; ++i) rows[i] = in.row(r + i);
    const common::TallBlock part{rows, count, in.cols};
    common::multiply(part, weights_.data(), padded(in.cols), n, scratch.data(), z.data());
    for (std::size_t i = 0; i < part.rows; ++i)
      for (std::size_t c = 0; c < n; ++c) set_score(c, z[i * n + c] + offsets_[c], out.row(r + i));
  }
}

/// A single vector separates the second of two classes from the first.
void LinearModel::set_score(std::size_t vector, double score, float* scores) const {
  const bool single = vectors() < classes_;
  scores[single ? 1 : vector] = static_cast<float>(score);
  if (single) scores[0] = static_cast<float>(-score);
}

void LinearModel::take_sparse_rows() {
  LaneWeights by_column(columns_.size(), 1, vectors());
  for (std::size_t c = 0; c < vectors(); ++c) {
    for (std::size_t k = 0; k < columns_.size(); ++k) by_column.of(k)[c] = weight(c, k);
    by_column.of(columns_.size())[c] = offsets_[c];
  }
  by_column_ = std::move(by_column);
  weights_ = {};
}

void LinearModel::sparse_scores(MatrixView in, MutableMatrixView out) const {
  if (by_column_.lanes() == 0) throw Error("the model was trained on rows that are not sparse");
  std::vector<double> scores(by_column_.lanes());
  const FloatMatrix some = columns_.are_all() ? FloatMatrix() : columns_.at_places(in);
  const MatrixView rows = columns_.are_all() ? in : some.view();
  for (std::size_t i = 0; i < in.rows; ++i) {
    by_column_.scores(entries_of(rows, i), scores.data());
    for (std::size_t c = 0; c < vectors(); ++c) set_score(c, scores[c], out.row(i));
  }
}

Formula::Value LinearModel::write(Formula& formula, Formula::Value in) const {
  if (offsets_.empty()) throw Error("the solver has not been trained");
  const std::vector<std::size_t> columns = formula.columns(in);
  std::vector<double> weights;
  weights.reserve(vectors() * columns.size());
  for (std::size_t c = 0; c < vectors(); ++c)
    for (const std::size_t column : columns) {
      const std::size_t place = columns_.place(column);
      weights.push_back(place == numerics::OccurringColumns::none ? 0 : weight(c, place));
    }
  const auto products = formula.products(formula.widen(in), weights);
  const auto offsets = formula.constant(std::span<const double>(offsets_));
  const auto scores = formula.narrow(formula.add(products, offsets));
  if (vectors() == classes_) return scores;
  return formula.concatenate(
      std::vector<Formula::Value>{formula.multiply(scores, formula.number(-1, scores)), scores});
}

namespace {

/// The entry of a state with the weights of all columns, or of some.
const char* weights_name(const numerics::OccurringColumns& columns) {
  return columns.are_all() ? "weights" : "weights_of_columns";
}

}  // namespace

void LinearModel::save(StateWriter& state) const {
  state.integer("inputs", static_cast<std::int64_t>(inputs()));
  state.integer("classes", static_cast<std::int64_t>(classes_));
  std::vector<double> plain;
  plain.reserve(vectors() * columns_.size());
  for (std::size_t c = 0; c < vectors(); ++c)
    for (std::size_t k = 0; k < columns_.size(); ++k) plain.push_back(weight(c, k));
  columns_.save(state);
  state.doubles(weights_name(columns_), plain);
  state.doubles("offsets", offsets_);
}

LinearModel LinearModel::load(const StateReader& state) {
  const std::int64_t inputs = state.integer("inputs"), classes = state.integer("classes");
  const auto wrong = [] {
    return Error("the saved linear model has arrays of the wrong size; train it again");
  };
  if (inputs < 1 || classes < 1) throw wrong();
  LinearModel model;
  model.columns_ = numerics::OccurringColumns::load(state, static_cast<std::size_t>(inputs));
  model.classes_ = static_cast<std::size_t>(classes);
  model.offsets_ = state.doubles("offsets");
  const std::vector<double> plain = state.doubles(weights_name(model.columns_));
  const std::size_t n = model.vectors();
  if ((n != model.classes_ && !(n == 1 && classes == 2)) || plain.size() % n != 0 || plain.empty())
    throw wrong();
  // Older models have the weights of the first columns only, where most have none.
  const std::size_t stored = plain.size() / n, size = model.columns_.size();
  if (stored > size || (stored < size && !model.columns_.are_all())) throw wrong();
  model.weights_.assign(n * padded(size), 0);
  for (std::size_t c = 0; c < n; ++c)
    std::copy_n(plain.begin() + place(c, stored), stored,
                model.weights_.begin() + place(c, padded(size)));
  return model;
}

}  // namespace semblance::linear
