// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "registry/catalogue.hpp"

namespace semblance {

/// The page of a component in Markdown, for KIND/NAME.md of the reference. Names of other
/// components are links if `all` has them.
std::string component_page(const Catalogue::Entry& entry, const Catalogue& all);

}  // namespace semblance
