// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string_view>

#include "semblance/context.hpp"

namespace semblance::common {

/// The rest of some memory, at least 0.
constexpr std::size_t left_of(std::size_t memory, std::size_t held) noexcept {
  return memory - std::min(memory, held);
}

/// The same context with another amount of memory: where its caller holds some.
class WithMemory : public Context {
 public:
  WithMemory(Context& outer, std::size_t memory) : outer_(outer), memory_(memory) {}

  void log(LogLevel level, std::string_view message) override { outer_.log(level, message); }
  Random random() const override { return outer_.random(); }
  StopReason stop_requested() const noexcept override { return outer_.stop_requested(); }
  void progress(double done, double total) override { outer_.progress(done, total); }
  std::size_t memory_budget() const noexcept override { return memory_; }
  std::size_t threads() const noexcept override { return outer_.threads(); }
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) override {
    outer_.parallel_for(count, body);
  }
  std::filesystem::path scratch_folder() override { return outer_.scratch_folder(); }
  Collectives& collectives() noexcept override { return outer_.collectives(); }
  Device* device() noexcept override { return outer_.device(); }

 private:
  Context& outer_;
  std::size_t memory_;
};

/// The context of one of many trainings: a part of the memory, no progress, and log lines for
/// debugging only.
class InnerContext : public WithMemory {
 public:
  using WithMemory::WithMemory;

  void log(LogLevel, std::string_view message) override {
    WithMemory::log(LogLevel::debug, message);
  }
  void progress(double, double) override {}
};

}  // namespace semblance::common
