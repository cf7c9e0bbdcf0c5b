// SPDX-License-Identifier: MIT
#include "training/pair_shares.hpp"

#include <numeric>

namespace semblance::pairs {
namespace {

// The size of a rank's messages.
constexpr std::size_t most_bytes = std::size_t{4} << 20;

/// The parts for sums over blocks and for ranks: blocks in their order, treated like blocks of
/// rows.
RowParts parts(std::size_t blocks) { return RowParts(blocks * block_rows); }

std::size_t first_place(const RowParts& parts, std::size_t part) {
  return parts.first_row(part) / block_rows;
}

/// The block with most pairs, that with fewest, that with second most, and so on.
std::vector<std::size_t> folded(const std::vector<std::size_t>& pairs) {
  std::vector<std::size_t> sorted(pairs.size()), order;
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::ranges::stable_sort(sorted, std::ranges::greater(), [&](std::size_t b) { return pairs[b]; });
  order.reserve(sorted.size());
  for (std::size_t low = 0, high = sorted.size(); low < high;) {
    order.push_back(sorted[low++]);
    if (low < high) order.push_back(sorted[--high]);
  }
  return order;
}

}  // namespace

PairShares::PairShares(std::size_t examples, const std::vector<std::size_t>& pairs,
                       std::size_t rank, std::size_t ranks, std::size_t size)
    : examples_(examples),
      size_(size),
      rank_(rank),
      order_(folded(pairs)),
      of_ranks_(ranks),
      index_(pairs.size(), pairs.size()) {
  const RowParts all = parts(blocks());
  for (std::size_t r = 0; r < ranks; ++r) {
    const OwnParts of_rank = parts_of(all, r, ranks);
    of_ranks_[r].assign(
        order_.begin() + static_cast<std::ptrdiff_t>(of_rank.first_row / block_rows),
        order_.begin() + static_cast<std::ptrdiff_t>(of_rank.end_row() / block_rows));
    std::ranges::sort(of_ranks_[r]);
  }
  for (std::size_t k = 0; k < own().size(); ++k) index_[own()[k]] = k;
}

std::size_t PairShares::own_rows() const noexcept {
  return own().empty() ? 0 : own_row(own().back()) + end(own().back()) - first(own().back());
}

void PairShares::gather_rows(const std::function<const std::byte*(std::size_t)>& own,
                             std::size_t width, std::byte* all, Context& context) const {
  const auto bytes = [&](std::size_t b) { return (end(b) - first(b)) * width; };
  // Nothing is sent to the own rank, but own rows may be stored elsewhere.
  for (const std::size_t b : this->own())
    if (std::byte* const to = all + first(b) * width; to != own(b))
      std::memcpy(to, own(b), bytes(b));
  if (ranks() == 1) return;
  const std::size_t at_once = std::max<std::size_t>(1, most_bytes / (size_ * width));
  std::size_t longest = 0;
  for (const auto& blocks : of_ranks_) longest = std::max(longest, blocks.size());
  const auto each = [&](std::size_t rank, std::size_t from, const auto& body) {
    const auto& blocks = of_ranks_[rank];
    for (std::size_t k = from; k < std::min(blocks.size(), from + at_once); ++k) body(blocks[k]);
  };
  std::vector<std::byte> sent;
  for (std::size_t from = 0; from < longest; from += at_once) {
    sent.clear();
    each(rank_, from, [&](std::size_t b) {
      const std::byte* const rows = all + first(b) * width;
      sent.insert(sent.end(), rows, rows + bytes(b));
    });
    const std::vector<std::byte> come =
        context.collectives().gather(std::span<const std::byte>(sent));
    const std::byte* at = come.data();
    for (std::size_t rank = 0; rank < ranks(); ++rank)
      each(rank, from, [&](std::size_t b) {
        if (rank != rank_) std::memcpy(all + first(b) * width, at, bytes(b));
        at += bytes(b);
      });
  }
}

void PairShares::add_up(const std::vector<double>& own, std::span<double> total,
                        Context& context) const {
  const RowParts all = parts(blocks());
  sum_over_parts(context, all, total, [&](std::size_t part, std::span<double> sums) {
    for (std::size_t at = first_place(all, part); at < first_place(all, part + 1); ++at) {
      const double* const values = own.data() + index(order_[at]) * total.size();
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += values[k];
    }
  });
}

}  // namespace semblance::pairs
