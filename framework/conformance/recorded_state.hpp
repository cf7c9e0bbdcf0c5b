// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "conformance/check.hpp"
#include "semblance/context.hpp"
#include "semblance/memory_state.hpp"

namespace semblance::conformance {

/// A state in memory whose entries can be read, compared bit for bit, and damaged.
class RecordedState : public testing::MemoryState {
 public:
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, entry] : entries_) all.push_back(name);
    return all;
  }

  /// Removes the last row or element of an array; false where the entry is not an array or is
  /// empty.
  bool shorten(const std::string& name) { return std::visit(Shorten{}, entries_.at(name)); }
  void remove(const std::string& name) { entries_.erase(name); }

  /// The name of an entry with different bits, or that exists in only one of the two; empty: none.
  std::string difference(const RecordedState& other) const;

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
};

/// Saves what one has learned and loads it into the other, which must save the same. Throws Failed
/// otherwise.
template <class Component>
void pass_state(const Component& learned, Component& fresh, Context& context) {
  RecordedState state, again;
  learned.save(state);
  fresh.load(state, context);
  fresh.save(again);
  const std::string changed = state.difference(again);
  require(changed.empty(), "the state that a loaded component saves differs in '" + changed + "'");
}

}  // namespace semblance::conformance
