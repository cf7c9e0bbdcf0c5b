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

/// The violators among the local variables of a rank.
struct LocalViolators {
  std::optional<std::uint32_t> not_finite;  // the first such variable
  Violation worst;
  std::vector<Candidate> up, low;
};

LocalViolators find_local_violators(const DualPoint& point, const ActiveSet& active,
                                    const WorkingSet& set) {
  LocalViolators seen;
  SmallestCandidates up(most_per_side(set.slots())), low = up;
  for (const std::uint32_t index : active.list()) {
    const std::uint32_t i = point.local[index];
    const double f = point.gradients[index];
    // Comparisons with NaN are false, so a violation would go unnoticed.
    if (!std::isfinite(f)) {
      seen.not_finite = i;
      return seen;
    }
    const bool enters = !set.has(i);
    if (point.may_increase(i)) {
      seen.worst.least = std::min(seen.worst.least, f);
      if (enters) up.add({f, i});
    }
    if (point.may_decrease(i)) {
      seen.worst.most = std::max(seen.worst.most, f);
      if (enters) low.add({-f, i});
    }
  }
  seen.up = up.take();
  seen.low = low.take();
  return seen;
}

/// The gradients of the variables in some slots, in their order.
std::vector<double> gradients_of(std::span<const std::size_t> slots, const DualPoint& point,
                                 const WorkingSet& set) {
  std::vector<double> found;
  found.reserve(slots.size());
  for (const std::size_t s : slots)
    found.push_back(point.gradients[point.local.local_index(set.variable(s))]);
  return found;
}

/// Packs everything into one message of numbers, since even short messages cost time.
std::vector<double> packed(const LocalViolators& seen, std::span<const double> gradients) {
  std::vector<double> message{seen.not_finite ? static_cast<double>(*seen.not_finite) : -1.0,
                              seen.worst.least, seen.worst.most};
  for (const auto* side : {&seen.up, &seen.low}) {
    message.push_back(static_cast<double>(side->size()));
    for (const Candidate& candidate : *side) {
      message.push_back(candidate.key);
      message.push_back(candidate.number);
    }
  }
  message.insert(message.end(), gradients.begin(), gradients.end());
  return message;
}

/// Reads the ranks' messages, one after the other.
class Messages {
 public:
  explicit Messages(std::vector<double> all) : all_(std::move(all)) {}

  void add_to(LocalViolators& seen) {
    if (const double variable = take(); variable >= 0) {
      const auto found = static_cast<std::uint32_t>(variable);
      seen.not_finite = std::min(found, seen.not_finite.value_or(found));
    }
    seen.worst.least = std::min(seen.worst.least, take());
    seen.worst.most = std::max(seen.worst.most, take());
    for (auto* side : {&seen.up, &seen.low})
      for (auto count = static_cast<std::size_t>(take()); count > 0; --count) {
        const double key = take();
        side->push_back({key, static_cast<std::uint32_t>(take())});
      }
  }
  double take() { return all_.at(next_++); }

 private:
  std::vector<double> all_;
  std::size_t next_ = 0;
};

/// Selects the first candidates whose gradient violates `limit`.
void choose(std::vector<Candidate>& candidates, std::size_t most, double limit) {
  std::sort(candidates.begin(), candidates.end());
  if (candidates.size() > most) candidates.resize(most);
  std::erase_if(candidates, [&](const Candidate& c) { return !(c.key < limit); });
}

}  // namespace

Violators find_violators(const DualPoint& point, const ActiveSet& active, const WorkingSet& set) {
  const LocalVariables& local = point.local;
  std::vector<std::vector<std::size_t>> slots(
      local.ranks());  // by the ranks that own their variables
  for (std::size_t s = 0; s < set.slots(); ++s)
    if (const std::uint32_t i = set.variable(s); i != WorkingSet::empty)
      slots[local.owner(i)].push_back(s);
  const LocalViolators here = find_local_violators(point, active, set);
  Messages messages(local.by_rank(packed(here, gradients_of(slots[local.rank()], point, set))));
  LocalViolators seen;
  Violators violators;
  violators.gradients.resize(set.slots());
  for (std::size_t rank = 0; rank < local.ranks(); ++rank) {
    messages.add_to(seen);
    for (const std::size_t s : slots[rank]) violators.gradients[s] = messages.take();
  }
  if (seen.not_finite)
    throw Error("with C up to " + to_text(Value(point.problem.costs[*seen.not_finite])) +
                " and kernel values up to " + to_text(Value(set.largest_value())) +
                " the gradients overflow; lower C, or scale the samples "
                "(normalizer/unit_length, normalizer/zscore)");
  const std::size_t most = most_per_side(set.slots());
  choose(seen.up, most, seen.worst.most);
  choose(seen.low, most, -seen.worst.least);
  violators.worst = seen.worst;
  violators.up = std::move(seen.up);
  violators.low = std::move(seen.low);
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
  std::sort(slots.begin(), slots.end());
  std::vector<std::size_t> selected;
  for (std::size_t k = 0; k < std::min(count, slots.size()); ++k)
    selected.push_back(slots[k].number);
  return selected;
}

}  // namespace semblance::numerics
