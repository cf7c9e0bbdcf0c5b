// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

/// page/report.css and page/report.js, put into the program when it is built.
namespace semblance::page_assets {

extern const std::string_view style;
extern const std::string_view script;

}  // namespace semblance::page_assets
