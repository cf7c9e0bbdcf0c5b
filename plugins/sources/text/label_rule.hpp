// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "class_names.hpp"

namespace semblance::sources {

/// The treatment of a row with a missing label.
enum class MissingLabels {
  refuse,
  drop,     ///< the row is omitted: its label is left_out_label
  classes,  ///< texts such as NA are names of classes
  unknown,  ///< the row is to be predicted: its label is no_label
};

/// How labels are read.
struct LabelRule {
  MissingLabels missing = MissingLabels::refuse;
  bool declared = false;  ///< classes are declared, as in .arff: only ? is a missing label

  /// Whether a label is missing; an empty one always is.
  bool is_missing(std::string_view label) const;

  /// Whether a row with this label is omitted.
  bool leaves_out(std::string_view label) const {
    return missing == MissingLabels::drop && is_missing(label);
  }

  /// The label's number, or no_label or left_out_label. `fail` takes the problem, which completes
  /// "the label ", and does not return.
  std::int32_t number(std::string_view label, ClassNames& classes,
                      const std::function<void(const std::string&)>& fail) const;
  /// The same for a missing label.
  std::int32_t number_of_missing(std::string_view label,
                                 const std::function<void(const std::string&)>& fail) const;
};

}  // namespace semblance::sources
