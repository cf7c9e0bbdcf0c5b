// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/rows/row_span.hpp"
#include "semblance/transport.hpp"

namespace semblance {

/// Of the rows of a data set with so many training rows, those of `rows` that are one rank's, of so
/// many ranks: at most two pieces, of training and of test rows.
std::vector<RowSpan> rows_of_rank(std::size_t rank, std::size_t ranks, RowSpan rows,
                                  std::size_t train_rows, std::size_t all_rows);

/// The processes that make one run together (`mpirun ... --mpi`), as the runtime sees them. Each
/// has its own parts of the training rows, and of the test rows, and computes and keeps only these;
/// labels, states and the plan are the same everywhere. The first rank learns what cannot be
/// learned from rows spread out, and alone writes files. A run without others is its own first
/// rank.
class Ranks {
 public:
  /// Without a transport there are no others. `wanted` is this rank's wish to stop.
  Ranks(Transport* transport, std::function<StopReason()> wanted);

  /// Whether rows are shared out, even if this is the only rank.
  bool together() const noexcept { return collectives_.has_value(); }
  std::size_t rank() const noexcept { return transport_ ? transport_->rank() : 0; }
  std::size_t count() const noexcept { return transport_ ? transport_->ranks() : 1; }
  bool first() const noexcept { return rank() == 0; }

  /// rows_of_rank() of this rank; without others, all.
  std::vector<RowSpan> own(RowSpan rows, std::size_t train_rows, std::size_t all_rows) const;
  /// The same of any rank.
  std::vector<RowSpan> rows_of(std::size_t rank, RowSpan rows, std::size_t train_rows,
                               std::size_t all_rows) const;

  /// How many of `rows` rows this rank has at most.
  std::size_t share(std::size_t rows) const noexcept;

  /// What components that learn together are given.
  RankedCollectives& collectives() { return *collectives_; }
  Transport& transport() { return *transport_; }

  /// Bytes that this rank has sent to others; those of rows are counted by who sends them.
  std::size_t sent() const noexcept { return collectives_->sent() + rows_sent_; }
  void count_rows_sent(std::size_t bytes) noexcept { rows_sent_ += bytes; }

  /// The stop that all ranks know of.
  StopReason stop() const noexcept { return collectives_->stop(); }

  /// Where ranks meet: returns when all go on, and all know of a stop that one wants. Throws
  /// RankFailure where one has failed. Nothing without others.
  void meet();

  /// Whether it is so on all ranks; the answer itself without others.
  bool all(bool own);

  /// What the first rank has, on all of them.
  std::string from_first(std::string own);

 private:
  Transport* transport_;
  std::optional<RankedCollectives> collectives_;
  std::size_t rows_sent_ = 0;
};

/// Tells the other ranks that this one has failed, wherever they wait; nothing without others.
void tell_failure(Transport* transport, const std::string& message);

}  // namespace semblance
