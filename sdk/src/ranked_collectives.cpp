// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "semblance/transport.hpp"
#include "sum_tree.hpp"

namespace semblance {
namespace {

/// What a rank says before each collective; of several, the largest counts.
enum Status { goes_on = 0, wants_to_stop = 1, past_deadline = 2, failed = 3 };

Status status_of(StopReason stop) {
  switch (stop) {
    case StopReason::none:
      break;
    case StopReason::cancelled:
      return wants_to_stop;
    case StopReason::deadline:
      return past_deadline;
  }
  return goes_on;
}

/// The nodes of the tree that a rank is left with when it has added up its own parts.
std::vector<PartSum> nodes_of(std::size_t parts, std::size_t first, std::size_t end) {
  SumTree tree(parts);
  for (std::size_t p = first; p < end; ++p) tree.add({0, p, {}});
  return tree.take();
}

}  // namespace

Transport::~Transport() = default;

RankedCollectives::RankedCollectives(Transport& transport, std::function<StopReason()> wanted)
    : transport_(transport), wanted_(std::move(wanted)) {}

std::vector<std::byte> RankedCollectives::all_bytes(std::span<const std::byte> own) {
  // Sizes first: as many as there are ranks, of eight bytes each.
  const std::vector<std::size_t> each(ranks(), sizeof(std::size_t));
  const std::size_t size = own.size();
  std::vector<std::size_t> sizes(ranks());
  transport_.gather(std::as_bytes(std::span(&size, 1)), each,
                    std::as_writable_bytes(std::span(sizes)));
  std::vector<std::byte> all(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
  transport_.gather(own, sizes, all);
  sent_ += own.size();
  return all;
}

std::string RankedCollectives::gathered_message(const std::string& own) {
  const std::vector<std::byte> all = all_bytes(std::as_bytes(std::span(own)));
  return {reinterpret_cast<const char*>(all.data()), all.size()};
}

void RankedCollectives::agree() {
  const StopReason known = stop_.load();
  const Status own = status_of(known == StopReason::none ? wanted_() : known);
  switch (transport_.largest(own)) {
    case goes_on:
      return;
    case wants_to_stop:
      stop_ = StopReason::cancelled;
      return;
    case past_deadline:
      stop_ = StopReason::deadline;
      return;
    default:
      throw RankFailure(gathered_message(""));
  }
}

void RankedCollectives::fail(const std::string& message) {
  transport_.largest(failed);
  gathered_message("rank " + std::to_string(rank()) + " on " + transport_.place(rank()) + ": " +
                   message);
}

std::vector<std::byte> RankedCollectives::gather(std::span<const std::byte> own) {
  agree();
  return all_bytes(own);
}

void RankedCollectives::broadcast(std::size_t root, std::span<std::byte> bytes) {
  agree();
  transport_.broadcast(root, bytes);
  if (rank() == root) sent_ += bytes.size();
}

void RankedCollectives::add_up(std::size_t parts, std::vector<PartSum> own,
                               std::span<double> total) {
  agree();
  SumTree tree(parts);
  for (PartSum& sum : own) tree.add(std::move(sum));
  // Neighbours first, then those two apart, and so on: each gives what it has to the one before it.
  const std::size_t all = ranks(), me = rank();
  const auto first_part = [&](std::size_t r) { return parts * std::min(r, all) / all; };
  for (std::size_t apart = 1; apart < all; apart *= 2) {
    if (me % (2 * apart) == apart) {
      for (const PartSum& sum : tree.take()) {
        transport_.send(me - apart, std::as_bytes(std::span(sum.values)));
        sent_ += sum.values.size() * sizeof(double);
      }
      break;
    }
    if (me + apart >= all) continue;
    for (PartSum& sum : nodes_of(parts, first_part(me + apart), first_part(me + 2 * apart))) {
      sum.values.resize(total.size());
      transport_.receive(me + apart, std::as_writable_bytes(std::span(sum.values)));
      tree.add(std::move(sum));
    }
  }
  if (me == 0)
    if (const auto root = tree.take(); !root.empty())
      std::ranges::copy(root.front().values, total.begin());
  transport_.broadcast(0, std::as_writable_bytes(total));
}

}  // namespace semblance
