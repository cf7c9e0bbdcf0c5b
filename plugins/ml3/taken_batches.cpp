// SPDX-License-Identifier: MIT
#include "taken_batches.hpp"

#include <algorithm>

namespace semblance::ml3 {

TakenBatches::TakenBatches(const Problem& problem, const Weighting& weighting, std::size_t batch,
                           std::size_t piece, bool multiply, const Surroundings& surroundings)
    : batch_(batch), multiply_(multiply), rows_(problem, weighting, batch, surroundings) {
  for (Piece& each : pieces_)
    for (std::size_t b = 0; b < piece; ++b)
      each.batches.emplace_back(problem, batch, weighting.values_a_sample());
}

void TakenBatches::begin(std::span<const std::uint32_t> order, std::size_t first) {
  // Nothing is taken ahead beyond the end of an order.
  if (first > 0 && begins_at(present(), first)) return;
  rows_.forget();
  pieces_[1 - turn_] = Piece{std::move(pieces_[1 - turn_].batches)};
  take(present(), order, first);
}

void TakenBatches::take_next(std::span<const std::uint32_t> order) {
  Piece& next = pieces_[1 - turn_];
  if (!begins_at(next, present().end)) take(next, order, present().end);
}

void TakenBatches::take(Piece& piece, std::span<const std::uint32_t> order, std::size_t first) {
  piece.next = piece.end = first;
  piece.used = piece.walked = 0;
  while (piece.used < piece.batches.size() && piece.end < order.size()) {
    const std::size_t count = std::min(batch_, order.size() - piece.end);
    rows_.reach(order, piece.end, count);
    piece.batches[piece.used++].take(rows_, order, piece.end, count, multiply_);
    piece.end += count;
  }
}

}  // namespace semblance::ml3
