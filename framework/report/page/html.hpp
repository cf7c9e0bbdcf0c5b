// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

/// Small pieces of HTML for all sections of the report.
namespace semblance::html {

/// `text` as content or quoted attribute value: <, >, &, " and ' become references, control
/// characters and bytes that are not UTF-8 the replacement character.
std::string escaped(std::string_view text);

}  // namespace semblance::html
