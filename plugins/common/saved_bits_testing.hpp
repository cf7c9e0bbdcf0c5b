// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <string>

#include "semblance/state.hpp"

namespace semblance::common::testing {

/// Everything that is saved, byte for byte: two models are the same if these are equal.
class SavedBits final : public StateWriter {
 public:
  void integer(std::string_view name, std::int64_t value) override { add(name, &value, 1); }
  void number(std::string_view name, double value) override { add(name, &value, 1); }
  void text(std::string_view name, std::string_view value) override {
    add(name, value.data(), value.size());
  }
  void floats(std::string_view name, MatrixView values) override {
    for (std::size_t i = 0; i < values.rows; ++i) add(name, values.row(i), values.size(i));
  }
  void doubles(std::string_view name, std::span<const double> values) override {
    add(name, values.data(), values.size());
  }
  void integers(std::string_view name, std::span<const std::int64_t> values) override {
    add(name, values.data(), values.size());
  }

  std::string bits;

 private:
  template <class T>
  void add(std::string_view name, const T* values, std::size_t count) {
    bits.append(name);
    const std::size_t before = bits.size(), bytes = count * sizeof(T);
    bits.resize(before + bytes);
    if (bytes > 0) std::memcpy(bits.data() + before, values, bytes);
  }
};

template <class Component>
std::string saved_bits(const Component& component) {
  SavedBits saved;
  component.save(saved);
  return std::move(saved.bits);
}

}  // namespace semblance::common::testing
