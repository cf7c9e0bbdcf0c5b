// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "descent.hpp"
#include "semblance/checkpoint.hpp"
#include "semblance/error.hpp"

namespace semblance::ml3 {

void write(const DescentState& state, StateWriter& to);
/// Reads the state of a descent on models of this shape. Throws Error if it does not fit.
DescentState read_descent(const StateReader& from, std::size_t rows, std::size_t cols,
                          bool average);

/// Appends the five figures of an outcome.
void append(const DescentOutcome& outcome, std::vector<double>& values);
inline constexpr std::size_t outcome_values = 5;
DescentOutcome outcome_of(std::span<const double> values);

/// Reads a matrix of this shape. Throws Error if it has another.
ModelMatrix read_models(const StateReader& from, std::string_view name, std::size_t rows,
                        std::size_t cols);

/// The result of read(StateReader) for the saved state of an interrupted training; nothing if there
/// is no state or if it throws Error on any rank. Collective.
template <class Read>
auto read_kept(Context& context, const Read& read)
    -> std::optional<decltype(read(std::declval<const StateReader&>()))> {
  std::optional<decltype(read(std::declval<const StateReader&>()))> found;
  const StateReader* kept = context.checkpoint().kept();
  if (kept == nullptr) return found;
  try {
    found = read(*kept);
  } catch (const Error&) {
    found.reset();
  }
  if (!context.collectives().all(found.has_value())) found.reset();
  return found;
}

}  // namespace semblance::ml3
