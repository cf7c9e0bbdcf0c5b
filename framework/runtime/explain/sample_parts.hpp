// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "semblance/layout.hpp"
#include "semblance/matrix.hpp"

namespace semblance {

/// Parts of a sample that are present or absent together: the columns of a vector, the cells of a
/// picture, segments of a series, symbols of a string.
struct SampleParts {
  std::vector<std::string> names;
  std::vector<std::size_t> first, count;  ///< steps or symbols; of a cell its place and its pixels
  std::vector<std::size_t> part_of;       ///< one per value of the sample

  std::size_t size() const noexcept { return names.size(); }
};

/// Why samples of this layout have no parts, in one sentence; empty: they have.
std::string why_no_parts(const Layout& layout);

/// The parts of a sample with `values` values.
SampleParts parts_of(const Layout& layout, std::size_t values,
                     std::span<const std::string> columns);

/// A sample of the background as large as one with `values` values: a series is interpolated
/// linearly, of a string each symbol is the one at the nearest relative place. Others have one
/// size.
std::vector<float> stretched(const Layout& layout, std::span<const float> sample,
                             std::size_t values);

}  // namespace semblance
