// SPDX-License-Identifier: MIT
#include "outlook.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "semblance/error.hpp"
#include "semblance/parameters.hpp"

namespace semblance::numerics {
namespace {

/// Selects the first of all added elements in their order; holds at most twice as many.
class FirstOfAll {
 public:
  explicit FirstOfAll(std::size_t count) : count_(count) {}

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

/// A rank's summary of its own variables.
struct OwnOutlook {
  std::optional<std::uint32_t> not_finite;  // the first such variable
  Violation worst;
  std::vector<Candidate> growing, shrinking;
};

OwnOutlook look_at_own(const DualPoint& point, const ActiveVariables& active,
                       const Members& members) {
  OwnOutlook seen;
  FirstOfAll growing(most_of_a_side(members.slots())), shrinking = growing;
  for (const std::uint32_t place : active.list()) {
    const std::uint32_t i = point.own[place];
    const double f = point.gradients[place];
    // Comparisons with NaN are false, so a violation would go unnoticed.
    if (!std::isfinite(f)) {
      seen.not_finite = i;
      return seen;
    }
    const bool enters = !members.has(i);
    if (point.may_grow(i)) {
      seen.worst.least = std::min(seen.worst.least, f);
      if (enters) growing.add({f, i});
    }
    if (point.may_shrink(i)) {
      seen.worst.most = std::max(seen.worst.most, f);
      if (enters) shrinking.add({-f, i});
    }
  }
  seen.growing = growing.take();
  seen.shrinking = shrinking.take();
  return seen;
}

/// The gradients of the members in some slots, in their order.
std::vector<double> gradients_of(std::span<const std::size_t> slots, const DualPoint& point,
                                 const Members& members) {
  std::vector<double> found;
  found.reserve(slots.size());
  for (const std::size_t s : slots)
    found.push_back(point.gradients[point.own.place(members.variable(s))]);
  return found;
}

/// Packs everything into one message of numbers, since even short messages cost time.
std::vector<double> packed(const OwnOutlook& seen, std::span<const double> of_members) {
  std::vector<double> message{seen.not_finite ? static_cast<double>(*seen.not_finite) : -1.0,
                              seen.worst.least, seen.worst.most};
  for (const auto* side : {&seen.growing, &seen.shrinking}) {
    message.push_back(static_cast<double>(side->size()));
    for (const Candidate& candidate : *side) {
      message.push_back(candidate.rank);
      message.push_back(candidate.number);
    }
  }
  message.insert(message.end(), of_members.begin(), of_members.end());
  return message;
}

/// Reads the ranks' messages, one after the other.
class Messages {
 public:
  explicit Messages(std::vector<double> all) : all_(std::move(all)) {}

  void add_to(OwnOutlook& seen) {
    if (const double variable = take(); variable >= 0) {
      const auto found = static_cast<std::uint32_t>(variable);
      seen.not_finite = std::min(found, seen.not_finite.value_or(found));
    }
    seen.worst.least = std::min(seen.worst.least, take());
    seen.worst.most = std::max(seen.worst.most, take());
    for (auto* side : {&seen.growing, &seen.shrinking})
      for (auto count = static_cast<std::size_t>(take()); count > 0; --count) {
        const double rank = take();
        side->push_back({rank, static_cast<std::uint32_t>(take())});
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
  std::erase_if(candidates, [&](const Candidate& c) { return !(c.rank < limit); });
}

}  // namespace

std::size_t most_of_a_side(std::size_t slots) { return std::max<std::size_t>(slots / 8, 1); }

Outlook look(const DualPoint& point, const ActiveVariables& active, const Members& members) {
  const OwnVariables& own = point.own;
  std::vector<std::vector<std::size_t>> slots(own.ranks());  // by the ranks that own them
  for (std::size_t s = 0; s < members.slots(); ++s)
    if (const std::uint32_t i = members.variable(s); i != Members::nobody)
      slots[own.owner(i)].push_back(s);
  const OwnOutlook here = look_at_own(point, active, members);
  Messages messages(own.by_rank(packed(here, gradients_of(slots[own.rank()], point, members))));
  OwnOutlook seen;
  Outlook outlook;
  outlook.of_members.resize(members.slots());
  for (std::size_t rank = 0; rank < own.ranks(); ++rank) {
    messages.add_to(seen);
    for (const std::size_t s : slots[rank]) outlook.of_members[s] = messages.take();
  }
  if (seen.not_finite)
    throw Error("with C up to " + to_text(Value(point.problem.costs[*seen.not_finite])) +
                " and kernel values up to " + to_text(Value(members.largest_value())) +
                " the gradients overflow; lower C, or scale the samples "
                "(normalizer/unit_length, normalizer/zscore)");
  const std::size_t most = most_of_a_side(members.slots());
  choose(seen.growing, most, seen.worst.most);
  choose(seen.shrinking, most, -seen.worst.least);
  outlook.worst = seen.worst;
  outlook.growing = std::move(seen.growing);
  outlook.shrinking = std::move(seen.shrinking);
  return outlook;
}

}  // namespace semblance::numerics
