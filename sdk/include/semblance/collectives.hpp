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

/// A node of the tree over parts: the sum of the parts [index * 2^level, (index + 1) * 2^level),
/// those that there are.
struct PartSum {
  std::size_t level = 0;
  std::size_t index = 0;
  std::vector<double> values;
};

/// The processes (ranks) that learn together, each with its own parts of the training rows
/// (RowParts). A component that is declared distributed() reaches them through
/// Context::collectives() while it learns; alone, it is the only rank, and all parts are its own.
///
/// Everything but rank() and ranks() is collective: all ranks call the same functions in the same
/// order, from the thread that called the component, never inside parallel_for(). So what a
/// component calls must not depend on what only one rank knows. A stop request is made known to all
/// ranks at the same call, and Context::stop_requested() changes its answer nowhere else. Where
/// another rank has failed, each of these throws Error.
class Collectives {
 public:
  virtual ~Collectives();

  /// From 0.
  virtual std::size_t rank() const noexcept = 0;
  virtual std::size_t ranks() const noexcept = 0;

  /// The own bytes of all ranks, one behind the other by rank. Each may have another number.
  virtual std::vector<std::byte> gather(std::span<const std::byte> own) = 0;

  /// Gives all ranks what rank `root` has in `bytes`, whose size is the same everywhere.
  virtual void broadcast(std::size_t root, std::span<std::byte> bytes) = 0;

  /// Adds up the tree over `parts` parts: `own` are the largest of its nodes that lie within the
  /// own parts, in their order. Every rank gets the sum over all parts in `total`.
  virtual void add_up(std::size_t parts, std::vector<PartSum> own, std::span<double> total) = 0;

  /// The own parts.
  OwnParts own(const RowParts& parts) const noexcept { return parts_of(parts, rank(), ranks()); }

  /// The own values of all ranks, by rank.
  template <class T>
  std::vector<T> gather(const std::vector<T>& own) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::vector<std::byte> bytes = gather(std::as_bytes(std::span(own)));
    std::vector<T> all(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
    return all;
  }

  /// Whether it is so on all ranks, on any of them.
  bool all(bool own);
  bool any(bool own) { return !all(!own); }
};

/// The one rank that there is where nothing is distributed.
Collectives& only_rank() noexcept;

/// total = the sum over all rows, of all ranks, in double and in a fixed order: `body` adds to
/// `sums` (zeros before, as many as `total`) what the rows of one part come to. It is called for
/// the own parts, in parallel; then sums go up the tree over the parts. So the bits depend neither
/// on the threads nor on the ranks. Holds a few sums a thread. Collective.
void sum_over_parts(Context& context, const RowParts& parts, std::span<double> total,
                    const std::function<void(std::size_t part, std::span<double> sums)>& body);

/// Rows by position among all training rows, in that order, on every rank. Collective.
FloatMatrix gather_rows(const Rows& rows, std::span<const std::int64_t> positions,
                        Context& context);

/// for_each_block() over the own rows alone. Not collective.
void for_each_own_block(
    const Rows& rows, Context& context,
    const std::function<void(std::size_t block, std::size_t first_row, MatrixView view)>& body);

}  // namespace semblance
