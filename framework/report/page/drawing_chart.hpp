// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "semblance/component_info.hpp"
#include "semblance/report.hpp"

namespace semblance {

/// The largest number of bars of a chart; of more, the first are shown.
constexpr std::size_t most_bars = 200;

/// The largest number of rows, and of columns, of a heat map; more are not drawn.
constexpr std::size_t most_heat_rows = 300;

/// Whether it has a chart: a heat map can be too large for one, or have no values.
bool is_drawn(const Drawing& drawing);

/// Whether a script draws it, not the page itself.
bool needs_script(const Drawing& drawing);

/// The drawing as a figure; `node` is the name of its node, which has these figures.
std::string drawing_html(const Drawing& drawing, const std::string& node,
                         std::span<const FigureInfo> figures);

}  // namespace semblance
