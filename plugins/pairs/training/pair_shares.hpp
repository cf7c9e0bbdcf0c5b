// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "semblance/collectives.hpp"

namespace semblance::pairs {

/// The distribution of blocks of consecutive examples (rows of a pair table and of the standard
/// kernel's matrix) among the ranks. Blocks are ordered so that one with many pairs is followed by
/// one with few, depending only on these numbers, and each rank has an equal number of consecutive
/// blocks in that order. So all ranks have about equal numbers of pairs; exactly equal for all
/// pairs. A single rank has all blocks.
class PairShares {
 public:
  static constexpr std::size_t block_size = 64;

  /// For a number of examples, given the number of pairs of each block of `size` examples.
  PairShares(std::size_t examples, const std::vector<std::size_t>& pairs, std::size_t rank,
             std::size_t ranks, std::size_t size = block_size);
  /// All blocks on this rank.
  explicit PairShares(std::size_t examples)
      : PairShares(examples, std::vector<std::size_t>(block_count(examples)), 0, 1) {}

  /// The rows of a matrix that all ranks need, in blocks of 128. A single block is computed by all
  /// of them: that takes no longer, and nothing is sent.
  static PairShares even(std::size_t rows, const Collectives& ranks) {
    constexpr std::size_t size = 128;
    const std::vector<std::size_t> alike((rows + size - 1) / size);
    const bool one = alike.size() < 2;
    return {rows, alike, one ? 0 : ranks.rank(), one ? 1 : ranks.ranks(), size};
  }

  static std::size_t block_count(std::size_t examples) noexcept {
    return (examples + block_size - 1) / block_size;
  }
  std::size_t examples() const noexcept { return examples_; }
  std::size_t ranks() const noexcept { return of_ranks_.size(); }
  std::size_t blocks() const noexcept { return index_.size(); }
  std::size_t first(std::size_t block) const noexcept { return block * size_; }
  std::size_t end(std::size_t block) const noexcept {
    return std::min(examples_, (block + 1) * size_);
  }

  /// The own blocks, ascending.
  const std::vector<std::size_t>& own() const noexcept { return of_ranks_[rank_]; }
  bool has(std::size_t block) const noexcept { return index_[block] < blocks(); }
  /// The index of a block among the own ones, from 0; the own rows are contiguous in this order.
  std::size_t index(std::size_t block) const noexcept { return index_[block]; }
  std::size_t own_row(std::size_t block) const noexcept { return index_[block] * size_; }
  std::size_t own_rows() const noexcept;

  /// One value of each own block; returned are those of all blocks, by block. Collective.
  template <class T>
  std::vector<T> of_all_blocks(std::vector<T> own, Context& context) const {
    if (ranks() == 1) return own;
    const std::vector<T> gathered = context.collectives().gather(own);
    std::vector<T> all(blocks());
    std::size_t at = 0;
    for (const auto& blocks : of_ranks_)
      for (const std::size_t b : blocks) all[b] = gathered[at++];
    return all;
  }

  /// Gathers rows of `width` values: own(block) gives those of an own block, `all` receives all
  /// rows, by example. Sends a few messages of a few MiB. Collective.
  template <class T>
  void spread(const std::function<const T*(std::size_t block)>& own, std::size_t width, T* all,
              Context& context) const {
    gather_rows([&](std::size_t b) { return reinterpret_cast<const std::byte*>(own(b)); },
                width * sizeof(T), reinterpret_cast<std::byte*>(all), context);
  }

  /// Calls body(first row, rows) for the own blocks, in parallel, unless a stop is requested; it
  /// writes these rows of `all`, of `width` values, which all ranks then get whole. Collective.
  template <class T, class Body>
  void compute_rows(T* all, std::size_t width, Context& context, const Body& body) const {
    context.parallel_for(own().size(), [&](std::size_t k) {
      const std::size_t b = own()[k];
      if (context.stop_requested() == StopReason::none) body(first(b), end(b) - first(b));
    });
    spread<T>([&](std::size_t b) { return all + first(b) * width; }, width, all, context);
  }

  /// total = the sum of the blocks' vectors of all ranks, the own ones concatenated in `own`, in an
  /// order that depends only on the blocks' numbers of pairs. Collective.
  void add_up(const std::vector<double>& own, std::span<double> total, Context& context) const;

 private:
  void gather_rows(const std::function<const std::byte*(std::size_t block)>& own, std::size_t width,
                   std::byte* all, Context& context) const;

  std::size_t examples_, size_;
  std::size_t rank_;
  std::vector<std::size_t> order_;                  // of the blocks
  std::vector<std::vector<std::size_t>> of_ranks_;  // ascending
  std::vector<std::size_t> index_;                  // of each block among the own; blocks(): none
};

}  // namespace semblance::pairs
