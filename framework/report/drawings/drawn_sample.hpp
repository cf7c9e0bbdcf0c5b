// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "semblance/layout.hpp"
#include "semblance/report.hpp"

namespace semblance {

/// A sample as the page draws it (reduced_sample.hpp).
struct DrawnSample {
  std::string name;       ///< the sample's name in the user's data, or "row 17"
  std::string label;      ///< its class
  std::string predicted;  ///< the predicted class
  LayoutKind kind = LayoutKind::sequence;
  std::size_t size = 0;       ///< its steps, symbols, points, pixels, cells or values
  std::size_t depth = 1;      ///< values of each of these here
  std::vector<float> values;  ///< of some evenly spaced steps, of points, or of a vector;
                              ///< for graphs x, y and label of each node
  std::string text;  ///< the first symbols of a string; for pictures and grids picture_text(); for
                     ///< graphs a line of edges, "0-1 1-2", then a line per node with its label
  std::vector<std::string> columns = {};  ///< names of a vector's values, one each
};

/// The sample as the store keeps it and the page draws it.
nlohmann::ordered_json sample_to_json(const DrawnSample& sample);

/// A sample of a list of that name, whose samples have this layout and these columns. Throws Error
/// where the number of its values does not match the layout.
DrawnSample drawn_sample(const std::string& list, const Layout& layout,
                         const std::vector<std::string>& columns, const SampleList::Sample& sample);

/// The list as the store keeps it and the page draws it: {"name", "entries": [{"sample", "scores":
/// [{"label", "score"}], "nearest": [{"sample", "map", "similarity"}]}]}. Throws Error where the
/// number of values of a sample does not match its layout.
nlohmann::ordered_json drawn_list(const SampleList& list);

}  // namespace semblance
