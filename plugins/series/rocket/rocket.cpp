// SPDX-License-Identifier: MIT
#include "rocket/rocket.hpp"

#include "rocket/minirocket_rows.hpp"
#include "semblance/row_error.hpp"

namespace semblance::series {

std::size_t Rocket::columns_each() const noexcept {
  const std::size_t poolings = method_.pooling == RocketPooling::four ? 4 : 1;
  return method_.differences ? 2 * poolings : poolings;
}

std::size_t Rocket::biases_each() const noexcept {
  return static_cast<std::size_t>(features_) / (columns_each() * rocket_kernel_count);
}

Layout Rocket::bind(const Layout& input) {
  check_rocket_layout(input, method_.name, needed_steps());
  channels_ = input.depth;
  return Layout::vector(biases_each() * columns_each() * rocket_kernel_count);
}

void Rocket::fit(const TrainingSet& training, Context& context) {
  const auto from = rocket_training(training, channels_, least_steps(), needed_steps(), context);
  Random random = context.random();
  series_ = learn_bank(from, biases_each(), random, context);
  if (method_.differences)
    differences_ = learn_bank(rocket_differences(from), biases_each(), random, context);
}

void Rocket::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  const std::size_t columns = rocket_columns(series_, method_.pooling);
  check_rocket_output(in, out, method_.differences ? 2 * columns : columns);
  const auto series = rocket_series(in, channels_, least_steps(), 0, RowError::Of::block);
  const auto poll = [&] { context.check_stop(); };
  pool_series(series_, method_.pooling, false, series, out.cols_range(0, columns), poll);
  if (method_.differences)
    pool_series(differences_, method_.pooling, true, series, out.cols_range(columns, columns),
                poll);
}

void Rocket::save(StateWriter& state) const {
  if (!method_.differences) return save_bank(series_, "", state);
  save_bank(series_, "series_", state);
  save_bank(differences_, "differences_", state);
}

void Rocket::load(const StateReader& state, Context&) {
  series_ = load_bank(state, method_.differences ? "series_" : "", channels_, biases_each());
  if (method_.differences)
    differences_ = load_bank(state, "differences_", channels_, biases_each());
}

}  // namespace semblance::series
