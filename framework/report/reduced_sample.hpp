// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "report/drawn_sample.hpp"

namespace semblance {

/// The most values of a vector that a page lists.
constexpr std::size_t most_listed_values = 40;

/// What is enough of a sample's values to draw it: some of its steps, points or symbols, a picture
/// of at most 64 x 64 pixels, the first values of a vector, or the largest ones of a sparse vector.
/// `columns` are the names of a vector's columns, if they have any, `places` the columns of a
/// sparse vector's values. Its name and classes are left empty.
DrawnSample reduced_sample(const Layout& layout, std::span<const float> values,
                           std::span<const std::string> columns = {},
                           std::span<const std::uint32_t> places = {});

}  // namespace semblance
