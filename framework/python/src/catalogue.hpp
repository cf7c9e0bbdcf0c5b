// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "registry/catalogue.hpp"

namespace semblance::python {

/// The components of this process: found once, again where plugins are added. Needs the GIL; what
/// was given out stays valid. Throws Error.
std::shared_ptr<const Catalogue> catalogue();

/// Adds plugins, or folders of them, for this process. Whole or not at all: where one cannot be
/// used, Error is thrown and nothing changes.
void add_plugins(const std::vector<std::string>& paths);

/// The declarations of all components, as a JSON array.
std::string catalogue_json();

}  // namespace semblance::python
