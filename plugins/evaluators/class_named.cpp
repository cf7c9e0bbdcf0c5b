// SPDX-License-Identifier: MIT
#include "class_named.hpp"

#include <algorithm>

#include "semblance/error.hpp"

namespace semblance::evaluators {

std::size_t class_named(const std::string& parameter, const std::string& name,
                        std::span<const std::string> classes) {
  const auto found = std::ranges::find(classes, name);
  if (found != classes.end()) return static_cast<std::size_t>(found - classes.begin());
  constexpr std::size_t most_named = 10;
  std::string all;
  for (std::size_t c = 0; c < std::min(classes.size(), most_named); ++c) {
    all += c > 0 ? ", '" : "'";
    all += classes[c] + "'";
  }
  if (classes.size() > most_named) all += ", ...";
  throw Error("'" + parameter + "' names the class '" + name + "', but the classes are " + all);
}

}  // namespace semblance::evaluators
