// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace semblance::testing {

/// Whether Chromium is not installed; then it reports that the test is skipped.
bool no_browser();

/// A page in a frame that is `width` pixels wide.
struct Framed {
  std::string page;
  int width = 0;
};

/// Opens the pages in one browser, runs browser_test.js on each, and returns its verdicts; throws
/// std::runtime_error with the browser's output if one is missing.
std::vector<nlohmann::json> verdicts_of_browser(const std::vector<Framed>& pages);

/// What the pages' scripts make of them: the HTML inside of each page's <main>. Throws
/// std::runtime_error where a script fails.
std::vector<std::string> shown(const std::vector<std::string>& pages);

/// What tests/program/page_layout.py finds wrong with the pages, given by name: "{}" if nothing.
std::string unreadable(const std::map<std::string, std::string>& pages);

}  // namespace semblance::testing
