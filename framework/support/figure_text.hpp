// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "semblance/component_info.hpp"

/// Figures as people read them, following their declarations; the same on pages and terminals.
namespace semblance {

/// "error_rate" as words: "error rate".
std::string words(std::string_view name);

/// The same for a figure whose unit is shown with its value: "train_seconds" is "train time".
std::string figure_words(std::string_view name, FigureUnit unit);

/// "97.50%", "1.2 s", "2.0 KiB", "12,345"; a share outside of [0, 1] is written like any number.
std::string figure_text(FigureUnit unit, double value);

/// A share in percent without the sign: "12.34".
std::string percent(double share, int decimals);

}  // namespace semblance
