// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/layout.hpp"
#include "semblance/matrix.hpp"
#include "semblance/similarity.hpp"

namespace semblance {

/// Parts of a sample that are present or absent together: the columns of a vector, the cells of a
/// picture, segments of a series, symbols of a string.
struct SampleParts {
  std::vector<std::string> names;
  std::vector<std::size_t> first, count;  ///< steps or symbols; of a cell its place and its pixels
  std::vector<std::size_t> part_of;       ///< one per value of the sample

  std::size_t size() const noexcept { return names.size(); }
};

/// Why samples of this layout have no parts, in one sentence; empty: they have.
std::string why_no_parts(const Layout& layout);

/// The parts of a sample with `values` values.
SampleParts parts_of(const Layout& layout, std::size_t values,
                     std::span<const std::string> columns);

/// A sample of the background as large as one with `values` values: a series is interpolated
/// linearly, of a string each symbol is the one at the nearest relative place. Others have one
/// size.
std::vector<float> stretched(const Layout& layout, std::span<const float> sample,
                             std::size_t values);

/// Why the Shapley values of the columns that a similarity compares cannot be computed exactly, in
/// one clause; empty: they can.
std::string why_no_exact_shares(const Similarity& similarity);

/// The weight of basis b in the number that is explained of row i.
using BasisWeight = std::function<double(std::size_t row, std::size_t basis)>;

/// Rows with the samples whose parts replace theirs; all are dense. Of sparse rows they have some
/// columns, in which alone they have values.
struct ComparedRows {
  MatrixView rows, background;
  std::span<const std::size_t> columns;  ///< ascending; empty: all
  std::size_t width = 0;                 ///< the number of all columns
};

/// Adds to shares(i, k), row-major, the exact Shapley value of column k in
/// sum_b weight(i, b) s(b, x_i), where absent columns are those of a row of the background; the
/// mean over these. O(d) per pair of row and basis if s is a sum over columns, and at most
/// O(background d^2) if it is a product, which needs all columns. The same bits with any number of
/// threads.
void add_exact_shares(const Similarity& similarity, const BasisWeight& weight,
                      const ComparedRows& compared, std::span<double> shares, Context& context);

/// An estimate of Shapley values.
struct SampledShares {
  std::vector<double> shares, errors;  ///< per player; standard errors
  double expected = 0;                 ///< the mean value with no player present
};

/// Players who join one by one, in this order; a sample of the background stands for absent ones.
struct Joining {
  std::vector<std::size_t> order;
  std::size_t background = 0;
};

/// For each of these, the values with the first 0, 1, ... all players present.
using JoiningValues = std::function<std::vector<std::vector<double>>(std::span<const Joining>)>;

/// Shapley values by random orders, each with its reverse (antithetic), equally many for each of
/// the `backgrounds` samples, so that the shares add up to the difference between the value with
/// all players and the mean value with none. At least `least` pairs of orders, and two per sample.
SampledShares sampled_shares(std::size_t players, std::size_t backgrounds, std::size_t least,
                             std::uint64_t seed, const JoiningValues& values);

}  // namespace semblance
