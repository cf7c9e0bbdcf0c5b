// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/row_parts.hpp"
#include "semblance/samples.hpp"
#include "semblance/state.hpp"

namespace semblance {

/// A node of the tree over parts: the sum of the existing parts in [index * 2^level, (index + 1) *
/// 2^level).
struct PartSum {
  std::size_t level = 0;
  std::size_t index = 0;
  std::vector<double> values;
};

/// The processes (ranks) that learn together, each with its own parts of the training samples
/// (RowParts). A component declared distributed() reaches them through Context::collectives() while
/// it learns. A single process is the only rank and owns all parts.
///
/// Everything but rank() and ranks() is collective: all ranks call the same functions in the same
/// order, from the thread that called the component, never inside parallel_for(). So a component's
/// calls must not depend on what only one rank knows. All ranks learn of a stop request at the same
/// call, and Context::stop_requested() changes its answer nowhere else. If another rank has failed,
/// each of these functions throws Error.
class Collectives {
 public:
  virtual ~Collectives();

  /// From 0.
  virtual std::size_t rank() const noexcept = 0;
  virtual std::size_t ranks() const noexcept = 0;

  /// Each rank's own bytes, concatenated by rank. Their numbers may differ.
  virtual std::vector<std::byte> gather(std::span<const std::byte> own) = 0;

  /// Copies the `bytes` of rank `root` to all ranks. The size is the same everywhere.
  virtual void broadcast(std::size_t root, std::span<std::byte> bytes) = 0;

  /// Adds up the tree over `parts` parts: `own` are its largest nodes within the rank's own parts,
  /// in their order. Every rank gets the sum over all parts in `total`.
  virtual void add_up(std::size_t parts, std::vector<PartSum> own, std::span<double> total) = 0;

  /// The parts of this rank.
  OwnParts own(const RowParts& parts) const noexcept { return parts_of(parts, rank(), ranks()); }

  /// Each rank's own values, concatenated by rank.
  template <class T>
  std::vector<T> gather(const std::vector<T>& own) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::vector<std::byte> bytes = gather(std::as_bytes(std::span(own)));
    std::vector<T> all(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
    return all;
  }

  /// Whether `own` is true on all ranks, or on any of them.
  bool all(bool own);
  bool any(bool own) { return !all(!own); }
};

/// The only rank when nothing is distributed.
Collectives& only_rank() noexcept;

/// total = the sum over all rows of all ranks, in double and in a fixed order. `body` adds the sum
/// over the rows of one part to `sums`, which has the size of `total` and is zero before. It is
/// called for this rank's parts, in parallel; then the sums are added up the tree over the parts.
/// So the bits depend neither on the threads nor on the ranks. Collective.
void sum_over_parts(Context& context, const RowParts& parts, std::span<double> total,
                    const std::function<void(std::size_t part, std::span<double> sums)>& body);

/// The largest number of sums that sum_over_parts() holds at once, besides the total.
std::size_t sums_at_once(std::size_t rows, std::size_t threads) noexcept;

/// The rows at the given positions among all training samples, in that order, on every rank.
/// Collective.
FloatMatrix gather_rows(const Rows& rows, std::span<const std::int64_t> positions,
                        Context& context);

/// Like for_each_block(), over this rank's rows only. Not collective.
void for_each_own_block(
    const Rows& rows, Context& context,
    const std::function<void(std::size_t block, std::size_t first_row, MatrixView view)>& body);

}  // namespace semblance
