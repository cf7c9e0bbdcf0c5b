// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <utility>

#include "semblance/transport.hpp"
#include "sum_tree.hpp"

namespace semblance {
namespace {

/// The status of a rank; the largest status of all ranks applies.
enum Status : std::uint64_t { goes_on = 0, wants_to_stop = 1, past_deadline = 2, failed = 3 };

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

/// The nodes of the tree that remain after a rank has summed its own parts.
std::vector<PartSum> nodes_of(std::size_t parts, std::size_t first, std::size_t end) {
  SumTree tree(parts);
  for (std::size_t p = first; p < end; ++p) tree.add({0, p, {}});
  return tree.take();
}

}  // namespace

Transport::~Transport() = default;

RankedCollectives::RankedCollectives(Transport& transport, std::function<StopReason()> wanted)
    : transport_(transport), wanted_(std::move(wanted)) {}

std::vector<RankedCollectives::Header> RankedCollectives::headers(std::uint64_t status,
                                                                  std::span<const std::byte> own) {
  Header mine{status, own.size(), {}};
  if (own.size() <= mine.bytes.size()) std::ranges::copy(own, mine.bytes.begin());
  std::vector<Header> all(ranks());
  const std::vector<std::size_t> sizes(ranks(), sizeof(Header));
  transport_.gather(std::as_bytes(std::span(&mine, 1)), sizes,
                    std::as_writable_bytes(std::span(all)));
  return all;
}

std::vector<std::byte> RankedCollectives::contents(const std::vector<Header>& headers,
                                                   std::span<const std::byte> own) {
  std::vector<std::size_t> sizes;
  sizes.reserve(headers.size());
  for (const Header& header : headers) sizes.push_back(header.size);
  std::vector<std::byte> all(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
  sent_ += own.size();
  if (std::ranges::max(sizes) > Header{}.bytes.size()) {
    transport_.gather(own, sizes, all);
    return all;
  }
  auto to = all.begin();
  for (const Header& header : headers) to = std::copy_n(header.bytes.begin(), header.size, to);
  return all;
}

/// The concatenated messages of the failed ranks.
std::string RankedCollectives::failures(std::vector<Header> headers, const std::string& own) {
  for (Header& header : headers)
    if (header.status != failed) header.size = 0;
  const std::vector<std::byte> all = contents(headers, std::as_bytes(std::span(own)));
  return {reinterpret_cast<const char*>(all.data()), all.size()};
}

std::vector<RankedCollectives::Header> RankedCollectives::meet(std::span<const std::byte> own) {
  const StopReason known = stop_.load();
  std::vector<Header> all = headers(status_of(known == StopReason::none ? wanted_() : known), own);
  switch (std::ranges::max(all, {}, &Header::status).status) {
    case goes_on:
      break;
    case wants_to_stop:
      stop_ = StopReason::cancelled;
      break;
    case past_deadline:
      stop_ = StopReason::deadline;
      break;
    default:
      throw RankFailure(failures(std::move(all), ""));
  }
  return all;
}

void RankedCollectives::agree() { meet({}); }

void RankedCollectives::fail(const std::string& message) {
  const std::string own =
      "rank " + std::to_string(rank()) + " on " + transport_.place(rank()) + ": " + message;
  failures(headers(failed, std::as_bytes(std::span(own))), own);
}

std::vector<std::byte> RankedCollectives::gather(std::span<const std::byte> own) {
  return contents(meet(own), own);
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
  // First neighbours, then ranks two apart, and so on: each rank passes its sums to an earlier one.
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
