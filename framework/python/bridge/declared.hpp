// SPDX-License-Identifier: MIT
#pragma once

#include "registry/catalogue.hpp"

namespace semblance::python {

/// How often this process has declared components in Python; under the interpreter's lock.
long declared_changes();

/// Adds the components that this process has declared, but for those of files that are plugins in
/// the catalogue already. Throws Error where an id is another component's. Under the lock.
void add_declared(Catalogue& catalogue);

/// Has this interpreter read files of components written in Python; once, when the module loads.
void read_plugins_here();

}  // namespace semblance::python
