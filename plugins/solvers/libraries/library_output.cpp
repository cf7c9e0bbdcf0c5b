// SPDX-License-Identifier: MIT
#include "libraries/library_output.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace semblance::solvers {

LibraryOutput::Sum LibraryOutput::sum_after(const std::string& key) const {
  Sum sum;
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
    const char* begin = text.c_str() + at + key.size();
    char* end = nullptr;
    const double value = std::strtod(begin, &end);
    if (end == begin) continue;
    sum.total += value;
    sum.largest = sum.count == 0 ? value : std::max(sum.largest, value);
    ++sum.count;
  }
  return sum;
}

void LibraryOutput::log_to(Context& context) const {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(".*\r ") == std::string::npos) continue;
    const bool warning = line.find("WARNING") != std::string::npos;
    context.log(warning ? LogLevel::warning : LogLevel::debug, line);
  }
}

}  // namespace semblance::solvers
