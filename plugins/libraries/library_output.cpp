// SPDX-License-Identifier: MIT
#include "library_output.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace semblance::libraries {

std::vector<double> LibraryOutput::all_after(const std::string& key) const {
  std::vector<double> values;
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
    const char* begin = text.c_str() + at + key.size();
    char* end = nullptr;
    const double value = std::strtod(begin, &end);
    if (end != begin) values.push_back(value);
  }
  return values;
}

LibraryOutput::Sum LibraryOutput::sum_after(const std::string& key) const {
  Sum sum;
  for (const double value : all_after(key)) {
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
    context.log(LogLevel::debug, line);
  }
}

}  // namespace semblance::libraries
