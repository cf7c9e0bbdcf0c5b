// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "semblance/parameters.hpp"

namespace semblance {

/// Whether the parameter is a number or one of a few words: a text that is declared with choices
/// and a range.
///
///     .parameter("gamma", &Rbf::gamma_, "inverse squared width", choices({"scale", "auto"}),
///                above(0))
///
/// Its Value is a double or a text. The member is a std::string: a number is assigned as the
/// shortest text that number_given() reads back as the same.
bool is_number_or_word(const ParameterInfo& info) noexcept;

/// The number that a text is, if it is one.
std::optional<double> number_given(std::string_view text) noexcept;

}  // namespace semblance
