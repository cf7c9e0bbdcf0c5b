// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "batch.hpp"

namespace semblance::ml3 {

/// The batches of an order: while one piece of them is walked through, the next is taken.
class TakenBatches {
 public:
  /// Consecutive batches of the order.
  struct Piece {
    std::vector<Batch> batches;
    std::size_t used = 0;    // of these
    std::size_t walked = 0;  // of those
    std::size_t next = 0;    // of the order, to be walked through
    std::size_t end = 0;

    bool through() const noexcept { return walked == used; }
    Batch& batch() { return batches[walked]; }
    void batch_walked() { next += batches[walked++].size(); }
  };

  /// `batch`: samples of one; `piece`: batches of one. `multiply` as of Batch::take().
  TakenBatches(const Problem& problem, const Weighting& weighting, std::size_t batch,
               std::size_t piece, bool multiply, const Surroundings& surroundings);

  /// Takes the first piece, unless it has been taken ahead. Collective.
  void begin(std::span<const std::uint32_t> order, std::size_t first);
  Piece& present() noexcept { return pieces_[turn_]; }
  /// Takes the piece after the present one, unless already done. Collective.
  void take_next(std::span<const std::uint32_t> order);
  /// Makes the next piece the present one.
  void go_on() noexcept { turn_ = 1 - turn_; }

 private:
  static bool begins_at(const Piece& piece, std::size_t first) noexcept {
    return !piece.through() && piece.next == first;
  }
  void take(Piece& piece, std::span<const std::uint32_t> order, std::size_t first);

  const std::size_t batch_;
  const bool multiply_;
  BatchRows rows_;
  std::array<Piece, 2> pieces_;
  std::size_t turn_ = 0;
};

}  // namespace semblance::ml3
