// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "semblance/layout.hpp"
#include "semblance/state.hpp"

/// Checks of measures that store their bases, and their messages. All throw Error.
namespace semblance::basis_checks {

/// Refuses samples without values.
void check_has_values(const Layout& samples);

/// Refuses to store no bases.
void check_not_empty(MatrixView bases);

/// Reads the bases that a measure saved as "bases"; they must have the size of the samples.
FloatMatrix saved_bases(const StateReader& state, const Layout& samples);

/// For Similarity::apply(): `out` has a column for each basis.
void check_room(std::size_t bases, MutableMatrixView out);

/// For Similarity::apply_range(): there are bases for all columns of `out`, from `first` on.
void check_range(std::size_t bases, std::size_t first, MutableMatrixView out);

}  // namespace semblance::basis_checks
