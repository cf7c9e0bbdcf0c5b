// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semblance/random.hpp"

namespace semblance::sources {

/// Makes strings of one class: a Markov chain of first order, and a motif somewhere in it.
class MarkovSource {
 public:
  /// The chance of a symbol after another is proportional to exp(contrast x normal).
  MarkovSource(std::size_t symbols, double contrast, std::size_t motif, Random& random);

  /// Fills `out` with codes of symbols. Each symbol of the motif is replaced by a random one with
  /// probability `mutation`; a motif that is longer than the string is cut.
  void draw(double mutation, Random& random, std::span<std::uint8_t> out) const;

 private:
  std::uint8_t after(std::size_t symbol, Random& random) const;

  std::size_t symbols_;
  std::vector<double> sums_;  ///< of the chances of symbols 0..k after each one
  std::vector<std::uint8_t> motif_;
};

}  // namespace semblance::sources
