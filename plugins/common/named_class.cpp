// SPDX-License-Identifier: MIT
#include "named_class.hpp"

#include <algorithm>
#include <numeric>

#include "semblance/error.hpp"

namespace semblance::common {

std::size_t class_named(const std::string& parameter, const std::string& name,
                        std::span<const std::string> classes) {
  constexpr std::size_t most = 10;
  const auto found = std::ranges::find(classes, name);
  if (found != classes.end()) return static_cast<std::size_t>(found - classes.begin());
  if (classes.empty())
    throw Error("'" + parameter + "' names the class '" + name +
                "', but the data have no classes; remove it");
  std::string all;
  for (std::size_t c = 0; c < std::min(classes.size(), most); ++c)
    all += (c > 0 ? ", '" : "'") + classes[c] + "'";
  throw Error("'" + parameter + "' names the class '" + name + "', but the classes are " + all +
              (classes.size() > most ? ", ..." : ""));
}

std::vector<std::uint32_t> rows_of_class(const TrainingSet& training, const std::string& name,
                                         const std::string& parameter) {
  std::vector<std::uint32_t> rows(training.rows.rows());
  std::iota(rows.begin(), rows.end(), 0U);
  if (rows.empty()) throw Error("there are no training rows");
  if (name.empty()) return rows;
  const auto wanted = static_cast<std::int32_t>(class_named(parameter, name, training.classes));
  std::erase_if(rows, [&](std::uint32_t i) { return training.labels[i] != wanted; });
  if (rows.empty())
    throw Error("class '" + name + "' has no training rows, so there is nothing to learn from");
  return rows;
}

}  // namespace semblance::common
