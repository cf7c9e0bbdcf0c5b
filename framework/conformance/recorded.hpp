// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/check.hpp"
#include "semblance/component_info.hpp"
#include "semblance/context.hpp"
#include "semblance/memory_state.hpp"
#include "semblance/report.hpp"

namespace semblance::conformance {

/// A report as text, exact to the bit, so that two can be compared. Measured times are excluded:
/// figures that the component declares to be in seconds. An undeclared number throws Failed.
class RecordedReport final : public Report {
 public:
  /// The report of a component with these figures, which include those of nested components.
  RecordedReport(std::string component, std::vector<FigureInfo> figures)
      : component_(std::move(component)), figures_(std::move(figures)) {}

  void number(std::string_view name, double value) override;
  void integer(std::string_view name, std::int64_t value) override;
  void text(std::string_view name, std::string_view value) override;
  void curve(const Curve& curve) override;
  void table(const Table& table) override;
  void plane_map(const PlaneMap& map) override;
  void sample_list(const SampleList& list) override;
  void draw(const Drawing& drawing) override;
  void explained_samples(const ExplainedSamples& samples) override;

  const std::string& text() const noexcept { return text_; }
  bool empty() const noexcept { return names_.empty(); }

  /// A reported text; empty where there is none of that name.
  std::string text_of(const std::string& name) const;
  /// A reported number; NaN where there is none of that name.
  double number_of(const std::string& name) const;
  bool has(const std::string& name) const { return names_.contains(name); }

 private:
  void add(std::string_view name, const std::string& value);
  void add_number(std::string_view name, const std::string& value);

  std::string component_;
  std::vector<FigureInfo> figures_;
  std::set<std::string> names_;
  std::map<std::string, std::string> texts_;
  std::map<std::string, double> numbers_;
  std::string text_;
};

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
