// SPDX-License-Identifier: MIT
#include "kernel/dual_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kernel/active_variables.hpp"
#include "kernel/pair_steps.hpp"
#include "kernel/variable_rows.hpp"
#include "semblance/error.hpp"
#include "semblance/parameters.hpp"

namespace semblance::solvers {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// The most violating pair enters whatever stays: at most two members are kept from leaving.
constexpr std::size_t smallest_set = 4;
// Of a kernel matrix, while gradients catch up: what a cache computes as one block.
constexpr std::size_t rows_to_catch_up = 64;
constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

/// A variable of the working set, with its kernel row in the columns of both parts.
struct Member {
  std::uint32_t variable = nobody;
  std::size_t since = 0;  // the round it joined
  VariableRows::Row row;
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
  void check_finite(std::uint32_t variable) const;
  double rounding() const;
  std::vector<std::uint32_t> first_choice() const;
  std::vector<std::uint32_t> newcomers(const Violation& worst) const;
  void take_worst(std::vector<Candidate>& candidates, std::size_t count) const;
  std::vector<std::size_t> free_slots(const Violation& worst, std::size_t count) const;
  void admit(const std::vector<std::uint32_t>& chosen, const Violation& worst);
  bool holds_all() const { return !options_.held_rows; }
  bool holds(std::size_t slot) const { return holds_all() || slot < *options_.held_rows; }
  template <class Body>
  void for_rows(const std::vector<std::size_t>& slots, const Body& body);
  void read(const std::vector<std::size_t>& slots, const std::vector<std::size_t>& variables,
            const std::vector<std::size_t>& present);
  void compute(const std::vector<std::size_t>& slots, const std::vector<std::size_t>& present);
  void enter(const std::vector<std::size_t>& slots);
  void improve(double tolerance);
  void follow(const std::vector<std::size_t>& slots, const std::vector<double>& changes);
  void follow_rows(const std::vector<std::size_t>& slots, const std::vector<double>& changes);
  void shrink(const Violation& worst);
  void restore();
  void catch_up(const ActiveVariables::Left& left);
  double bias() const;
  void conclude();

  const DualProblem& p_;
  const DualOptions& options_;
  Context& context_;
  VariableRows rows_;
  std::vector<double> values_, gradients_;
  ActiveVariables active_;
  std::vector<char> inside_;  // the working set
  std::vector<Member> members_;
  FloatMatrix held_;  // kernel rows of the first members, where not all are held by the cache
  double largest_value_ = 0;  // on the kernel's diagonal, of those that have been members
  WorkingSet set_;
  DualSolution solution_;
};

Machine::Machine(const DualProblem& problem, const DualOptions& options, Context& context)
    : p_(problem),
      options_(options),
      context_(context),
      rows_(problem),
      values_(problem.size()),
      gradients_(problem.size()),
      active_(problem.size()),
      inside_(problem.size()),
      members_(std::min(std::max(options.working_set, smallest_set), problem.size())),
      held_(holds_all() || problem.direct ? 0 : std::min(*options.held_rows, members_.size()),
            problem.size()),
      set_(members_.size()) {
  for (std::size_t i = 0; i < p_.size(); ++i) gradients_[i] = -p_.labels[i];
}

Violation Machine::violation() const {
  Violation worst;
  for (const std::uint32_t i : active_.list()) {
    // Comparisons with NaN are false, and nothing would seem to be violated.
    if (!std::isfinite(gradients_[i])) check_finite(i);
    if (may_grow(i)) worst.least = std::min(worst.least, gradients_[i]);
    if (may_shrink(i)) worst.most = std::max(worst.most, gradients_[i]);
  }
  return worst;
}

void Machine::check_finite(std::uint32_t variable) const {
  throw Error("with C up to " + to_text(Value(p_.costs[variable])) + " and kernel values up to " +
              to_text(Value(largest_value_)) +
              " the gradients overflow; lower C, or scale the samples (normalizer/unit_length, "
              "normalizer/zscore)");
}

/// What gradients may be wrong by: each is a sum of |b| times kernel values in double. No value is
/// larger than the largest of the diagonal, and all variables with a coefficient have been members.
double Machine::rounding() const {
  double sum = 0;
  for (const double value : values_) sum += std::abs(value);
  return std::numeric_limits<double>::epsilon() * sum * largest_value_;
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
  for (const std::uint32_t i : active_.list()) {
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
  enter(slots);
}

/// Calls body(k, row) with the kernel row of the member in slots[k], for every k in order; fetches
/// those that no member has.
template <class Body>
void Machine::for_rows(const std::vector<std::size_t>& slots, const Body& body) {
  const std::size_t at_once =
      holds_all() ? slots.size() : std::max<std::size_t>(options_.fetched_rows, 1);
  for (std::size_t first = 0; first < slots.size(); first += at_once) {
    const std::size_t end = std::min(slots.size(), first + at_once);
    std::vector<std::uint32_t> wanted;
    for (std::size_t k = first; k < end; ++k)
      if (const Member& m = members_[slots[k]]; !m.row.pieces[0]) wanted.push_back(m.variable);
    std::vector<VariableRows::Row> found(wanted.size());
    rows_.fetch(wanted, found, context_);
    for (std::size_t k = first, next = 0; k < end; ++k) {
      const bool has = members_[slots[k]].row.pieces[0] != nullptr;
      body(k, has ? members_[slots[k]].row : found[next++]);
    }
  }
}

/// Reads the new members' kernel values between them and all from their rows, and keeps the rows
/// that there is room for.
void Machine::read(const std::vector<std::size_t>& slots, const std::vector<std::size_t>& variables,
                   const std::vector<std::size_t>& present) {
  for_rows(slots, [&](std::size_t k, const VariableRows::Row& row) {
    const std::size_t slot = slots[k];
    rows_.pick(row, variables, present, set_.kernel(slot));
    if (holds_all())
      members_[slot].row = row;
    else if (holds(slot))
      members_[slot].row = rows_.copy(row, held_.view().row(slot));
  });
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
  if (p_.direct)
    compute(slots, present);
  else
    read(slots, variables, present);
  for (const std::size_t s : present)
    for (const std::size_t slot : slots) set_.kernel(s)[slot] = set_.kernel(slot)[s];
  for (const std::size_t slot : slots)
    largest_value_ = std::max(largest_value_, std::abs(double{set_.kernel(slot)[slot]}));
}

/// Solves the working set, and lets the gradient of all variables follow.
void Machine::improve(double tolerance) {
  for (std::size_t s = 0; s < members_.size(); ++s)
    if (const std::uint32_t i = members_[s].variable; i != nobody)
      set_.set(s, values_[i], gradients_[i], lower(i), upper(i));
  solution_.steps += set_.minimise(tolerance, options_.most_steps - solution_.steps,
                                   [&] { return context_.stop_requested() != StopReason::none; });
  ++solution_.rounds;
  std::vector<std::size_t> slots;
  std::vector<double> changes;
  for (std::size_t s = 0; s < members_.size(); ++s) {
    const std::uint32_t i = members_[s].variable;
    if (i == nobody || set_.value(s) == values_[i]) continue;
    slots.push_back(s);
    changes.push_back(set_.value(s) - values_[i]);
  }
  follow(slots, changes);
  for (const std::size_t s : slots) values_[members_[s].variable] = set_.value(s);
}

void Machine::follow(const std::vector<std::size_t>& slots, const std::vector<double>& changes) {
  if (p_.direct) {
    std::vector<std::uint32_t> variables;
    for (const std::size_t s : slots) variables.push_back(members_[s].variable);
    return p_.direct->add(variables, changes, gradients_, context_);
  }
  if (holds_all()) return follow_rows(slots, changes);
  // Rows have to be fetched, which a stop request may end halfway.
  const std::vector<double> before = gradients_;
  try {
    follow_rows(slots, changes);
  } catch (const Cancelled&) {
    gradients_ = before;
    throw;
  }
}

/// Row after row in the order of the slots, however many are at hand at a time, so that the sums
/// have the same bits.
void Machine::follow_rows(const std::vector<std::size_t>& slots,
                          const std::vector<double>& changes) {
  const std::size_t at_once = holds_all() ? slots.size() : options_.fetched_rows;
  std::vector<VariableRows::Row> rows;
  const auto add = [&](std::size_t end) {
    std::vector<const VariableRows::Row*> pointers;
    for (const VariableRows::Row& row : rows) pointers.push_back(&row);
    const auto factors = std::span(changes).subspan(end - rows.size(), rows.size());
    if (active_.complete())
      rows_.add(pointers, factors, gradients_, context_);
    else
      rows_.add(pointers, factors, active_.list(), gradients_);
    rows.clear();
  };
  for_rows(slots, [&](std::size_t k, const VariableRows::Row& row) {
    rows.push_back(row);
    if (rows.size() == at_once || k + 1 == slots.size()) add(k + 1);
  });
}

/// Leaves out who is at a bound and satisfied by more than the largest violation: whose gradient
/// would have to move further than that of any pair still has to.
void Machine::shrink(const Violation& worst) {
  const auto satisfied = [&](std::uint32_t i) {
    const bool grows = may_grow(i), shrinks = may_shrink(i);
    if (inside_[i] || (grows && shrinks)) return false;
    return (grows ? gradients_[i] - worst.most : worst.least - gradients_[i]) > worst.size();
  };
  solution_.shrinkings += active_.shrink(satisfied, values_, gradients_);
}

/// All variables take part again. Where a stop request takes the kernel rows away, it goes back to
/// when the gradients of all variables were known.
void Machine::restore() {
  const ActiveVariables::Left before = active_.first_left();
  try {
    for (const ActiveVariables::Left& left : active_.restore()) catch_up(left);
  } catch (const Cancelled&) {
    values_ = before.values;
    gradients_ = before.gradients;
    throw;
  }
}

/// The gradients of those that had been left out follow what has changed since.
void Machine::catch_up(const ActiveVariables::Left& left) {
  std::vector<std::uint32_t> changed;
  for (std::uint32_t i = 0; i < values_.size(); ++i)
    if (values_[i] != left.values[i]) changed.push_back(i);
  std::vector<double> behind(values_.size());
  for (std::size_t first = 0; first < changed.size(); first += rows_to_catch_up) {
    const auto batch =
        std::span(changed).subspan(first, std::min(rows_to_catch_up, changed.size() - first));
    std::vector<VariableRows::Row> found(batch.size());
    rows_.fetch(batch, found, context_);
    std::vector<const VariableRows::Row*> rows;
    std::vector<double> changes;
    for (std::size_t k = 0; k < batch.size(); ++k) {
      rows.push_back(&found[k]);
      changes.push_back(values_[batch[k]] - left.values[batch[k]]);
    }
    rows_.add(rows, changes, behind, context_);
  }
  for (const std::uint32_t i : left.variables) gradients_[i] += behind[i];
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
      const bool over = solution_.steps >= options_.most_steps;
      if (!active_.complete() && (over || worst.size() < options_.tolerance)) {
        restore();
        worst = violation();
      }
      if (worst.size() < options_.tolerance) break;
      if (over) {
        solution_.certificate = Certificate::iteration_limit;
        break;
      }
      admit(solution_.rounds == 0 ? first_choice() : newcomers(worst), worst);
      improve(std::max(0.1 * worst.size(), 0.5 * options_.tolerance));
      worst = violation();
      if (options_.shrinking && !p_.direct) shrink(worst);
      if (options_.tell) options_.tell(solution_.rounds, std::max(0.0, worst.size()));
    }
  } catch (const Cancelled&) {
    solution_.certificate = stop_certificate(context_);
    try {
      if (!active_.complete()) restore();
    } catch (const Cancelled&) {  // it has gone back
    }
    worst = violation();
  }
  solution_.violation = std::max(0.0, worst.size());
  solution_.rounding = rounding();
  conclude();
  if (!doubt(solution_, options_.tolerance).empty())
    solution_.certificate = std::max(solution_.certificate, Certificate::iteration_limit);
  return std::move(solution_);
}

}  // namespace

DualSolution solve(const DualProblem& problem, const DualOptions& options, Context& context) {
  return Machine(problem, options, context).run();
}

std::string doubt(const DualSolution& solution, double tolerance) {
  constexpr double least_share = 0.5;
  if (!(solution.violation < tolerance)) return "";
  if (!(solution.rounding < tolerance))
    return "C times the kernel's values is so large that rounding hides the remaining improvement: "
           "gradients may be wrong by " +
           to_text(Value(solution.rounding)) + ", tolerance is " + to_text(Value(tolerance)) +
           "; lower C, or scale the samples";
  const double gap = solution.primal + solution.dual;
  if (std::isfinite(gap) && gap <= least_share * solution.primal) return "";
  return "C is so large that violations below the tolerance of " + to_text(Value(tolerance)) +
         " cost more than the rest of the objective, so nothing is proved about it; lower C or the "
         "tolerance";
}

std::size_t solve_bytes(std::size_t variables, std::size_t working_set, bool shrinking) noexcept {
  const std::size_t shrinks =
      ActiveVariables::bytes(variables) + rows_to_catch_up * variables * sizeof(float);
  return variables * (7 * sizeof(double) + 2) + working_set * (working_set + 64) * sizeof(float) +
         (shrinking ? shrinks : 0);
}

}  // namespace semblance::solvers
