// SPDX-License-Identifier: MIT
#include "linear_model.hpp"

#include <algorithm>
#include <string>

#include "semblance/error.hpp"
#include "skinny_product.hpp"
#include "training_checks.hpp"

namespace semblance::linear {
namespace {

std::ptrdiff_t place(std::size_t vector, std::size_t stride) {
  return static_cast<std::ptrdiff_t>(vector * stride);
}

}  // namespace

LinearModel::LinearModel(const Vectors<double>& vectors, std::size_t inputs, std::size_t classes,
                         double bias)
    : inputs_(inputs),
      classes_(classes),
      weights_(vectors.count() * padded(inputs)),
      offsets_(vectors.count()) {
  for (std::size_t c = 0; c < vectors.count(); ++c) {
    std::copy_n(vectors.row(c), inputs, weights_.begin() + place(c, padded(inputs)));
    offsets_[c] = bias != 0 ? bias * vectors.row(c)[inputs] : 0;
  }
}

void LinearModel::scores(MatrixView in, MutableMatrixView out) const {
  if (weights_.empty()) throw Error("the solver has not been trained");
  common::check_scores(out, classes_);
  if (in.cols != inputs_)
    throw Error("rows of " + std::to_string(in.cols) + " values do not match a model for " +
                std::to_string(inputs_));
  if (in.sparse()) return sparse_scores(in, out);
  constexpr std::size_t step = 16;
  const float* rows[step];
  const std::size_t n = vectors();
  std::vector<double> scratch(common::multiply_scratch(step, n)), z(step * n);
  for (std::size_t r = 0; r < in.rows; r += step) {
    const std::size_t count = std::min(step, in.rows - r);
    for (std::size_t i = 0; i < count; ++i) rows[i] = in.row(r + i);
    const common::TallBlock part{rows, count, in.cols};
    common::multiply(part, weights_.data(), padded(inputs_), n, scratch.data(), z.data());
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
  by_column_ = LaneWeights<double>(inputs_, 1, vectors());
  for (std::size_t c = 0; c < vectors(); ++c) {
    for (std::size_t j = 0; j < inputs_; ++j)
      by_column_.of(j)[c] = weights_[c * padded(inputs_) + j];
    by_column_.of(inputs_)[c] = offsets_[c];
  }
}

void LinearModel::sparse_scores(MatrixView in, MutableMatrixView out) const {
  if (by_column_.lanes() == 0) throw Error("the model was trained on rows that are not sparse");
  std::vector<double> scores(by_column_.lanes());
  for (std::size_t i = 0; i < in.rows; ++i) {
    by_column_.scores({in.row(i), in.columns_of(i).data(), in.size(i)}, scores.data());
    for (std::size_t c = 0; c < vectors(); ++c) set_score(c, scores[c], out.row(i));
  }
}

std::vector<double> LinearModel::plain_weights(std::size_t columns) const {
  std::vector<double> plain;
  for (std::size_t c = 0; c < vectors(); ++c) {
    const auto first = weights_.begin() + place(c, padded(inputs_));
    plain.insert(plain.end(), first, first + static_cast<std::ptrdiff_t>(columns));
  }
  return plain;
}

Formula::Value LinearModel::write(Formula& formula, Formula::Value in) const {
  if (weights_.empty()) throw Error("the solver has not been trained");
  const auto products = formula.products(formula.widen(in), plain_weights(inputs_));
  const auto offsets = formula.constant(std::span<const double>(offsets_));
  const auto scores = formula.narrow(formula.add(products, offsets));
  if (vectors() == classes_) return scores;
  return formula.concatenate(
      std::vector<Formula::Value>{formula.multiply(scores, formula.number(-1, scores)), scores});
}

std::size_t LinearModel::stored_columns() const {
  std::size_t used = 1;
  for (std::size_t c = 0; c < vectors(); ++c)
    for (std::size_t j = inputs_; j-- > used;)
      if (weights_[c * padded(inputs_) + j] != 0) used = j + 1;
  return 2 * used < inputs_ ? used : inputs_;
}

void LinearModel::save(StateWriter& state) const {
  state.integer("inputs", static_cast<std::int64_t>(inputs_));
  state.integer("classes", static_cast<std::int64_t>(classes_));
  state.doubles("weights", plain_weights(stored_columns()));
  state.doubles("offsets", offsets_);
}

LinearModel LinearModel::load(const StateReader& state) {
  const std::int64_t inputs = state.integer("inputs"), classes = state.integer("classes");
  const std::vector<double> plain = state.doubles("weights");
  LinearModel model;
  model.offsets_ = state.doubles("offsets");
  const std::size_t n = model.vectors();
  if (inputs < 1 || classes < 1 ||
      (n != static_cast<std::size_t>(classes) && !(n == 1 && classes == 2)) ||
      plain.size() % n != 0 || plain.empty() || plain.size() / n > static_cast<std::size_t>(inputs))
    throw Error("the saved linear model has arrays of the wrong size; train it again");
  model.inputs_ = static_cast<std::size_t>(inputs);
  model.classes_ = static_cast<std::size_t>(classes);
  model.weights_.assign(n * padded(model.inputs_), 0);
  const std::size_t stored = plain.size() / n;
  for (std::size_t c = 0; c < n; ++c)
    std::copy_n(plain.begin() + place(c, stored), stored,
                model.weights_.begin() + place(c, padded(model.inputs_)));
  return model;
}

}  // namespace semblance::linear
