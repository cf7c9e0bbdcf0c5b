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
/// `rows_are_shared`: no process reads all rows, so that sources need not keep any for now. With
/// `slow`, sources that read slowly are read now, unless the store has what they read. `files`
/// takes note of what components read, before they do.
Compilation compile(const Pipeline& pipeline, const Catalogue& catalogue, RunServices& services,
                    InputFiles& files, const KnownShapes* known = nullptr,
                    bool rows_are_shared = false, SlowData* slow = nullptr);

}  // namespace semblance
