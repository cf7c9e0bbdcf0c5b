// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "semblance/layout.hpp"

namespace semblance {

/// A test sample as the page draws it: a sequence, a string, a set or a sparse vector.
struct DrawnSample {
  std::string name;       ///< what the user's data call the row, or "row 17"
  std::string label;      ///< its class
  std::string predicted;  ///< the class that it was given
  LayoutKind kind = LayoutKind::sequence;
  std::size_t size = 0;       ///< its steps, symbols or points
  std::size_t depth = 1;      ///< values each of these has here
  std::vector<float> values;  ///< of some steps, evenly taken, or of points
  std::string text;           ///< the first symbols of a string, the largest entries of a sparse row

  bool right() const { return label == predicted; }
};

nlohmann::ordered_json samples_to_json(const std::vector<DrawnSample>& samples);

/// Throws Error, or an exception of the JSON library, where it is not what samples_to_json() wrote.
std::vector<DrawnSample> samples_from_json(const nlohmann::ordered_json& json);

}  // namespace semblance
