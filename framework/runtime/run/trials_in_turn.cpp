// SPDX-License-Identifier: MIT
#include "runtime/run/trials_in_turn.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "semblance/shared_work.hpp"

namespace semblance {
namespace {

bool equal(const ComponentConfig& a, const ComponentConfig& b) {
  return a.id == b.id && a.values == b.values &&
         std::ranges::equal(a.parts, b.parts, [](const ComponentPart& x, const ComponentPart& y) {
           return x.parameter == y.parameter && equal(x.component, y.component);
         });
}

Value& value_of(ComponentConfig& component, const std::string& parameter) {
  return std::ranges::find(component.values, parameter, &std::pair<std::string, Value>::first)
      ->second;
}

class InTurn {
 public:
  InTurn(std::vector<StudyVariant>& trials, const Catalogue& catalogue)
      : trials_(trials), catalogue_(catalogue) {}

  /// For trials that differ in one slot only.
  void set(const std::vector<std::size_t>& trials) {
    std::map<std::size_t, std::vector<std::size_t>> by_node;
    for (const std::size_t other : trials)
      if (const auto node = only_difference(trials.front(), other)) by_node[*node].push_back(other);
    if (by_node.empty()) return;
    auto& [node, members] = *by_node.begin();
    members.push_back(trials.front());
    list_smaller(members, node);
  }

 private:
  PipelineNode& node(std::size_t trial, std::size_t i) { return trials_[trial].pipeline.nodes[i]; }

  /// The node in which two trials differ, if it is the only one, and they differ only in a
  /// parameter that is solved in turn, and is a number.
  std::optional<std::size_t> only_difference(std::size_t a, std::size_t b) {
    if (a == b || trials_[a].pipeline.nodes.size() != trials_[b].pipeline.nodes.size())
      return std::nullopt;
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < trials_[a].pipeline.nodes.size(); ++i) {
      const PipelineNode &one = node(a, i), &other = node(b, i);
      if (one.name != other.name || one.fold != other.fold || one.seed != other.seed)
        return std::nullopt;
      if (equal(one.component, other.component)) continue;
      if (found || !differ_in_turn(one.component, other.component)) return std::nullopt;
      found = i;
    }
    return found;
  }

  bool differ_in_turn(const ComponentConfig& a, const ComponentConfig& b) {
    const auto& turn = in_turn(a);
    if (a.id != b.id || !turn) return false;
    ComponentConfig one = a;
    ComponentConfig other = b;
    Value& x = value_of(one, turn->parameter);
    Value& y = value_of(other, turn->parameter);
    if (!std::holds_alternative<double>(x) || !std::holds_alternative<double>(y)) return false;
    y = x;
    const auto* before = std::get_if<std::vector<double>>(&value_of(one, turn->before));
    return before != nullptr && before->empty() && equal(one, other);
  }

  const std::optional<SolvedInTurn>& in_turn(const ComponentConfig& component) {
    const auto [known, fresh] = known_.emplace(component.id, std::nullopt);
    if (fresh) {
      const auto made = catalogue_.create(component);
      if (const auto* shares = dynamic_cast<const SharesWork*>(made.get()))
        known->second = shares->solved_in_turn();
    }
    return known->second;
  }

  void list_smaller(std::vector<std::size_t> trials, std::size_t i) {
    const SolvedInTurn turn = *in_turn(node(trials.front(), i).component);
    const auto number = [&](std::size_t trial) {
      return std::get<double>(value_of(node(trial, i).component, turn.parameter));
    };
    std::ranges::sort(trials, {}, number);
    std::vector<double> smaller;
    for (const std::size_t trial : trials) {
      value_of(node(trial, i).component, turn.before) = smaller;
      if (smaller.empty() || smaller.back() < number(trial)) smaller.push_back(number(trial));
    }
  }

  std::vector<StudyVariant>& trials_;
  const Catalogue& catalogue_;
  std::map<std::string, std::optional<SolvedInTurn>> known_;  // by component
};

}  // namespace

void solve_in_turn(std::vector<StudyVariant>& trials, const std::vector<TrialPlace>& places,
                   const Catalogue& catalogue) {
  std::size_t slots = 0;
  for (const TrialPlace& place : places) slots = std::max(slots, place.choices.size());
  InTurn turns(trials, catalogue);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    std::map<TrialPlace, std::vector<std::size_t>> alike;
    for (std::size_t t = 0; t < trials.size(); ++t) {
      TrialPlace elsewhere = places[t];
      if (slot >= elsewhere.choices.size()) continue;
      elsewhere.choices[slot] = 0;
      alike[elsewhere].push_back(t);
    }
    for (const auto& [place, found] : alike) turns.set(found);
  }
}

void solve_in_turn(Study& trials, const Catalogue& catalogue) {
  std::vector<TrialPlace> places;
  for (const StudyVariant& trial : trials.variants)
    places.push_back({0, trial.repeat, trial.choices});
  solve_in_turn(trials.variants, places, catalogue);
}

}  // namespace semblance
