// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace semblance::testing {

/// Whether Chromium is installed.
bool has_browser();

/// A page in a frame that is `width` pixels wide.
struct Framed {
  std::string page;
  int width = 0;
};

/// Opens the pages in one browser, runs browser_test.js on each, and returns its verdicts; throws
/// std::runtime_error with the browser's output if one is missing.
std::vector<nlohmann::json> verdicts_of_browser(const std::vector<Framed>& pages);

/// What tests/program/page_layout.py finds wrong with the pages, given by name: "{}" if nothing.
std::string unreadable(const std::map<std::string, std::string>& pages);

}  // namespace semblance::testing
