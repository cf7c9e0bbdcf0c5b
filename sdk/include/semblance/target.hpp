// SPDX-License-Identifier: MIT
#pragma once

namespace semblance {

/// What the samples of a data set are to be predicted as. A data set has one kind of target.
enum class TargetKind {
  none,     ///< nothing is known of the samples but their values
  classes,  ///< each sample belongs to one of a few classes
  numbers   ///< each sample has one or more real numbers
};

/// "no target", "classes" or "numbers".
const char* name(TargetKind kind) noexcept;

}  // namespace semblance
