// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

/// Searches of page tests in HTML.
namespace semblance::testing {

inline std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// The data that the page's scripts show.
inline nlohmann::ordered_json data_of(const std::string& page) {
  const std::string start = "id=\"data\">";
  const std::size_t begin = page.find(start) + start.size();
  return nlohmann::ordered_json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

/// The page without the charting library, which is third-party code.
inline std::string without_d3(std::string page) {
  const std::size_t start = page.find("/*! D3");
  if (start == std::string::npos) return page;
  return page.erase(start, page.find("\"use strict\";\n(() => {", start) - start);
}

}  // namespace semblance::testing
