// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "registry/catalogue.hpp"

namespace semblance::python {

/// A component as a pipeline would write it as a parameter, {"is": "similarity/rbf", "gamma": 1}
/// as YAML or JSON, checked as there. Throws BadPipeline with everything that is wrong.
ComponentConfig component_from_text(const std::string& text, const std::string& kind,
                                    const Catalogue& catalogue);

}  // namespace semblance::python
