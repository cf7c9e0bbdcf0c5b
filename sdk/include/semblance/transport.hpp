// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "semblance/collectives.hpp"
#include "semblance/error.hpp"

namespace semblance {

/// Transfers bytes between ranks: MPI or an equivalent. All ranks call all members except rank(),
/// ranks() and place() in the same order, send() and receive() in pairs. Members throw Error if
/// other ranks cannot be reached.
class Transport {
 public:
  virtual ~Transport();
  virtual std::size_t rank() const noexcept = 0;
  virtual std::size_t ranks() const noexcept = 0;
  /// The machine that a rank runs on, for messages.
  virtual std::string place(std::size_t rank) const = 0;
  /// The number of ranks, including this one, that share the processor cores of this rank.
  virtual std::size_t sharers() const noexcept = 0;

  virtual void send(std::size_t to, std::span<const std::byte> bytes) = 0;
  virtual void receive(std::size_t from, std::span<std::byte> bytes) = 0;
  virtual void broadcast(std::size_t root, std::span<std::byte> bytes) = 0;
  /// Gathers all ranks' bytes by rank; `sizes` has the number of bytes of each rank.
  virtual void gather(std::span<const std::byte> own, std::span<const std::size_t> sizes,
                      std::span<std::byte> all) = 0;
};

/// Another rank has failed; what() is its message.
class RankFailure : public Error {
 public:
  using Error::Error;
};

/// The collectives over a transport. Each call begins with one message from every rank to all, by
/// which they agree whether to continue. So a rank that fails need not know which collective the
/// others are in.
class RankedCollectives final : public Collectives {
 public:
  /// `wanted` returns this rank's stop request.
  RankedCollectives(Transport& transport, std::function<StopReason()> wanted);

  std::size_t rank() const noexcept override { return transport_.rank(); }
  std::size_t ranks() const noexcept override { return transport_.ranks(); }
  std::vector<std::byte> gather(std::span<const std::byte> own) override;
  void broadcast(std::size_t root, std::span<std::byte> bytes) override;
  void add_up(std::size_t parts, std::vector<PartSum> own, std::span<double> total) override;
  using Collectives::gather;

  /// Checks that all ranks continue; throws RankFailure if one does not. Collective.
  void agree();

  /// Reports to the other ranks, in any collective they are in, that this rank failed; they throw
  /// RankFailure there. Collective.
  void fail(const std::string& message);

  /// The stop request that all ranks know of.
  StopReason stop() const noexcept { return stop_.load(); }

  /// The number of bytes that this rank has sent.
  std::size_t sent() const noexcept { return sent_; }

 private:
  /// The first message of a rank to all others.
  struct Header {
    std::uint64_t status = 0;              // the state of the rank
    std::uint64_t size = 0;                // size of its contribution to a gather
    std::array<std::byte, 16> bytes = {};  // its contribution, if no rank has more than this
  };
  std::vector<Header> headers(std::uint64_t status, std::span<const std::byte> own);
  std::vector<Header> meet(std::span<const std::byte> own);
  std::vector<std::byte> contents(const std::vector<Header>& headers,
                                  std::span<const std::byte> own);
  std::string failures(std::vector<Header> headers, const std::string& own);

  Transport& transport_;
  std::function<StopReason()> wanted_;
  std::atomic<StopReason> stop_{StopReason::none};
  std::size_t sent_ = 0;
};

}  // namespace semblance
