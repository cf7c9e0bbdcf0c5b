// SPDX-License-Identifier: MIT
#include "linear/linear_model.hpp"

#include <algorithm>
#include <string>

#include "semblance/error.hpp"
#include "skinny_product.hpp"
#include "training_checks.hpp"

namespace semblance::solvers {
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
  check_scores(out, classes_);
  if (in.cols != inputs_)
    throw Error("rows of " + std::to_string(in.cols) + " values do not match a model for " +
                std::to_string(inputs_));
  constexpr std::size_t step = 16;
  const float* rows[step];
  const std::size_t n = vectors();
  const bool single = n < classes_;
  std::vector<double> scratch(multiply_scratch(step, n)), z(step * n);
  for (std::size_t r = 0; r < in.rows; r += step) {
    const std::size_t count = std::min(step, in.rows - r);
    for (std::size_t i = 0; i < count; ++i) rows[i] = in.row(r + i);
    const TallBlock part{rows, count, in.cols};
    multiply(part, weights_.data(), padded(inputs_), n, scratch.data(), z.data());
    for (std::size_t i = 0; i < part.rows; ++i)
      for (std::size_t c = 0; c < n; ++c) {
        const double f = z[i * n + c] + offsets_[c];
        out.row(r + i)[single ? 1 : c] = static_cast<float>(f);
        if (single) out.row(r + i)[0] = static_cast<float>(-f);
      }
  }
}

void LinearModel::save(StateWriter& state) const {
  state.integer("inputs", static_cast<std::int64_t>(inputs_));
  state.integer("classes", static_cast<std::int64_t>(classes_));
  std::vector<double> plain;
  for (std::size_t c = 0; c < vectors(); ++c) {
    const auto first = weights_.begin() + place(c, padded(inputs_));
    plain.insert(plain.end(), first, first + static_cast<std::ptrdiff_t>(inputs_));
  }
  state.doubles("weights", plain);
  state.doubles("offsets", offsets_);
}

LinearModel LinearModel::load(const StateReader& state) {
  const std::int64_t inputs = state.integer("inputs"), classes = state.integer("classes");
  const std::vector<double> plain = state.doubles("weights");
  LinearModel model;
  model.offsets_ = state.doubles("offsets");
  const std::size_t n = model.vectors();
  if (inputs < 1 || classes < 2 ||
      (n != static_cast<std::size_t>(classes) && !(n == 1 && classes == 2)) ||
      plain.size() % n != 0 || plain.size() / n != static_cast<std::size_t>(inputs))
    throw Error("the saved linear SVM has arrays of the wrong size; train it again");
  model.inputs_ = static_cast<std::size_t>(inputs);
  model.classes_ = static_cast<std::size_t>(classes);
  model.weights_.assign(n * padded(model.inputs_), 0);
  for (std::size_t c = 0; c < n; ++c)
    std::copy_n(plain.begin() + place(c, model.inputs_), model.inputs_,
                model.weights_.begin() + place(c, padded(model.inputs_)));
  return model;
}

}  // namespace semblance::solvers
