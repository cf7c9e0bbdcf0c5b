// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/drawn_sample.hpp"
#include "semblance/report.hpp"

namespace semblance {

/// A training sample that a test sample was compared with.
struct DrawnNeighbour {
  DrawnSample sample;
  std::string map;
  double similarity = 0;
};

/// A test sample of a list, with some of its scores.
struct DrawnEntry {
  DrawnSample sample;
  std::vector<SampleList::Score> scores;
  std::vector<DrawnNeighbour> nearest;
};

/// A SampleList as the page draws it.
struct DrawnList {
  std::string name;
  std::vector<DrawnEntry> entries;
};

/// A sample of a list of that name, whose samples have this layout and these columns. Throws Error
/// where the number of its values does not match the layout.
DrawnSample drawn_sample(const std::string& list, const Layout& layout,
                         const std::vector<std::string>& columns, const SampleList::Sample& sample);

/// Throws Error where the number of values of a sample does not match its layout.
DrawnList drawn_list(const SampleList& list);

nlohmann::ordered_json list_to_json(const DrawnList& list);

/// Throws Error, or an exception of the JSON library, where it is not from list_to_json().
DrawnList list_from_json(const nlohmann::ordered_json& json);

}  // namespace semblance
