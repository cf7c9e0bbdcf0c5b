// SPDX-License-Identifier: MIT
#include "dual_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "pair_steps.hpp"
#include "semblance/error.hpp"

namespace semblance::solvers {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// The most violating pair enters whatever stays: at most two members are kept from leaving.
constexpr std::size_t smallest_set = 4;
constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

/// A variable of the working set, with its kernel row in the columns of both parts.
struct Member {
  std::uint32_t variable = nobody;
  std::size_t since = 0;  // the round it joined
  RowCache::Row pieces[2];
};

/// The largest violation: some variable that may grow has the gradient `least`, one that may
/// shrink `most`.
struct Violation {
  double least = infinity;
  double most = -infinity;
  double size() const { return most - least; }
};

struct Candidate {
  double rank;
  std::uint32_t variable;
  bool operator<(const Candidate& other) const {
    return rank != other.rank ? rank < other.rank : variable < other.variable;
  }
};

class Machine {
 public:
  Machine(const DualProblem& problem, const DualOptions& options, Context& context);
  DualSolution run();

 private:
  double lower(std::size_t i) const { return p_.labels[i] > 0 ? 0 : -p_.costs[i]; }
  double upper(std::size_t i) const { return p_.labels[i] > 0 ? p_.costs[i] : 0; }
  bool may_grow(std::size_t i) const { return values_[i] < upper(i); }
  bool may_shrink(std::size_t i) const { return values_[i] > lower(i); }

  Violation violation() const;
  std::vector<std::uint32_t> first_choice() const;
  std::vector<std::uint32_t> newcomers(const Violation& worst) const;
  void take_worst(std::vector<Candidate>& candidates, std::size_t count) const;
  std::vector<std::size_t> free_slots(const Violation& worst, std::size_t count) const;
  void admit(const std::vector<std::uint32_t>& chosen, const Violation& worst);
  void fetch(const std::vector<std::size_t>& slots);
  void compute(const std::vector<std::size_t>& slots, const std::vector<std::size_t>& present);
  void enter(const std::vector<std::size_t>& slots);
  void improve(double tolerance);
  void follow(const std::vector<std::size_t>& slots, const std::vector<double>& changes);
  double bias() const;
  void conclude();

  const DualProblem& p_;
  const DualOptions& options_;
  Context& context_;
  std::size_t split_;  // the first variable of the second part
  std::vector<double> values_, gradients_;
  std::vector<char> inside_;  // the working set
  std::vector<Member> members_;
  WorkingSet set_;
  DualSolution solution_;
};

Machine::Machine(const DualProblem& problem, const DualOptions& options, Context& context)
    : p_(problem),
      options_(options),
      context_(context),
      split_(problem.parts[0].count),
      values_(problem.size()),
      gradients_(problem.size()),
      inside_(problem.size()),
      members_(std::min(std::max(options.working_set, smallest_set), problem.size())),
      set_(members_.size()) {
  for (std::size_t i = 0; i < p_.size(); ++i) gradients_[i] = -p_.labels[i];
}

Violation Machine::violation() const {
  Violation worst;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (may_grow(i)) worst.least = std::min(worst.least, gradients_[i]);
    if (may_shrink(i)) worst.most = std::max(worst.most, gradients_[i]);
  }
  return worst;
}

/// Nothing is known yet: variables of both labels, evenly spread.
std::vector<std::uint32_t> Machine::first_choice() const {
  std::vector<std::uint32_t> positive, negative, chosen;
  for (std::uint32_t i = 0; i < p_.size(); ++i)
    (p_.labels[i] > 0 ? positive : negative).push_back(i);
  const std::size_t half = std::max<std::size_t>(members_.size() / 8, 1);
  for (const auto* side : {&positive, &negative}) {
    const std::size_t count = std::min(half, side->size());
    for (std::size_t k = 0; k < count; ++k) chosen.push_back((*side)[k * side->size() / count]);
  }
  if (chosen.size() > members_.size()) chosen.resize(members_.size());
  return chosen;
}

void Machine::take_worst(std::vector<Candidate>& candidates, std::size_t count) const {
  if (candidates.size() > count) {
    std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count),
                     candidates.end());
    candidates.resize(count);
  }
  std::sort(candidates.begin(), candidates.end());
}

/// The worst violators that are not in the working set, the worst first: as many of those that may
/// grow as of those that may shrink.
std::vector<std::uint32_t> Machine::newcomers(const Violation& worst) const {
  std::vector<Candidate> growing, shrinking;
  for (std::uint32_t i = 0; i < values_.size(); ++i) {
    if (inside_[i]) continue;
    if (may_grow(i) && gradients_[i] < worst.most) growing.push_back({gradients_[i], i});
    if (may_shrink(i) && gradients_[i] > worst.least) shrinking.push_back({-gradients_[i], i});
  }
  const std::size_t half = std::max<std::size_t>(members_.size() / 8, 1);
  take_worst(growing, half);
  take_worst(shrinking, half);
  std::vector<std::uint32_t> chosen;
  const auto add = [&](std::uint32_t i) {  // a free variable may be on both sides
    if (std::find(chosen.begin(), chosen.end(), i) == chosen.end()) chosen.push_back(i);
  };
  for (std::size_t k = 0; k < std::max(growing.size(), shrinking.size()); ++k) {
    if (k < growing.size()) add(growing[k].variable);
    if (k < shrinking.size()) add(shrinking[k].variable);
  }
  return chosen;
}

/// Slots for `count` newcomers: empty ones, then those of variables at a bound, the most satisfied
/// first, then the oldest. The most violating pair stays.
std::vector<std::size_t> Machine::free_slots(const Violation& worst, std::size_t count) const {
  std::vector<Candidate> slots;
  bool least_stays = false, most_stays = false;
  for (std::uint32_t s = 0; s < members_.size(); ++s) {
    const Member& member = members_[s];
    if (member.variable == nobody) {
      slots.push_back({-infinity, s});
      continue;
    }
    const std::size_t i = member.variable;
    const double f = gradients_[i];
    const bool grows = may_grow(i), shrinks = may_shrink(i);
    if (grows && f == worst.least && !std::exchange(least_stays, true)) continue;
    if (shrinks && f == worst.most && !std::exchange(most_stays, true)) continue;
    const double slack = grows && shrinks ? -infinity : grows ? f - worst.most : worst.least - f;
    // Satisfied variables at a bound come before all that may still move, and those by age.
    slots.push_back({slack > 0 ? -slack : static_cast<double>(member.since + 1), s});
  }
  std::sort(slots.begin(), slots.end());
  std::vector<std::size_t> freed;
  for (std::size_t k = 0; k < std::min(count, slots.size()); ++k)
    freed.push_back(slots[k].variable);
  return freed;
}

void Machine::admit(const std::vector<std::uint32_t>& chosen, const Violation& worst) {
  const std::vector<std::size_t> slots = free_slots(worst, chosen.size());
  for (std::size_t k = 0; k < slots.size(); ++k) {
    Member& member = members_[slots[k]];
    if (member.variable != nobody) inside_[member.variable] = 0;
    member = {chosen[k], solution_.rounds, {}};
    inside_[chosen[k]] = 1;
  }
  if (!p_.direct) fetch(slots);
  enter(slots);
}

void Machine::fetch(const std::vector<std::size_t>& slots) {
  for (std::size_t part = 0; part < p_.parts.size(); ++part) {
    std::vector<std::uint32_t> rows;
    std::vector<Member*> owners;
    for (const std::size_t slot : slots) {
      const std::uint32_t i = members_[slot].variable;
      if ((i >= split_) != (part == 1)) continue;
      rows.push_back(static_cast<std::uint32_t>(p_.parts[part].first + i - part * split_));
      owners.push_back(&members_[slot]);
    }
    std::vector<RowCache::Row> found(rows.size());
    for (std::size_t q = 0; q < p_.parts.size(); ++q) {
      p_.rows[part][q]->fetch(rows, found, context_);
      for (std::size_t k = 0; k < found.size(); ++k) owners[k]->pieces[q] = std::move(found[k]);
    }
  }
}

/// Computes the kernel values of the new members and all that are present.
void Machine::compute(const std::vector<std::size_t>& slots,
                      const std::vector<std::size_t>& present) {
  std::vector<std::uint32_t> variables;
  for (const std::size_t s : present) variables.push_back(members_[s].variable);
  context_.parallel_for(slots.size(), [&](std::size_t k) {
    std::vector<float> values(present.size());
    p_.direct->values(members_[slots[k]].variable, variables, values.data());
    for (std::size_t i = 0; i < present.size(); ++i) set_.kernel(slots[k])[present[i]] = values[i];
  });
}

/// Copies the kernel values between the new members and all.
void Machine::enter(const std::vector<std::size_t>& slots) {
  std::vector<std::size_t> present, variables;
  for (std::size_t s = 0; s < members_.size(); ++s)
    if (members_[s].variable != nobody) {
      present.push_back(s);
      variables.push_back(members_[s].variable);
    }
  if (p_.direct) {
    compute(slots, present);
  } else
    for (const std::size_t slot : slots) {
      // The piece that starts at the first variable of the second part is counted from there; which
      // piece it is has no pattern that a branch could be predicted by.
      const float* const pieces[] = {members_[slot].pieces[0].get(),
                                     members_[slot].pieces[1].get()};
      const std::size_t starts[] = {0, split_};
      float* const row = set_.kernel(slot);
      for (std::size_t k = 0; k < present.size(); ++k) {
        const std::size_t part = variables[k] >= split_;
        row[present[k]] = pieces[part][variables[k] - starts[part]];
      }
    }
  for (const std::size_t s : present)
    for (const std::size_t slot : slots) set_.kernel(s)[slot] = set_.kernel(slot)[s];
}

/// Solves the working set, and lets the gradient of all variables follow.
void Machine::improve(double tolerance) {
  for (std::size_t s = 0; s < members_.size(); ++s)
    if (const std::uint32_t i = members_[s].variable; i != nobody)
      set_.set(s, values_[i], gradients_[i], lower(i), upper(i));
  solution_.steps += set_.minimise(tolerance, options_.most_steps - solution_.steps);
  ++solution_.rounds;
  std::vector<std::size_t> slots;
  std::vector<double> changes;
  for (std::size_t s = 0; s < members_.size(); ++s) {
    const std::uint32_t i = members_[s].variable;
    if (i == nobody || set_.value(s) == values_[i]) continue;
    slots.push_back(s);
    changes.push_back(set_.value(s) - values_[i]);
    values_[i] = set_.value(s);
  }
  follow(slots, changes);
}

void Machine::follow(const std::vector<std::size_t>& slots, const std::vector<double>& changes) {
  constexpr std::size_t columns = 8192;
  if (p_.direct) {
    std::vector<std::uint32_t> variables;
    for (const std::size_t s : slots) variables.push_back(members_[s].variable);
    return p_.direct->add(variables, changes, gradients_, context_);
  }
  for (std::size_t q = 0; q < p_.parts.size(); ++q) {
    const std::size_t count = p_.parts[q].count;
    double* const gradients = gradients_.data() + q * split_;
    const auto work = [&](std::size_t chunk) {
      std::vector<const float*> rows;
      rows.reserve(slots.size());
      for (const std::size_t s : slots)
        rows.push_back(members_[s].pieces[q].get() + chunk * columns);
      add_rows(rows.data(), changes.data(), rows.size(), gradients + chunk * columns,
               std::min(columns, count - chunk * columns));
    };
    const std::size_t chunks = (count + columns - 1) / columns;
    if (chunks > 2)
      context_.parallel_for(chunks, work);
    else
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) work(chunk);
  }
}

/// LIBSVM's: what makes f(x_i) = y_i on average over the free variables, else the middle of what
/// the others allow.
double Machine::bias() const {
  double sum = 0, above = infinity, below = -infinity;
  std::size_t free = 0;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const bool grows = may_grow(i), shrinks = may_shrink(i);
    if (grows && shrinks) {
      sum += gradients_[i];
      ++free;
    } else if (grows) {
      above = std::min(above, gradients_[i]);
    } else {
      below = std::max(below, gradients_[i]);
    }
  }
  return free > 0 ? -sum / static_cast<double>(free) : -(above + below) / 2;
}

void Machine::conclude() {
  DualSolution& s = solution_;
  s.bias = bias();
  double linear = 0, losses = 0;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    s.squared_norm += values_[i] * (gradients_[i] + p_.labels[i]);
    linear += std::abs(values_[i]);
    s.vectors += values_[i] != 0;
    s.bounded += std::abs(values_[i]) == p_.costs[i];
    losses += p_.costs[i] * std::max(0.0, -p_.labels[i] * (gradients_[i] + s.bias));
  }
  s.dual = s.squared_norm / 2 - linear;
  s.primal = s.squared_norm / 2 + losses;
  s.coefficients = std::move(values_);
}

DualSolution Machine::run() {
  Violation worst = violation();
  try {
    for (;;) {
      const StopReason stop = context_.stop_requested();
      if (stop != StopReason::none) throw Cancelled();
      if (worst.size() < options_.tolerance) break;
      if (solution_.steps >= options_.most_steps) {
        solution_.certificate = Certificate::iteration_limit;
        break;
      }
      admit(solution_.rounds == 0 ? first_choice() : newcomers(worst), worst);
      improve(std::max(0.1 * worst.size(), 0.5 * options_.tolerance));
      worst = violation();
      if (options_.tell) options_.tell(solution_.rounds, std::max(0.0, worst.size()));
    }
  } catch (const Cancelled&) {
    solution_.certificate = context_.stop_requested() == StopReason::deadline
                                ? Certificate::deadline
                                : Certificate::cancelled;
  }
  solution_.violation = std::max(0.0, worst.size());
  conclude();
  return std::move(solution_);
}

}  // namespace

DualSolution solve(const DualProblem& problem, const DualOptions& options, Context& context) {
  return Machine(problem, options, context).run();
}

std::size_t solve_bytes(std::size_t variables, std::size_t working_set) noexcept {
  return variables * (6 * sizeof(double) + 2) + working_set * (working_set + 64) * sizeof(float);
}

}  // namespace semblance::solvers
