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

/// The part of `rows` that belongs to one of `ranks` ranks, in a data set with `train_rows`
/// training rows: at most two pieces, one of training rows and one of test rows.
std::vector<RowSpan> rows_of_rank(std::size_t rank, std::size_t ranks, RowSpan rows,
                                  std::size_t train_rows, std::size_t all_rows);

/// The processes that make one run together (`mpirun ... --mpi`), as the runtime sees them. Each
/// has its own part of the training rows and of the test rows, and computes and retains only these;
/// labels, states and the plan are the same everywhere. The first rank learns what cannot be
/// learned from distributed rows, and alone writes files. A run of one process is its own first
/// rank.
class Ranks {
 public:
  /// Without a transport there is one rank. `wanted` is this rank's wish to stop.
  Ranks(Transport* transport, std::function<StopReason()> wanted);

  /// Whether rows are distributed, even if this is the only rank.
  bool together() const noexcept { return collectives_.has_value(); }
  std::size_t rank() const noexcept { return transport_ ? transport_->rank() : 0; }
  std::size_t count() const noexcept { return transport_ ? transport_->ranks() : 1; }
  bool first() const noexcept { return rank() == 0; }

  /// The result of rows_of_rank() for this rank; all rows without other ranks.
  std::vector<RowSpan> own(RowSpan rows, std::size_t train_rows, std::size_t all_rows) const;
  /// The result of rows_of_rank() for any rank.
  std::vector<RowSpan> rows_of(std::size_t rank, RowSpan rows, std::size_t train_rows,
                               std::size_t all_rows) const;

  /// The largest number of rows that this rank has, out of `rows`.
  std::size_t share(std::size_t rows) const noexcept;

  /// The collectives for components that learn together.
  RankedCollectives& collectives() { return *collectives_; }
  Transport& transport() { return *transport_; }

  /// Bytes that this rank has sent; the senders of rows count those.
  std::size_t sent() const noexcept { return collectives_->sent() + rows_sent_; }
  void count_rows_sent(std::size_t bytes) noexcept { rows_sent_ += bytes; }

  /// The stop that all ranks have agreed on.
  StopReason stop() const noexcept { return collectives_->stop(); }

  /// Synchronizes the ranks: returns when all continue and all know of a stop that one wants.
  /// Throws RankFailure where one has failed. Does nothing without other ranks.
  void meet();

  /// Whether `own` holds on all ranks; `own` itself without other ranks.
  bool all(bool own);

  /// The first rank's string, on all ranks.
  std::string from_first(std::string own);

 private:
  Transport* transport_;
  std::optional<RankedCollectives> collectives_;
  std::size_t rows_sent_ = 0;
};

/// Tells the waiting ranks that this one has failed; does nothing without other ranks.
void announce_failure(Transport* transport, const std::string& message);

}  // namespace semblance
