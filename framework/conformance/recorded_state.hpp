// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "semblance/error.hpp"
#include "semblance/state.hpp"

namespace semblance::conformance {

/// A state in memory whose entries can be looked at, compared bit for bit, and damaged.
class RecordedState : public StateWriter, public StateReader {
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

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, entry] : entries_) all.push_back(name);
    return all;
  }

  /// Without the last row or element of an array; false where the entry is no array or is empty.
  bool shorten(const std::string& name) { return std::visit(Shorten{}, entries_.at(name)); }
  void remove(const std::string& name) { entries_.erase(name); }

  /// The name of an entry whose bits differ, or that only one of the two has; empty: none.
  std::string difference(const RecordedState& other) const;

 protected:
  using Entry = std::variant<std::int64_t, double, std::string, FloatMatrix, std::vector<double>,
                             std::vector<std::int64_t>>;

  std::map<std::string, Entry> entries_;

 private:
  struct Shorten {
    bool operator()(FloatMatrix& m) const {
      if (m.rows == 0) return false;
      m.values.resize(--m.rows * m.cols);
      return true;
    }
    template <class T>
    bool operator()(std::vector<T>& list) const {
      if (list.empty()) return false;
      list.pop_back();
      return true;
    }
    template <class T>
    bool operator()(T&) const {
      return false;
    }
  };

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

}  // namespace semblance::conformance
