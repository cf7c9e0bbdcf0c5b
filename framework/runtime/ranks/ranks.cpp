// SPDX-License-Identifier: MIT
#include "runtime/ranks/ranks.hpp"

#include <algorithm>
#include <utility>

namespace semblance {
namespace {

/// The intersection of two spans.
RowSpan common(RowSpan a, RowSpan b) {
  const std::size_t first = std::max(a.first, b.first), end = std::min(a.end(), b.end());
  return {first, end > first ? end - first : 0};
}

}  // namespace

std::vector<RowSpan> rows_of_rank(std::size_t rank, std::size_t ranks, RowSpan rows,
                                  std::size_t train_rows, std::size_t all_rows) {
  std::vector<RowSpan> spans;
  const OwnParts training = parts_of(RowParts(train_rows), rank, ranks);
  const OwnParts testing = parts_of(RowParts(all_rows - train_rows), rank, ranks);
  for (const RowSpan own : {RowSpan{training.first_row, training.rows},
                            RowSpan{train_rows + testing.first_row, testing.rows}})
    if (const RowSpan both = common(own, rows); both.count > 0) spans.push_back(both);
  return spans;
}

Ranks::Ranks(Transport* transport, std::function<StopReason()> wanted) : transport_(transport) {
  if (transport) collectives_.emplace(*transport, std::move(wanted));
}

std::vector<RowSpan> Ranks::rows_of(std::size_t rank, RowSpan rows, std::size_t train_rows,
                                    std::size_t all_rows) const {
  if (!together()) return {rows};
  return rows_of_rank(rank, count(), rows, train_rows, all_rows);
}

std::vector<RowSpan> Ranks::own(RowSpan rows, std::size_t train_rows, std::size_t all_rows) const {
  return rows_of(rank(), rows, train_rows, all_rows);
}

std::size_t Ranks::share(std::size_t rows) const noexcept {
  return together() ? parts_of(RowParts(rows), rank(), count()).rows : rows;
}

void Ranks::meet() {
  if (together()) collectives_->agree();
}

bool Ranks::all(bool own) { return together() ? collectives_->all(own) : own; }

std::string Ranks::from_first(std::string own) {
  if (!together()) return own;
  std::size_t size = own.size();
  collectives_->broadcast(0, std::as_writable_bytes(std::span(&size, 1)));
  own.resize(size);
  collectives_->broadcast(0, std::as_writable_bytes(std::span(own)));
  return own;
}

void announce_failure(Transport* transport, const std::string& message) {
  if (transport) RankedCollectives(*transport, [] { return StopReason::none; }).fail(message);
}

}  // namespace semblance
