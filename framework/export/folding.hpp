// SPDX-License-Identifier: MIT
#pragma once

#include "export/affine_form.hpp"
#include "semblance/support_vectors.hpp"

namespace semblance {

/// The machine for rows as they are before `inputs` maps them to those that it was trained on.
/// Throws Error in one sentence where its form does not allow that.
SupportVectorMachine folded(const SupportVectorMachine& machine, const AffineForm& inputs);

/// A linear machine of scores that are affine in the row: one function a class, or, where those of
/// two classes are the opposite of each other, one for the second. Throws Error.
LiblinearMachine liblinear_machine(const AffineForm& scores);

}  // namespace semblance
