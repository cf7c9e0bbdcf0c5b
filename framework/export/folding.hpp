// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/explain/affine_form.hpp"
#include "semblance/support_vectors.hpp"

namespace semblance {

/// The machine for rows before `inputs` maps them to those that it was trained on. Throws Error in
/// one sentence where its form does not allow that.
SupportVectorMachine folded(const SupportVectorMachine& machine, const AffineForm& inputs);

/// A linear machine for scores that are affine in the row: one function per class, or a single one
/// for the second of two classes if their functions are opposite; with `numbers`, for a number to
/// predict. Throws Error.
LiblinearMachine liblinear_machine(const AffineForm& scores, bool numbers = false);

}  // namespace semblance
