// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "rocket/minirocket_kernels.hpp"
#include "semblance/layout.hpp"
#include "semblance/row_error.hpp"
#include "semblance/samples.hpp"
#include "semblance/state.hpp"

namespace semblance {

/// What minirocket and multirocket do with rows and states; `who` is the component's name in
/// messages, `least` how many steps a series must have at least.

/// Throws Error where series of this layout can never be long enough for the kernels, which need
/// `needed` steps of the longest training series.
void check_rocket_layout(const Layout& layout, const std::string& who, std::size_t needed);

/// The rows as series. Throws Error where one is too short, too long, no series of so many
/// channels, or has a value that is not finite; `place` is "of the block" or "of the training
/// rows", `first` the number of the first row there.
std::vector<SeriesView> rocket_series(MatrixView rows, std::size_t channels, std::size_t least,
                                      std::size_t first, RowError::Of of);

/// Throws Error unless each row has room for `columns` features.
void check_rocket_output(MatrixView in, MatrixView out, std::size_t columns);

/// The training rows, all of them checked. Throws Error where the longest one has fewer than
/// `needed` steps. Valid as long as `training`.
RocketTraining rocket_training(const TrainingSet& training, std::size_t channels, std::size_t least,
                               std::size_t needed, Context& context);

/// The same series, each as x[t + 1] - x[t].
RocketTraining rocket_differences(RocketTraining training);

/// Names in the state begin with `prefix`.
void save_bank(const RocketBank& bank, const std::string& prefix, StateWriter& state);

/// Throws Error where the bank is not whole, or not for this many channels and biases a kernel.
RocketBank load_bank(const StateReader& state, const std::string& prefix, std::size_t channels,
                     std::size_t biases_per_kernel);

}  // namespace semblance
