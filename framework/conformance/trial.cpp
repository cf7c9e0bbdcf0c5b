// SPDX-License-Identifier: MIT
#include "conformance/trial.hpp"

#include <algorithm>
#include <bit>

namespace semblance::conformance {
namespace {

std::string first_line_that_differs(const std::string& one, const std::string& other) {
  const auto [at, in_other] = std::ranges::mismatch(one, other);
  const auto begin = one.rfind('\n', static_cast<std::size_t>(at - one.begin()));
  const auto first = begin == std::string::npos ? 0 : begin + 1;
  std::string line = one.substr(first, one.find('\n', first) - first);
  constexpr std::size_t most = 80;
  if (line.size() > most) line = line.substr(0, most) + "...";
  return line;
}

}  // namespace

std::string difference(const Outcome& one, const Outcome& other) {
  if (one.text != other.text)
    return "'" + first_line_that_differs(one.text, other.text) + "' became '" +
           first_line_that_differs(other.text, one.text) + "'";
  if (one.values.size() != other.values.size())
    return std::to_string(one.values.size()) + " values became " +
           std::to_string(other.values.size());
  std::size_t different = 0, first = 0;
  for (std::size_t i = one.values.size(); i-- > 0;)
    if (std::bit_cast<std::uint32_t>(one.values[i]) !=
        std::bit_cast<std::uint32_t>(other.values[i])) {
      ++different;
      first = i;
    }
  if (different == 0) return "";
  return std::to_string(different) + " of " + std::to_string(one.values.size()) +
         " values differ; the first was " + to_text(Value(double(one.values[first]))) +
         " and became " + to_text(Value(double(other.values[first])));
}

}  // namespace semblance::conformance
