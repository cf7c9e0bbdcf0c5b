// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/drawings/drawn_sample.hpp"
#include "semblance/report.hpp"

namespace semblance {

/// A sample of a list of that name, whose samples have this layout and these columns. Throws Error
/// where the number of its values does not match the layout.
DrawnSample drawn_sample(const std::string& list, const Layout& layout,
                         const std::vector<std::string>& columns, const SampleList::Sample& sample);

/// The list as the store keeps it and the page draws it: {"name", "entries": [{"sample", "scores":
/// [{"label", "score"}], "nearest": [{"sample", "map", "similarity"}]}]}. Throws Error where the
/// number of values of a sample does not match its layout.
nlohmann::ordered_json drawn_list(const SampleList& list);

}  // namespace semblance
