// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/pairs.hpp"

namespace semblance::pairs {

/// The sets in which a row is paired with itself: none, training sets (the paper's n (n + 1) / 2
/// pairs), or also test sets, where such pairs are trivially recognized.
enum class Reflexive { never, training, always };

/// Converts the value of a parameter, one of `reflexive_choices`.
Reflexive reflexive_from(const std::string& text);
inline const std::vector<std::string> reflexive_choices = {"never", "training", "always"};

/// All pairs of the training samples; throws Error if one of them has no class.
PairSet all_training_pairs(const PairExamples& examples, Reflexive reflexive);

/// All pairs of the test samples.
PairSet all_test_pairs(const PairExamples& examples, Reflexive reflexive);

/// Throws Error if writing out `count` pairs is beyond the memory budget.
void check_room(std::size_t count, const Context& context);

/// Chooses exactly `wanted` of `all` things, one after the other, each subset being equally likely
/// (selection sampling; Knuth, The Art of Computer Programming, volume 2, algorithm 3.4.2 S).
class SelectionSampler {
 public:
  SelectionSampler(std::uint64_t all, std::uint64_t wanted, Random random)
      : left_(all), wanted_(wanted), random_(random) {}

  /// Whether the next thing is chosen.
  bool take() {
    const bool taken = wanted_ > 0 && random_.below(left_) < wanted_;
    --left_;
    wanted_ -= taken ? 1 : 0;
    return taken;
  }

 private:
  std::uint64_t left_;
  std::uint64_t wanted_;
  Random random_;
};

}  // namespace semblance::pairs
