// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "semblance_numerics/aligned_array.hpp"
#include "string_panels.hpp"

namespace semblance::strings {

/// The costs of edit steps; all at least 0.
struct EditCosts {
  double insertion = 1;     ///< of a symbol only in the string, not in the panel's
  double deletion = 1;      ///< of a symbol only in the panel's string
  double substitution = 1;  ///< of one symbol by another
};

/// The weighted edit distance by the recurrence of Wagner and Fischer 1974, one string per lane.
/// Integer costs are computed in 16-bit integers if they cannot overflow, everything else in
/// float32: integer distances have the same bits both ways.
///
/// Call start() once per panel and string, advance() with the string's symbols in one or several
/// parts, and finish() for the results.
class EditProgramme {
 public:
  explicit EditProgramme(const EditCosts& costs) : costs_(costs) {}

  void start(const StringPanels& strings, const StringPanels::Panel& panel, std::size_t length);
  void advance(std::span<const Symbol> part);
  /// One value a lane.
  void finish(double* values) const;

 private:
  template <class T>
  void start_row(numerics::AlignedArray<T>& row);

  EditCosts costs_;
  const StringPanels* strings_ = nullptr;
  const StringPanels::Panel* panel_ = nullptr;
  bool whole_ = false;     ///< the present pair is computed in integers
  std::size_t steps_ = 0;  ///< symbols advanced by
  numerics::AlignedArray<float> row_;
  numerics::AlignedArray<std::int16_t> whole_row_;
};

/// A row of the programme: `longest` + 1 times StringPanels::width values.
template <class T>
struct EditRow {
  T* values;
  const Symbol* symbols;
  std::size_t longest;
  std::size_t lanes;  ///< in use
  T insertion, deletion, substitution;
};

}  // namespace semblance::strings
