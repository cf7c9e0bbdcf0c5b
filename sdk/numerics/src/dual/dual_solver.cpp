// SPDX-License-Identifier: MIT
#include "semblance_numerics/dual_solver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "inner_dual.hpp"
#include "kernel_rows.hpp"
#include "selection.hpp"
#include "semblance/error.hpp"
#include "working_set.hpp"

namespace semblance::numerics {
namespace {

// The number of kernel rows fetched at once for a starting point: one block of the cache.
constexpr std::size_t start_rows_at_once = 64;

}  // namespace

class DualSolver::Impl {
 public:
  Impl(const DualProblem& problem, const DualOptions& options, Context& context)
      : options_(options), context_(context), point_(problem), set_(problem, options, context) {}

  bool advance(const std::function<bool()>& pause);
  bool resume(const DualState& state);
  double dual() const { return point_.objective(); }
  DualSolution take() { return std::move(solution_); }

 private:
  void start();
  void add_rows(std::span<const double> changes, std::vector<double>& sums);
  void update_violators() { violators_ = find_violators(point_, set_); }
  double violation() const { return violators_->worst.size(); }
  bool resumes_at_the_end();
  bool proved(bool over);
  bool at_the_end(bool over);
  bool iterate(const std::function<bool()>& pause);
  void stop_early();
  void update_working_set();
  void minimise(Subproblem& subproblem, double tolerance);
  void minimise_inside(Subproblem& subproblem, double tolerance);
  void solve_working_set(double tolerance);
  void finish();
  std::vector<std::int64_t> working_set_variables() const;

  const DualOptions& options_;
  Context& context_;
  DualPoint point_;
  WorkingSet set_;
  std::optional<Violators> violators_;  // at the current point
  std::optional<DualState> resumed_;    // while the working set has yet to be filled
  bool started_ = false;                // the gradients are those of the point
  bool done_ = false;
  Convergence convergence_;  // if options_.history
  DualSolution solution_;
};

/// Computes the gradients of the starting point. If a stop request interrupts the kernel rows, the
/// point becomes 0, whose gradients are known.
void DualSolver::Impl::start() {
  started_ = true;
  const DualProblem& problem = point_.problem;
  if (problem.start.empty()) return;
  const std::vector<double> before = point_.gradients;
  try {
    add_rows(problem.start, point_.gradients);
    if (problem.mirrored) point_.mirror_gradients();
  } catch (const Cancelled&) {
    std::ranges::fill(point_.values, 0.0);
    point_.gradients = before;
    throw;
  }
}

/// Replaces satisfied variables of the working set by the worst violators outside of it.
void DualSolver::Impl::update_working_set() {
  // All gradients of a classifier have the same size at zero.
  const bool unknown = solution_.rounds == 0 && point_.problem.linear.empty();
  const std::vector<Entering> chosen =
      unknown ? first_working_set(point_, set_.slots()) : select_entering(*violators_);
  if (chosen.empty()) return;
  const std::vector<std::size_t> slots = select_slots(point_, set_, *violators_, chosen.size());
  std::vector<std::uint32_t> entering;
  entering.reserve(slots.size());
  for (std::size_t k = 0; k < slots.size(); ++k) {
    entering.push_back(chosen[k].variable);
    violators_->gradients[slots[k]] = chosen[k].gradient;
  }
  set_.enter(slots, entering, solution_.rounds);
}

/// The same for a large working set, by smaller ones.
void DualSolver::Impl::minimise_inside(Subproblem& subproblem, double tolerance) {
  DualOptions options = options_;
  options.tolerance = tolerance;
  options.most_steps -= solution_.steps;
  const DualSolution found = solve_inner(point_, set_, violators_->gradients, options, context_);
  solution_.steps += found.steps;
  for (std::size_t s = 0; s < set_.slots(); ++s) subproblem.set_value(s, found.coefficients[s]);
}

/// Makes pair steps, with Newton steps in between after many of them.
void DualSolver::Impl::minimise(Subproblem& subproblem, double tolerance) {
  if (set_.slots() > most_slots_at_once) return minimise_inside(subproblem, tolerance);
  const auto stopped = [&] { return context_.stop_requested() != StopReason::none; };
  for (;;) {
    const std::size_t left = options_.most_steps - solution_.steps;
    const std::size_t most =
        options_.pairs_before_newton > 0 ? std::min(left, options_.pairs_before_newton) : left;
    const std::size_t done = subproblem.minimise(tolerance, most, stopped);
    solution_.steps += done;
    if (done < most || done == left || stopped()) return;
    subproblem.minimise_free();
  }
}

/// Solves the working set and updates the gradient of all variables.
void DualSolver::Impl::solve_working_set(double tolerance) {
  Subproblem& subproblem = set_.subproblem();
  for (std::size_t s = 0; s < set_.slots(); ++s)
    if (const std::uint32_t i = set_.variable(s); i != WorkingSet::empty)
      subproblem.set(s, point_.values[i], violators_->gradients[s], point_.lower(i),
                     point_.upper(i));
  minimise(subproblem, tolerance);
  ++solution_.rounds;
  std::vector<std::size_t> slots;
  std::vector<double> changes;
  std::vector<char> free;
  for (std::size_t s = 0; s < set_.slots(); ++s) {
    const std::uint32_t i = set_.variable(s);
    const double value = subproblem.value(s);
    if (i == WorkingSet::empty || value == point_.values[i]) continue;
    slots.push_back(s);
    changes.push_back(value - point_.values[i]);
    free.push_back(point_.lower(i) < value && value < point_.upper(i) ? 1 : 0);
  }
  set_.update_gradients(slots, changes, free, point_.gradients);
  if (point_.problem.mirrored) point_.mirror_gradients();
  for (const std::size_t s : slots) point_.values[set_.variable(s)] = subproblem.value(s);
}

/// sums[j] += sum_i changes[i] K(i, j) for all variables j.
void DualSolver::Impl::add_rows(std::span<const double> changes, std::vector<double>& sums) {
  const KernelRows kernel(point_.problem);
  std::vector<std::uint32_t> changed;
  for (std::uint32_t i = 0; i < changes.size(); ++i)
    if (changes[i] != 0) changed.push_back(i);
  for (std::size_t first = 0; first < changed.size(); first += start_rows_at_once) {
    const auto batch =
        std::span(changed).subspan(first, std::min(start_rows_at_once, changed.size() - first));
    std::vector<KernelRows::Row> found(batch.size());
    kernel.fetch(batch, found, context_);
    std::vector<const KernelRows::Row*> rows;
    std::vector<double> factors;
    for (std::size_t k = 0; k < batch.size(); ++k) {
      rows.push_back(&found[k]);
      factors.push_back(changes[batch[k]]);
    }
    kernel.add(rows, factors, sums, context_);
  }
}

std::vector<std::int64_t> DualSolver::Impl::working_set_variables() const {
  if (resumed_) return resumed_->working_set;
  std::vector<std::int64_t> variables;
  for (std::size_t s = 0; s < set_.slots(); ++s) {
    const std::uint32_t i = set_.variable(s);
    variables.push_back(i == WorkingSet::empty ? -1 : static_cast<std::int64_t>(i));
  }
  return variables;
}

void DualSolver::Impl::finish() {
  std::vector<double> gradients = std::move(point_.gradients);
  solution_.coefficients = std::move(point_.values);
  solution_.working_set = working_set_variables();
  // A hundred more looks at all variables may prove more; a stop does not wait for them.
  const bool proves = context_.stop_requested() == StopReason::none;
  evaluate(point_.problem, gradients, options_.gap, proves, solution_);
  solution_.sensitivity = sensitivity(point_.problem, gradients, solution_, options_.tolerance);
  if (options_.gradients) solution_.gradients = std::move(gradients);
}

/// Whether the resumed point meets the stopping rule, which needs no kernel rows if their largest
/// value is known.
bool DualSolver::Impl::resumes_at_the_end() {
  update_violators();
  const bool over = resumed_->largest_value > 0 &&
                    at_the_end(solution_.steps >= options_.most_steps) &&
                    context_.stop_requested() == StopReason::none;
  if (!over) violators_.reset();
  return over;
}

/// Whether the duality gap is small enough, with some room for errors that are found later
/// (allow_error()). Of a machine that is itself as good, as long as smaller violations are in
/// reach; then also of one with another factor, which proves the same optimum.
bool DualSolver::Impl::proved(bool over) {
  constexpr double in_reach = 1e-6, room = 0.8;
  const double aim = over ? options_.gap : room * options_.gap;
  if (options_.gap >= std::numeric_limits<double>::max()) return true;
  DualSolution found;
  found.coefficients = point_.values;
  evaluate(point_.problem, point_.gradients, aim,
           over || violation() < in_reach * options_.tolerance, found);
  return relative_gap(found) <= aim;
}

/// Whether nothing is left to do at a point whose gradients are all known.
bool DualSolver::Impl::at_the_end(bool over) {
  return violation() < options_.tolerance &&
         (violation() <= 2 * point_.rounding(set_.largest_value()) || proved(over));
}

/// Runs until the end or a pause; returns whether it is done.
bool DualSolver::Impl::iterate(const std::function<bool()>& pause) {
  if (!started_) start();
  if (resumed_) {
    if (resumes_at_the_end()) return true;
    set_.restore(resumed_->working_set);
    resumed_.reset();
  }
  if (!violators_) update_violators();
  for (;;) {
    const StopReason stop = context_.stop_requested();
    if (stop != StopReason::none) throw Cancelled();
    const bool over = solution_.steps >= options_.most_steps;
    if (at_the_end(over)) return true;
    if (over) {
      solution_.certificate = Certificate::iteration_limit;
      return true;
    }
    update_working_set();
    const double least = violation() < options_.tolerance ? point_.rounding(set_.largest_value())
                                                          : 0.5 * options_.tolerance;
    const std::size_t before = solution_.steps;
    solve_working_set(std::max(0.1 * violation(), least));
    update_violators();
    if (options_.history) convergence_.record(solution_.rounds, std::max(0.0, violation()));
    if (options_.after_round) options_.after_round(solution_.rounds, std::max(0.0, violation()));
    if (violation() < options_.tolerance && solution_.steps == before) return true;  // rounding
    if (pause && pause()) return false;
  }
}

/// Ends at the current state after a stop request.
void DualSolver::Impl::stop_early() {
  solution_.certificate = stop_certificate(context_);
  update_violators();
}

bool DualSolver::Impl::advance(const std::function<bool()>& pause) {
  if (done_) return true;
  try {
    if (!iterate(pause)) return false;
  } catch (const Cancelled&) {
    stop_early();
  }
  done_ = true;
  solution_.violation = std::max(0.0, violation());
  solution_.largest_value = set_.largest_value();
  solution_.rounding = point_.rounding(solution_.largest_value);
  if (options_.history) {
    convergence_.record_last(solution_.rounds, solution_.violation);
    solution_.history = convergence_.points();
  }
  finish();
  if (!doubt(solution_, options_.tolerance, options_.gap).empty())
    solution_.certificate = std::max(solution_.certificate, Certificate::iteration_limit);
  return true;
}

DualState warm_start(const DualSolution& solution, std::vector<double> gradients) {
  DualState state;
  state.values = solution.coefficients;
  state.gradients = std::move(gradients);
  state.working_set = solution.working_set;
  state.rounds = 1;
  return state;
}

bool DualSolver::Impl::resume(const DualState& state) {
  const std::size_t variables = point_.values.size();
  if (state.values.size() != variables || state.gradients.size() != variables ||
      state.working_set.size() != set_.slots() || state.rounds == 0)
    return false;
  std::vector<char> seen(variables);
  for (const std::int64_t i : state.working_set)
    if (i < -1 || i >= static_cast<std::int64_t>(variables) ||
        (i >= 0 && std::exchange(seen[static_cast<std::size_t>(i)], 1)))
      return false;
  point_.values = state.values;
  point_.gradients = state.gradients;
  set_.set_largest_value(state.largest_value);
  solution_.steps = state.steps;
  solution_.rounds = state.rounds;
  resumed_ = state;
  started_ = true;
  return true;
}

DualSolver::DualSolver(const DualProblem& problem, const DualOptions& options, Context& context)
    : impl_(std::make_unique<Impl>(problem, options, context)) {}
DualSolver::~DualSolver() = default;

bool DualSolver::advance(const std::function<bool()>& pause) { return impl_->advance(pause); }

bool DualSolver::resume(const DualState& state) { return impl_->resume(state); }

double DualSolver::dual() const { return impl_->dual(); }

DualSolution DualSolver::take() { return impl_->take(); }

DualSolution solve(const DualProblem& problem, const DualOptions& options, Context& context) {
  DualSolver solver(problem, options, context);
  solver.advance();
  return solver.take();
}

std::size_t solve_bytes(std::size_t variables, std::size_t working_set) noexcept {
  return variables * (7 * sizeof(double) + 2) + working_set * (working_set + 64) * sizeof(float) +
         inner_bytes(working_set);
}

}  // namespace semblance::numerics
