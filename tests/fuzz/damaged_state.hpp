// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "fuzzing.hpp"
#include "semblance/error.hpp"
#include "semblance/state.hpp"

namespace semblance::fuzzing {

/// What a component saved, in memory, to be damaged before it is loaded.
class DamagedState final : public StateWriter, public StateReader {
 public:
  void integer(std::string_view name, std::int64_t value) override { put(name, value); }
  void number(std::string_view name, double value) override { put(name, value); }
  void text(std::string_view name, std::string_view value) override {
    put(name, std::string(value));
  }
  void floats(std::string_view name, MatrixView values) override { put(name, FloatMatrix(values)); }
  void doubles(std::string_view name, std::span<const double> v) override {
    put(name, std::vector<double>(v.begin(), v.end()));
  }
  void integers(std::string_view name, std::span<const std::int64_t> v) override {
    put(name, std::vector<std::int64_t>(v.begin(), v.end()));
  }

  std::int64_t integer(std::string_view name) const override { return get<std::int64_t>(name); }
  double number(std::string_view name) const override { return get<double>(name); }
  std::string text(std::string_view name) const override { return get<std::string>(name); }
  FloatMatrix floats(std::string_view name) const override { return get<FloatMatrix>(name); }
  std::vector<double> doubles(std::string_view name) const override {
    return get<std::vector<double>>(name);
  }
  std::vector<std::int64_t> integers(std::string_view name) const override {
    return get<std::vector<std::int64_t>>(name);
  }

  bool empty() const { return entries_.empty(); }

  /// One damage to one entry, as the input says: a value, an element or a size becomes another, or
  /// the entry is gone.
  void damage(Input& input);

 private:
  using Entry = std::variant<std::int64_t, double, std::string, FloatMatrix, std::vector<double>,
                             std::vector<std::int64_t>>;

  void put(std::string_view name, Entry entry) {
    entries_.insert_or_assign(std::string(name), std::move(entry));
  }
  template <class T>
  const T& get(std::string_view name) const {
    const auto found = entries_.find(std::string(name));
    if (found == entries_.end() || !std::holds_alternative<T>(found->second))
      throw Error("state entry '" + std::string(name) + "' is missing or of another type");
    return std::get<T>(found->second);
  }

  std::map<std::string, Entry> entries_;
};

}  // namespace semblance::fuzzing
