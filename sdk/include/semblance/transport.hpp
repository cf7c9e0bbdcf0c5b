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

/// What carries bytes between ranks: MPI, or anything that can do the same. All members but rank(),
/// ranks() and place() are called by all ranks in the same order, send() and receive() in pairs.
/// Throws Error when the others cannot be reached.
class Transport {
 public:
  virtual ~Transport();
  virtual std::size_t rank() const noexcept = 0;
  virtual std::size_t ranks() const noexcept = 0;
  /// The machine that a rank runs on, for messages.
  virtual std::string place(std::size_t rank) const = 0;
  /// How many ranks, this one among them, share the processor's cores that this one may use.
  virtual std::size_t sharers() const noexcept = 0;

  virtual void send(std::size_t to, std::span<const std::byte> bytes) = 0;
  virtual void receive(std::size_t from, std::span<std::byte> bytes) = 0;
  virtual void broadcast(std::size_t root, std::span<std::byte> bytes) = 0;
  /// All ranks' bytes by rank; `sizes` says how many each has.
  virtual void gather(std::span<const std::byte> own, std::span<const std::size_t> sizes,
                      std::span<std::byte> all) = 0;
};

/// Another rank has failed; what() is its message.
class RankFailure : public Error {
 public:
  using Error::Error;
};

/// The collectives over a transport. Each begins with one message of every rank to all, by which
/// they agree whether to go on: a rank that fails need not know what the others are at.
class RankedCollectives final : public Collectives {
 public:
  /// `wanted` is this rank's wish to stop.
  RankedCollectives(Transport& transport, std::function<StopReason()> wanted);

  std::size_t rank() const noexcept override { return transport_.rank(); }
  std::size_t ranks() const noexcept override { return transport_.ranks(); }
  std::vector<std::byte> gather(std::span<const std::byte> own) override;
  void broadcast(std::size_t root, std::span<std::byte> bytes) override;
  void add_up(std::size_t parts, std::vector<PartSum> own, std::span<double> total) override;
  using Collectives::gather;

  /// Whether all ranks go on: throws RankFailure where one does not. Collective.
  void agree();

  /// Tells the others, at whichever collective they are, that this rank failed: they throw
  /// RankFailure there. Collective.
  void fail(const std::string& message);

  /// The stop that all ranks know of.
  StopReason stop() const noexcept { return stop_.load(); }

  /// Bytes that this rank has sent.
  std::size_t sent() const noexcept { return sent_; }

 private:
  /// What a rank tells all others first.
  struct Header {
    std::uint64_t status = 0;              // how it stands
    std::uint64_t size = 0;                // of what it gives to a gather
    std::array<std::byte, 16> bytes = {};  // what it gives, where no rank gives more than this
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
