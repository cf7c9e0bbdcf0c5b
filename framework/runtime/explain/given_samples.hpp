// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "semblance/source.hpp"
#include "semblance/state.hpp"

namespace semblance {

/// The samples at these positions.
FloatMatrix samples_at(const Dataset& data, std::span<const std::size_t> positions);
/// The same of rows of this layout.
FloatMatrix samples_at(const Layout& layout, MatrixView rows,
                       std::span<const std::size_t> positions);

/// The positions of the samples that a user may mean: the sample with this number in the data comes
/// first, then those with this name.
std::vector<std::size_t> samples_called(const Dataset& data, const std::string& sample);

/// At most `count` samples to compare others with: drawn by the seed from the training samples, or
/// from all samples of data that a model is applied to. In ascending order; none of data with a
/// single sample.
std::vector<std::size_t> background_samples(const Outline& outline, std::size_t count,
                                            std::uint64_t seed);
/// The same of `all` samples.
std::vector<std::size_t> background_samples(std::size_t all, std::size_t count, std::uint64_t seed);

}  // namespace semblance
