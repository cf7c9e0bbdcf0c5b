// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "semblance/state.hpp"

namespace semblance {

/// The state of a component within the state of its owner, whose parameter it is. Its entries get a
/// prefix such as "kernel_", so that several parts and their owner share one state.
class NestedWriter final : public StateWriter {
 public:
  NestedWriter(StateWriter& state, std::string prefix)
      : state_(state), prefix_(std::move(prefix)) {}

  void integer(std::string_view name, std::int64_t value) override {
    state_.integer(nested(name), value);
  }
  void number(std::string_view name, double value) override { state_.number(nested(name), value); }
  void text(std::string_view name, std::string_view value) override {
    state_.text(nested(name), value);
  }
  void floats(std::string_view name, MatrixView values) override {
    state_.floats(nested(name), values);
  }
  void doubles(std::string_view name, std::span<const double> values) override {
    state_.doubles(nested(name), values);
  }
  void integers(std::string_view name, std::span<const std::int64_t> values) override {
    state_.integers(nested(name), values);
  }

 private:
  std::string nested(std::string_view name) const { return prefix_ + std::string(name); }

  StateWriter& state_;
  std::string prefix_;
};

/// Reads what a NestedWriter with the same prefix wrote.
class NestedReader final : public StateReader {
 public:
  NestedReader(const StateReader& state, std::string prefix)
      : state_(state), prefix_(std::move(prefix)) {}

  bool has(std::string_view name) const override { return state_.has(nested(name)); }
  std::int64_t integer(std::string_view name) const override {
    return state_.integer(nested(name));
  }
  double number(std::string_view name) const override { return state_.number(nested(name)); }
  std::string text(std::string_view name) const override { return state_.text(nested(name)); }
  FloatMatrix floats(std::string_view name) const override { return state_.floats(nested(name)); }
  std::vector<double> doubles(std::string_view name) const override {
    return state_.doubles(nested(name));
  }
  std::vector<std::int64_t> integers(std::string_view name) const override {
    return state_.integers(nested(name));
  }

 private:
  std::string nested(std::string_view name) const { return prefix_ + std::string(name); }

  const StateReader& state_;
  std::string prefix_;
};

}  // namespace semblance
