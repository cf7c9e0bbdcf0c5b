// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

/// The style sheets and scripts of page/, compiled into the program.
namespace semblance::page_assets {

extern const std::string_view style;
extern const std::string_view script;
extern const std::string_view d3;         ///< the charting library, as distributed
extern const std::string_view d3_notice;  ///< its licence, which precedes it

}  // namespace semblance::page_assets
