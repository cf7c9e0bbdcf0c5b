// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <thread>

#include "semblance/random.hpp"
#include "semblance/transport.hpp"

namespace semblance::testing {

/// A transport that simulates a slow network with varying delays, different for each rank: it waits
/// before every call.
class SlowTransport final : public Transport {
 public:
  /// Waits up to `microseconds` before each call.
  SlowTransport(Transport& transport, std::size_t microseconds, std::uint64_t seed = 1)
      : transport_(transport), most_(microseconds), random_(seed + 1000 * transport.rank()) {}
  std::size_t rank() const noexcept override { return transport_.rank(); }
  std::size_t ranks() const noexcept override { return transport_.ranks(); }
  std::string place(std::size_t rank) const override { return transport_.place(rank); }
  std::size_t sharers() const noexcept override { return transport_.sharers(); }
  void send(std::size_t to, std::span<const std::byte> bytes) override {
    wait();
    transport_.send(to, bytes);
  }
  void receive(std::size_t from, std::span<std::byte> bytes) override {
    wait();
    transport_.receive(from, bytes);
  }
  void broadcast(std::size_t root, std::span<std::byte> bytes) override {
    wait();
    transport_.broadcast(root, bytes);
  }
  void gather(std::span<const std::byte> own, std::span<const std::size_t> sizes,
              std::span<std::byte> all) override {
    wait();
    transport_.gather(own, sizes, all);
  }
  /// The number of delayed calls.
  std::size_t calls() const noexcept { return calls_; }

 private:
  void wait() {
    ++calls_;
    const double part = random_.uniform();
    // Most calls are quick, a few are very slow.
    const double microseconds = static_cast<double>(most_) * part * part * part;
    std::this_thread::sleep_for(std::chrono::microseconds(static_cast<std::int64_t>(microseconds)));
  }

  Transport& transport_;
  std::size_t most_;
  Random random_;
  std::size_t calls_ = 0;
};

}  // namespace semblance::testing
