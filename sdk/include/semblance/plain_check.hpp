// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/similarity.hpp"

/// A sample of what was computed is evaluated again by its definition.
namespace semblance {

/// `most` of the numbers below `count`, in ascending order, or all of them. Drawn at random, and
/// always the same.
std::vector<std::size_t> drawn_sample(std::size_t count, std::size_t most);

/// Of so many rows those whose similarities are worth a second look: a small part of them.
std::vector<std::size_t> checked_rows(std::size_t count);

/// What a similarity may differ by from its definition, as a share of the largest value of the
/// sample, those of rows with themselves among them: a hundred times the rounding of float32 sums.
inline constexpr double largest_check_error = 1e-3;

/// Compares a similarity's values with PlainSimilarity's, for all rows of `samples` with a stretch
/// of the bases each; `bases` are the rows that it was given as such. Returns the largest
/// difference as a share of the largest value, those of samples with themselves among them; nothing
/// where the similarity is no PlainSimilarity or there is nothing to compare. Throws Error where
/// that is above largest_check_error, in which the values are called `what`.
std::optional<double> check_similarity(
    const Similarity& similarity, MatrixView bases, MatrixView samples, Context& context,
    const std::string& what = "similarities of a sample of rows");

/// Which differences of similarities a method rests on.
enum class Differences {
  of_samples,           ///< between samples, to one basis each: those of a map
  of_samples_and_bases  ///< beside that, from basis to basis: those of a machine with a bias
};

/// Throws Error where values that are near their definition differ so little that rounding has lost
/// that: cosines of rows that all lie in one direction are 1 but for a millionth. A few bases are
/// looked at with all samples. Does nothing where the similarity is no PlainSimilarity.
void check_differences(const Similarity& similarity, MatrixView bases, MatrixView samples,
                       Differences which, Context& context);

/// Says what rounding has lost, and what to do.
[[noreturn]] void throw_lost_values(const std::string& what, double error);

}  // namespace semblance
