// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "semblance/context.hpp"

namespace semblance {

/// An optional interface of contexts: they note rows that have nothing in common with the training
/// samples, so that the run can say once how many there are. Thread-safe.
class NotesUnknownRows {
 public:
  virtual ~NotesUnknownRows();
  virtual void unknown_row(std::size_t row) = 0;
};

/// Notes that training samples lack all that row `row` of the block consists of, such as words or
/// paths. For Transform::apply().
void note_unknown_row(Context& context, std::size_t row);

}  // namespace semblance
