// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

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

inline bool is_void(const std::string& name) {
  constexpr std::array names = {"meta", "br", "hr", "img", "input", "link"};
  return std::ranges::find(names, name) != names.end();
}

/// The first error in the nesting of tags; "" where there is none.
inline std::string nesting_fault(const std::string& page) {
  std::vector<std::string> open;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    if (page.compare(at, 2, "<!") == 0) continue;
    const bool closing = page.at(at + 1) == '/';
    std::size_t end = at + (closing ? 2 : 1);
    std::string name;
    while (std::isalnum(static_cast<unsigned char>(page.at(end)))) name += page[end++];
    if (name.empty()) return "a bare < at " + page.substr(at, 40);
    char quote = 0;
    for (; quote || page.at(end) != '>'; ++end) {
      const char c = page.at(end);
      if (quote)
        quote = c == quote ? '\0' : quote;
      else if (c == '"' || c == '\'')
        quote = c;
      else if (c == '<')
        return "a < inside of a tag at " + page.substr(at, 60);
    }
    if (closing) {
      if (open.empty() || open.back() != name)
        return "</" + name + "> closes <" + (open.empty() ? "" : open.back()) + ">";
      open.pop_back();
    } else if (page[end - 1] != '/' && !is_void(name)) {
      open.push_back(name);
      if (name == "style" || name == "script") end = page.find("</" + name, end) - 1;
    }
    at = end;
  }
  return open.empty() ? "" : "<" + open.back() + "> is left open";
}

/// The page without the charting library, which is third-party code.
inline std::string without_d3(std::string page) {
  const std::size_t start = page.find("<script>\n/*! D3");
  if (start == std::string::npos) return page;
  const std::size_t end = page.find("</script>", start);
  return page.erase(start, end - start);
}

}  // namespace semblance::testing
