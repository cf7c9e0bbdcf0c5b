// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "semblance/error.hpp"
#include "semblance/state.hpp"

namespace semblance::testing {

/// A state in memory: save into it, load from it.
class MemoryState : public StateWriter, public StateReader {
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

  bool has(std::string_view name) const override { return entries_.contains(std::string(name)); }
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

 protected:
  using Entry = std::variant<std::int64_t, double, std::string, FloatMatrix, std::vector<double>,
                             std::vector<std::int64_t>>;

  std::map<std::string, Entry> entries_;

 private:
  void put(std::string_view name, Entry entry) {
    if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX"
                                               "YZ0123456789_") != std::string_view::npos)
      throw Error("the name of a state entry is made of letters, digits and underscores, not '" +
                  std::string(name) + "'");
    if (!entries_.emplace(name, std::move(entry)).second)
      throw Error("state entry '" + std::string(name) + "' is written twice");
  }
  template <class T>
  const T& get(std::string_view name) const {
    const auto found = entries_.find(std::string(name));
    if (found == entries_.end() || !std::holds_alternative<T>(found->second))
      throw Error("state entry '" + std::string(name) + "' is missing or of another type");
    return std::get<T>(found->second);
  }
};

}  // namespace semblance::testing
