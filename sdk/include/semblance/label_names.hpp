// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace semblance {

/// The name of a label: integers in canonical form, so that "+1", "1.0", "1.00e+00" and "1" are one
/// label. All others are unchanged, even if they look like numbers: "01", as in postal codes, "1,0"
/// and "12e4", as in product codes.
std::string canonical_label(std::string_view text);

/// The places of names in their natural order: by value if all are integers, else alphabetical.
std::vector<std::size_t> natural_order(std::span<const std::string> names);

}  // namespace semblance
