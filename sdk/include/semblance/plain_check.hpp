// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/report.hpp"
#include "semblance/similarity.hpp"

/// Checks of computed similarities: a random subset is computed again by definition.
namespace semblance {

/// `most` of the numbers below `count`, in ascending order, or all of them. Drawn at random, but
/// always the same.
std::vector<std::size_t> drawn_sample(std::size_t count, std::size_t most);

/// The rows among `count` whose similarities are checked: a small part of them.
std::vector<std::size_t> checked_rows(std::size_t count);

/// The largest allowed deviation of a similarity from its definition, relative to the largest
/// checked value, which includes similarities of rows with themselves: a hundred times the rounding
/// of float32 sums.
inline constexpr double largest_check_error = 1e-3;

/// Reported in place of an error where there is no definition in double to check values with.
inline constexpr const char* not_checked = "not checked";

/// Compares a similarity's values with those of compare_plainly(), for all rows of `samples` with a
/// range of the bases each; `bases` are the rows passed to set_bases(). Returns the largest
/// difference relative to the largest value, which includes similarities of samples with
/// themselves; nothing if there is nothing to compare, or if the similarity does not compare
/// plainly, which it logs. Throws Error if the result is above largest_check_error; the message
/// calls the values `what`.
std::optional<double> check_similarity(
    const Similarity& similarity, MatrixView bases, MatrixView samples, Context& context,
    const std::string& what = "similarities of a sample of rows");

/// Reports the error found by check_similarity() as `check_error`: a number, or not_checked.
void report_check(std::optional<double> error, Report& report);

/// Which differences of similarities a method depends on.
enum class Differences {
  of_samples,           ///< between samples, for the same basis: similarity maps
  of_samples_and_bases  ///< also between bases: machines with a bias
};

/// Throws Error if the values agree with their definition but differ so little from each other that
/// rounding hides the differences: cosines of rows that all have nearly one direction are 1 up to a
/// millionth. Checks a few bases with all samples. Does nothing if the similarity does not compare
/// plainly.
void check_differences(const Similarity& similarity, MatrixView bases, MatrixView samples,
                       Differences which, Context& context);

/// Throws Error that says what rounding has lost, and what to do.
[[noreturn]] void throw_lost_values(const std::string& what, double error);

}  // namespace semblance
