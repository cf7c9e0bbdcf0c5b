// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "export/machine.hpp"
#include "semblance/support_vectors.hpp"

namespace semblance {

/// The machine of `target` in LIBSVM's form, for rows of `from`. Throws Error.
SupportVectorMachine libsvm_machine(const Session& session, std::size_t target, std::size_t from);

/// The same in LIBLINEAR's form: `machine` is the complete machine. Throws Error.
LiblinearMachine liblinear_machine(const Session& session, const ExportedMachine& machine,
                                   std::size_t target, std::size_t from);

}  // namespace semblance
