// SPDX-License-Identifier: MIT
#pragma once

#include "registry/catalogue.hpp"
#include "runtime/graph/compilation.hpp"
#include "runtime/services/run_context.hpp"

namespace semblance {

class InputFiles;
class SlowData;

/// Creates the components, asks the sources for their outlines and binds all layouts. With `known`,
/// widths and classes are the model's, and a source whose rows have another layout is refused.
/// `rows_are_shared`: no process reads all rows, so sources need not retain any yet. With `slow`,
/// sources that read slowly are read now, unless their data are in the store. `files` records the
/// files that components read, before they read them.
Compilation compile(const Pipeline& pipeline, const Catalogue& catalogue, RunServices& services,
                    InputFiles& files, const KnownShapes* known = nullptr,
                    bool rows_are_shared = false, SlowData* slow = nullptr);

}  // namespace semblance
