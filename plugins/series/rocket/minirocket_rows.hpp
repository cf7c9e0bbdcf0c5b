// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rocket/minirocket_kernels.hpp"
#include "semblance/layout.hpp"
#include "semblance/row_error.hpp"
#include "semblance/samples.hpp"
#include "semblance/state.hpp"

namespace semblance::series {

/// The handling of rows and states in minirocket and multirocket; `who` is the component's name in
/// messages, `least` the least number of steps of a series.

/// Throws Error if series of this layout can never be long enough for the kernels, which need
/// `needed` steps of the longest training series.
void check_rocket_layout(const Layout& layout, const std::string& who, std::size_t needed);

/// The rows as series. Throws Error if one is too short, too long, has another number of channels,
/// or has a value that is not finite; `place` is "of the block" or "of the training rows", `first`
/// the number of the first row there.
std::vector<SeriesView> rocket_series(MatrixView rows, std::size_t channels, std::size_t least,
                                      std::size_t first, RowError::Of of);

/// The largest magnitude that keeps sums of many values from overflowing.
inline constexpr float rocket_largest_value = 1e30f;

/// The same, and throws Error if a value has a larger magnitude.
std::vector<SeriesView> bounded_rocket_series(MatrixView rows, std::size_t channels,
                                              std::size_t least, std::size_t first,
                                              RowError::Of of);

/// Series from the longest to the shortest, so that those in the lanes of a vector end together,
/// and the row of `out` for each.
struct SeriesByLength {
  SeriesByLength(std::span<const SeriesView> given, MutableMatrixView out);
  std::vector<SeriesView> series;
  std::vector<float*> rows;
};

/// Throws Error unless each row has room for `columns` features.
void check_rocket_output(MatrixView in, MatrixView out, std::size_t columns);

/// The training samples, all checked. Throws Error if the longest one has fewer than `needed`
/// steps. Valid as long as `training`.
RocketTraining rocket_training(const TrainingSet& training, std::size_t channels, std::size_t least,
                               std::size_t needed, Context& context);

/// The same series, each as x[t + 1] - x[t].
RocketTraining rocket_differences(RocketTraining training);

/// Names in the state begin with `prefix`.
void save_bank(const RocketBank& bank, const std::string& prefix, StateWriter& state);

/// Throws Error if the bank is incomplete, or not for these numbers of channels and biases per
/// kernel.
RocketBank load_bank(const StateReader& state, const std::string& prefix, std::size_t channels,
                     std::size_t biases_per_kernel);

}  // namespace semblance::series
