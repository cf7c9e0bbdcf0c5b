// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "semblance_numerics/aligned_array.hpp"
#include "string_panels.hpp"

namespace semblance::strings {

/// The gap-weighted subsequence kernel of Lodhi et al. 2002, section 4, divided by decay^(2
/// length), so that it does not vanish for a small decay: the sum over all pairs of equal
/// subsequences of `length` symbols of decay^(the symbols that they skip in both strings), one
/// string per lane, in double. At most the product of both strings' numbers of subsequences, 10^128
/// for 20 out of 13,000 symbols.
///
/// Call start() once per panel and string, advance() with the string's symbols in one or several
/// parts, and finish() for the results.
class SubsequenceProgramme {
 public:
  SubsequenceProgramme(std::size_t length, double decay) : length_(length), decay_(decay) {}

  void start(const StringPanels& strings, const StringPanels::Panel& panel, std::size_t length);
  void advance(std::span<const Symbol> part);
  /// One value a lane.
  void finish(double* values) const;

 private:
  std::size_t length_;
  double decay_;
  const StringPanels* strings_ = nullptr;
  const StringPanels::Panel* panel_ = nullptr;
  numerics::AlignedArray<double> prefixes_, sums_;
};

/// The data of run_subsequences(); see SubsequenceProgramme.
struct SubsequenceRows {
  double* prefixes;  ///< position, subsequences of 1 to `length` - 1 symbols, lane: K' there
  double* sums;      ///< of each lane
  const Symbol* symbols;
  std::size_t longest;
  std::size_t lanes;  ///< in use
  std::size_t length;
  double decay;
};

/// Advances the rows by the symbols of `part`.
void run_subsequences(const SubsequenceRows& rows, std::span<const Symbol> part);

}  // namespace semblance::strings
