// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>

#include "semblance/testing.hpp"

namespace semblance::conformance {

/// Counts the stop polls on one thread, and requests a stop after a given number.
class CountingContext final : public Context {
 public:
  static constexpr std::int64_t never = INT64_MAX;

  /// Requests a stop after `polls` polls.
  explicit CountingContext(std::int64_t polls = never) : limit_(polls) {}

  std::int64_t polls() const noexcept { return polls_; }

  void log(LogLevel level, std::string_view message) override { context_.log(level, message); }
  Random random() const override { return context_.random(); }
  StopReason stop_requested() const noexcept override {
    return polls_++ >= limit_ ? StopReason::cancelled : StopReason::none;
  }
  void progress(double, double) override {}
  std::size_t memory_budget() const noexcept override { return context_.memory_budget(); }
  std::size_t threads() const noexcept override { return context_.threads(); }
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) override {
    context_.parallel_for(count, body);
  }

 private:
  testing::TestContext context_{1};
  std::int64_t limit_;
  mutable std::atomic<std::int64_t> polls_{0};
};

}  // namespace semblance::conformance
