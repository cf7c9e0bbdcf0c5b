// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "registry/catalogue.hpp"

namespace semblance {

/// The page of a component in Markdown, to lie at KIND/NAME.md of the reference. Other components
/// that it names are links where `all` knows them.
std::string component_page(const Catalogue::Entry& entry, const Catalogue& all);

}  // namespace semblance
