// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "semblance/state.hpp"

namespace semblance::common {

/// Writes the state of a part into that of its component, with prefixed names.
class PrefixedWriter final : public StateWriter {
 public:
  PrefixedWriter(StateWriter& state, std::string_view prefix) : state_(state), prefix_(prefix) {}
  void integer(std::string_view name, std::int64_t v) override { state_.integer(full(name), v); }
  void number(std::string_view name, double v) override { state_.number(full(name), v); }
  void text(std::string_view name, std::string_view v) override { state_.text(full(name), v); }
  void floats(std::string_view name, MatrixView v) override { state_.floats(full(name), v); }
  void doubles(std::string_view name, std::span<const double> v) override {
    state_.doubles(full(name), v);
  }
  void integers(std::string_view name, std::span<const std::int64_t> v) override {
    state_.integers(full(name), v);
  }

 private:
  std::string full(std::string_view name) const { return prefix_ + std::string(name); }

  StateWriter& state_;
  std::string prefix_;
};

/// Reads what a PrefixedWriter wrote.
class PrefixedReader final : public StateReader {
 public:
  PrefixedReader(const StateReader& state, std::string_view prefix)
      : state_(state), prefix_(prefix) {}
  bool has(std::string_view name) const override { return state_.has(full(name)); }
  std::int64_t integer(std::string_view name) const override { return state_.integer(full(name)); }
  double number(std::string_view name) const override { return state_.number(full(name)); }
  std::string text(std::string_view name) const override { return state_.text(full(name)); }
  FloatMatrix floats(std::string_view name) const override { return state_.floats(full(name)); }
  std::vector<double> doubles(std::string_view name) const override {
    return state_.doubles(full(name));
  }
  std::vector<std::int64_t> integers(std::string_view name) const override {
    return state_.integers(full(name));
  }

 private:
  std::string full(std::string_view name) const { return prefix_ + std::string(name); }

  const StateReader& state_;
  std::string prefix_;
};

}  // namespace semblance::common
