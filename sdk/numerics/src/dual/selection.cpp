// SPDX-License-Identifier: MIT
#include "selection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "semblance/error.hpp"
#include "semblance/parameters.hpp"

namespace semblance::numerics {
namespace {

/// The largest number of variables that enter a working set at once from I_up, and from I_low.
std::size_t most_per_side(std::size_t slots) { return std::max<std::size_t>(slots / 8, 1); }

/// Selects the least of all added candidates; holds at most twice as many.
class SmallestCandidates {
 public:
  explicit SmallestCandidates(std::size_t count) : count_(count) {}

  void add(const Candidate& candidate) {
    if (limit_ && !(candidate < *limit_)) return;
    found_.push_back(candidate);
    if (found_.size() == 2 * count_) cut();
  }
  std::vector<Candidate> take() {
    cut();
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

 private:
  void cut() {
    if (found_.size() < count_) return;
    std::nth_element(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(count_ - 1),
                     found_.end());
    found_.resize(count_);
    limit_ = found_.back();
  }

  std::size_t count_;
  std::vector<Candidate> found_;
  std::optional<Candidate> limit_;
};

}  // namespace

Violators find_violators(const DualPoint& point, const WorkingSet& set) {
  Violators violators;
  Violation& worst = violators.worst;
  SmallestCandidates up(most_per_side(set.slots())), low = up;
  for (std::uint32_t i = 0; i < point.problem.size(); ++i) {
    const double f = point.gradients[i];
    // Comparisons with NaN are false, so a violation would go unnoticed.
    if (!std::isfinite(f))
      throw Error("with C up to " + to_text(Value(point.problem.costs[i])) +
                  " and kernel values up to " + to_text(Value(set.largest_value())) +
                  " the gradients overflow; lower C, or scale the samples "
                  "(normalizer/unit_length, normalizer/zscore)");
    const bool enters = !set.has(i);
    if (point.may_increase(i)) {
      worst.least = std::min(worst.least, f);
      if (enters) up.add({f, i});
    }
    if (point.may_decrease(i)) {
      worst.most = std::max(worst.most, f);
      if (enters) low.add({-f, i});
    }
  }
  violators.up = up.take();
  std::erase_if(violators.up, [&](const Candidate& c) { return !(c.key < worst.most); });
  violators.low = low.take();
  std::erase_if(violators.low, [&](const Candidate& c) { return !(c.key < -worst.least); });
  violators.gradients.resize(set.slots());
  for (std::size_t s = 0; s < set.slots(); ++s)
    if (const std::uint32_t i = set.variable(s); i != WorkingSet::empty)
      violators.gradients[s] = point.gradients[i];
  return violators;
}

std::vector<Entering> first_working_set(const DualPoint& point, std::size_t slots) {
  const DualProblem& problem = point.problem;
  std::vector<std::uint32_t> positive, negative;
  for (std::uint32_t i = 0; i < problem.size(); ++i)
    (problem.labels[i] > 0 ? positive : negative).push_back(i);
  std::vector<Entering> chosen;
  for (const auto* side : {&positive, &negative}) {
    const std::size_t count = std::min(most_per_side(slots), side->size());
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t i = (*side)[k * side->size() / count];
      chosen.push_back({i, point.first_gradient(i)});
    }
  }
  if (chosen.size() > slots) chosen.resize(slots);
  return chosen;
}

std::vector<Entering> select_entering(const Violators& violators) {
  const std::vector<Candidate>&up = violators.up, &low = violators.low;
  std::vector<Entering> chosen;
  const auto add = [&](const Entering& one) {  // a free variable is in I_up and in I_low
    const auto same = [&](const Entering& other) { return other.variable == one.variable; };
    if (std::ranges::none_of(chosen, same)) chosen.push_back(one);
  };
  for (std::size_t k = 0; k < std::max(up.size(), low.size()); ++k) {
    if (k < up.size()) add({up[k].number, up[k].key});
    if (k < low.size()) add({low[k].number, -low[k].key});
  }
  return chosen;
}

std::vector<std::size_t> select_slots(const DualPoint& point, const WorkingSet& set,
                                      const Violators& violators, std::size_t count) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Violation& worst = violators.worst;
  std::vector<Candidate> slots;
  bool least_stays = false, most_stays = false;
  for (std::uint32_t s = 0; s < set.slots(); ++s) {
    const std::uint32_t i = set.variable(s);
    if (i == WorkingSet::empty) {
      slots.push_back({-infinity, s});
      continue;
    }
    const double f = violators.gradients[s];
    const bool increases = point.may_increase(i), decreases = point.may_decrease(i);
    if (increases && f == worst.least && !std::exchange(least_stays, true)) continue;
    if (decreases && f == worst.most && !std::exchange(most_stays, true)) continue;
    const double slack = increases && decreases ? -infinity
                         : increases            ? f - worst.most
                                                : worst.least - f;
    // Satisfied variables at a bound come before variables that may still move, which come by age.
    slots.push_back({slack > 0 ? -slack : static_cast<double>(set.since(s) + 1), s});
  }
  count = std::min(count, slots.size());
  std::partial_sort(slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(count), slots.end());
  std::vector<std::size_t> selected;
  for (std::size_t k = 0; k < count; ++k) selected.push_back(slots[k].number);
  return selected;
}

}  // namespace semblance::numerics
