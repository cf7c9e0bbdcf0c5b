// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string_view>

#include "semblance/context.hpp"

namespace semblance::common {

/// The context of one of many trainings: a part of the memory, no progress and no checkpoint, and
/// log lines for debugging only.
class InnerContext : public Context {
 public:
  InnerContext(Context& outer, std::size_t memory) : outer_(outer), memory_(memory) {}

  void log(LogLevel, std::string_view message) override { outer_.log(LogLevel::debug, message); }
  Random random() const override { return outer_.random(); }
  StopReason stop_requested() const noexcept override { return outer_.stop_requested(); }
  void progress(double, double) override {}
  std::size_t memory_budget() const noexcept override { return memory_; }
  std::size_t threads() const noexcept override { return outer_.threads(); }
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) override {
    outer_.parallel_for(count, body);
  }
  Collectives& collectives() noexcept override { return outer_.collectives(); }
  std::filesystem::path scratch_folder() override { return outer_.scratch_folder(); }
  Device* device() noexcept override { return outer_.device(); }

 private:
  Context& outer_;
  std::size_t memory_;
};

}  // namespace semblance::common
