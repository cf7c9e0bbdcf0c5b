// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

/// The files of assets/, compiled into the program.
namespace semblance::board::assets {

extern const std::string_view style;
extern const std::string_view script;
extern const std::string_view body;

}  // namespace semblance::board::assets
