// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace semblance::testing {

/// Whether Chromium is installed.
bool has_browser();

/// Opens the page in a frame of `width` pixels, has browser_test.js use it, and gives its verdict;
/// throws std::runtime_error with what the browser said where there is none.
nlohmann::json verdict_of_browser(const std::string& page, int width);

}  // namespace semblance::testing
