// SPDX-License-Identifier: MIT
#include "semblance_numerics/dual_problem.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "newcomers.hpp"
#include "semblance/error.hpp"
#include "semblance/parameters.hpp"
#include "variable_rows.hpp"

namespace semblance::numerics {
namespace {

// The number of kernel rows fetched at once while gradients catch up: one block of the cache.
constexpr std::size_t rows_to_catch_up = 64;

}  // namespace

class DualMachine::Machine {
 public:
  Machine(const DualProblem& problem, const DualOptions& options, Context& context)
      : options_(options),
        context_(context),
        own_(problem, context),
        point_(problem, own_),
        active_(own_),
        members_(problem, own_, options, context) {}

  bool advance(const std::function<bool()>& pause);
  DualCourse course() const;
  bool go_on_from(const DualCourse& course);
  double dual() const { return point_.objective(); }
  DualSolution take() { return std::move(solution_); }

 private:
  void look_around() { outlook_ = look(point_, active_, members_); }
  double violation() const { return outlook_->worst.size(); }
  bool go_on(const std::function<bool()>& pause);
  void give_up();
  void admit();
  void minimise(WorkingSet& set, double tolerance);
  void improve(double tolerance);
  void shrink();
  void restore();
  void catch_up(const ActiveVariables::Left& left);
  void conclude();
  std::vector<std::int64_t> variables_of_members() const;

  const DualOptions& options_;
  Context& context_;
  OwnVariables own_;
  DualPoint point_;
  ActiveVariables active_;
  Members members_;
  std::optional<Outlook> outlook_;  // at the current point
  std::optional<DualCourse> left_;  // set while the working set has yet to be filled
  bool done_ = false;
  DualSolution solution_;
};

/// Replaces satisfied variables of the working set by the worst violators outside of it.
void DualMachine::Machine::admit() {
  const std::vector<Newcomer> chosen =
      solution_.rounds == 0 ? first_choice(point_, members_.slots()) : newcomers(*outlook_);
  const std::vector<std::size_t> slots = free_slots(point_, members_, *outlook_, chosen.size());
  std::vector<std::uint32_t> entering;
  entering.reserve(slots.size());
  for (std::size_t k = 0; k < slots.size(); ++k) {
    entering.push_back(chosen[k].variable);
    outlook_->of_members[slots[k]] = chosen[k].gradient;
  }
  members_.admit(slots, entering, solution_.rounds);
}

/// Makes pair steps, with Newton steps in between after many of them.
void DualMachine::Machine::minimise(WorkingSet& set, double tolerance) {
  const auto stopped = [&] { return context_.stop_requested() != StopReason::none; };
  for (;;) {
    const std::size_t left = options_.most_steps - solution_.steps;
    const std::size_t most =
        options_.pairs_before_newton > 0 ? std::min(left, options_.pairs_before_newton) : left;
    const std::size_t done = set.minimise(tolerance, most, stopped);
    solution_.steps += done;
    if (done < most || done == left || stopped()) return;
    set.solve_free();
  }
}

/// Solves the working set and updates the gradient of all variables.
void DualMachine::Machine::improve(double tolerance) {
  WorkingSet& set = members_.set();
  for (std::size_t s = 0; s < members_.slots(); ++s)
    if (const std::uint32_t i = members_.variable(s); i != Members::nobody)
      set.set(s, point_.values[i], outlook_->of_members[s], point_.lower(i), point_.upper(i));
  minimise(set, tolerance);
  ++solution_.rounds;
  std::vector<std::size_t> slots;
  std::vector<double> changes;
  for (std::size_t s = 0; s < members_.slots(); ++s) {
    const std::uint32_t i = members_.variable(s);
    if (i == Members::nobody || set.value(s) == point_.values[i]) continue;
    slots.push_back(s);
    changes.push_back(set.value(s) - point_.values[i]);
  }
  members_.follow(slots, changes, active_, point_.gradients);
  for (const std::size_t s : slots) point_.values[members_.variable(s)] = set.value(s);
}

/// Omits variables at a bound that are satisfied by more than the largest violation: their
/// gradients would have to change more than that of any pair still must.
void DualMachine::Machine::shrink() {
  const Violation& worst = outlook_->worst;
  const auto satisfied = [&](std::uint32_t place) {
    const std::uint32_t i = own_[place];
    const bool grows = point_.may_grow(i), shrinks = point_.may_shrink(i);
    if (members_.has(i) || (grows && shrinks)) return false;
    const double f = point_.gradients[place];
    return (grows ? f - worst.most : worst.least - f) > worst.size();
  };
  solution_.shrinkings += active_.shrink(satisfied, point_.values, point_.gradients);
}

/// Activates all variables again. If a stop request interrupts the kernel rows, returns to the last
/// state with known gradients of all variables.
void DualMachine::Machine::restore() {
  const ActiveVariables::Left before = active_.first_left();
  try {
    for (const ActiveVariables::Left& left : active_.restore()) catch_up(left);
  } catch (const Cancelled&) {
    point_.values = before.values;
    point_.gradients = before.gradients;
    throw;
  }
}

/// Updates the gradients of omitted variables by the changes since then.
void DualMachine::Machine::catch_up(const ActiveVariables::Left& left) {
  const VariableRows kernel(point_.problem, own_);
  std::vector<std::uint32_t> changed;
  for (std::uint32_t i = 0; i < point_.values.size(); ++i)
    if (point_.values[i] != left.values[i]) changed.push_back(i);
  std::vector<double> behind(own_.count());
  for (std::size_t first = 0; first < changed.size(); first += rows_to_catch_up) {
    const auto batch =
        std::span(changed).subspan(first, std::min(rows_to_catch_up, changed.size() - first));
    std::vector<VariableRows::Row> found(batch.size());
    kernel.fetch(batch, found, context_);
    std::vector<const VariableRows::Row*> rows;
    std::vector<double> changes;
    for (std::size_t k = 0; k < batch.size(); ++k) {
      rows.push_back(&found[k]);
      changes.push_back(point_.values[batch[k]] - left.values[batch[k]]);
    }
    kernel.add(rows, changes, behind, context_);
  }
  for (const std::uint32_t place : left.places) point_.gradients[place] += behind[place];
}

std::vector<std::int64_t> DualMachine::Machine::variables_of_members() const {
  std::vector<std::int64_t> variables;
  for (std::size_t s = 0; s < members_.slots(); ++s) {
    const std::uint32_t i = members_.variable(s);
    variables.push_back(i == Members::nobody ? -1 : static_cast<std::int64_t>(i));
  }
  return variables;
}

void DualMachine::Machine::conclude() {
  const std::vector<double> gradients = own_.of_all(std::move(point_.gradients));
  solution_.coefficients = std::move(point_.values);
  solution_.members = variables_of_members();
  evaluate(point_.problem, gradients, solution_);
}

/// Runs until the end or a pause; returns whether it is done.
bool DualMachine::Machine::go_on(const std::function<bool()>& pause) {
  if (left_) {
    members_.readmit(left_->members, left_->since);
    left_.reset();
  }
  if (!outlook_) look_around();
  for (;;) {
    const StopReason stop = context_.stop_requested();
    if (stop != StopReason::none) throw Cancelled();
    const bool over = solution_.steps >= options_.most_steps;
    if (!active_.complete() && (over || violation() < options_.tolerance)) {
      restore();
      look_around();
    }
    if (violation() < options_.tolerance) return true;
    if (over) {
      solution_.certificate = Certificate::iteration_limit;
      return true;
    }
    admit();
    improve(std::max(0.1 * violation(), 0.5 * options_.tolerance));
    look_around();
    if (options_.shrinking && !point_.problem.direct) shrink();
    if (options_.after_round) options_.after_round(solution_.rounds, std::max(0.0, violation()));
    if (pause && pause()) return false;
  }
}

/// Ends at the current state after a stop request.
void DualMachine::Machine::give_up() {
  solution_.certificate = stop_certificate(context_);
  try {
    if (!active_.complete()) restore();
  } catch (const Cancelled&) {  // it has returned to an earlier state
  }
  look_around();
}

bool DualMachine::Machine::advance(const std::function<bool()>& pause) {
  if (done_) return true;
  try {
    if (!go_on(pause)) return false;
  } catch (const Cancelled&) {
    give_up();
  }
  done_ = true;
  solution_.violation = std::max(0.0, violation());
  solution_.rounding = point_.rounding(members_.largest_value());
  conclude();
  if (!doubt(solution_, options_.tolerance).empty())
    solution_.certificate = std::max(solution_.certificate, Certificate::iteration_limit);
  return true;
}

DualCourse DualMachine::Machine::course() const {
  if (left_) return *left_;
  DualCourse course;
  course.values = point_.values;
  course.gradients = own_.of_all(point_.gradients);
  course.left = active_.left();
  course.largest_value = members_.largest_value();
  course.steps = solution_.steps;
  course.rounds = solution_.rounds;
  course.shrinkings = solution_.shrinkings;
  course.members = variables_of_members();
  for (std::size_t s = 0; s < members_.slots(); ++s)
    course.since.push_back(static_cast<std::int64_t>(members_.since(s)));
  return course;
}

DualCourse course_from(const DualSolution& solution, std::vector<double> gradients) {
  DualCourse course;
  course.values = solution.coefficients;
  course.gradients = std::move(gradients);
  course.members = solution.members;
  course.since.assign(solution.members.size(), 0);
  course.rounds = 1;
  return course;
}

bool DualMachine::Machine::go_on_from(const DualCourse& course) {
  const std::size_t variables = point_.values.size();
  if (course.values.size() != variables || course.gradients.size() != variables ||
      course.members.size() != members_.slots() || course.since.size() != members_.slots() ||
      course.rounds == 0)
    return false;
  std::vector<char> seen(variables);
  for (const std::int64_t i : course.members)
    if (i < -1 || i >= static_cast<std::int64_t>(variables) ||
        (i >= 0 && std::exchange(seen[static_cast<std::size_t>(i)], 1)))
      return false;
  if (!active_.leave(course.left)) return false;
  point_.values = course.values;
  for (std::size_t place = 0; place < own_.count(); ++place)
    point_.gradients[place] = course.gradients[own_[place]];
  members_.expect(course.largest_value);
  solution_.steps = course.steps;
  solution_.rounds = course.rounds;
  solution_.shrinkings = course.shrinkings;
  left_ = course;
  return true;
}

DualMachine::DualMachine(const DualProblem& problem, const DualOptions& options, Context& context)
    : machine_(std::make_unique<Machine>(problem, options, context)) {}
DualMachine::~DualMachine() = default;

bool DualMachine::advance(const std::function<bool()>& pause) { return machine_->advance(pause); }

DualCourse DualMachine::course() const { return machine_->course(); }

bool DualMachine::go_on_from(const DualCourse& course) { return machine_->go_on_from(course); }

double DualMachine::dual() const { return machine_->dual(); }

DualSolution DualMachine::take() { return machine_->take(); }

DualSolution solve(const DualProblem& problem, const DualOptions& options, Context& context) {
  DualMachine machine(problem, options, context);
  machine.advance();
  return machine.take();
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

}  // namespace semblance::numerics
