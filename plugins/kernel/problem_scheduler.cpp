// SPDX-License-Identifier: MIT
#include "problem_scheduler.hpp"

#include <algorithm>
#include <utility>

#include "semblance/collectives.hpp"
#include "semblance/error.hpp"
#include "serialization.hpp"

namespace semblance::kernel {
namespace {

using namespace std::chrono_literals;

// The lengths of turns when ranks share problems: short at first, so that many small problems are
// soon redistributed to idle ranks; later long enough to make pending negligible, and short enough
// to notice a stop at once.
constexpr auto first_turn = 20ms, longest_shared_turn = 200ms;

std::vector<double> costs_of(const ClassProblems& p, const std::vector<Opponents>& pairs) {
  std::vector<double> costs;
  costs.reserve(pairs.size());
  for (const Opponents& pair : pairs) {
    const auto rows =
        static_cast<double>(pair.negative == Opponents::rest
                                ? p.starts.back()
                                : p.rows(static_cast<std::size_t>(pair.positive)).count +
                                      p.rows(static_cast<std::size_t>(pair.negative)).count);
    costs.push_back(rows * rows);
  }
  return costs;
}

}  // namespace

ProblemScheduler::ProblemScheduler(const ClassProblems& problems, const LocalColumns& columns,
                                   const std::vector<Opponents>& pairs, const MemoryPlan& memory,
                                   const numerics::DualOptions& options, Context& context)
    : pairs_(pairs),
      context_(context),
      together_(problems.source.collective()),
      distributed_(!together_ && &context.collectives() != &only_rank()),
      caches_(problems, columns, memory, options, context),
      costs_(costs_of(problems, pairs)),
      slots_(memory.at_once),
      solutions_(pairs.size()),
      done_(pairs.size()),
      length_(first_turn) {}

bool ProblemScheduler::over() const {
  const std::size_t wanted = std::min(first_failure_.load(), pairs_.size());
  return std::find(done_.begin(), done_.begin() + static_cast<std::ptrdiff_t>(wanted), 0) ==
         done_.begin() + static_cast<std::ptrdiff_t>(wanted);
}

void ProblemScheduler::resume(std::map<std::size_t, numerics::DualState> states,
                              std::vector<numerics::DualSolution> solutions) {
  solutions_ = std::move(solutions);
  resumed_ = std::move(states);
  for (std::size_t p = 0; p < pairs_.size(); ++p) done_[p] = resumed_.contains(p) ? 0 : 1;
  done_count_ = pairs_.size() - resumed_.size();
}

std::vector<numerics::DualSolution> ProblemScheduler::run() {
  std::vector<std::size_t> left;
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    if (!done_[p]) left.push_back(p);
  queues_.emplace(costs_, left, distributed_ ? context_.collectives().ranks() : 1);
  while (!over()) {
    turn();
    synchronise();
  }
  if (first_failure_ == none) return std::move(solutions_);
  if (distributed_) throw Error(message_);
  std::rethrow_exception(failure_);
}

void ProblemScheduler::turn() {
  const auto pending = queues_->pending(distributed_ ? context_.collectives().rank() : 0);
  queue_.assign(pending.begin(), pending.end());
  begun_ = 0;
  finished_.clear();
  end_ = Clock::now() + length_;
  length_ = std::min<Clock::duration>(length_ * 5 / 4, longest_shared_turn);
  if (together_) return work(slots_.front());
  context_.parallel_for(slots_.size(), [&](std::size_t s) { work(slots_[s]); });
}

bool ProblemScheduler::pauses(const Slot& slot) const {
  const bool in_vain = slot.problem != none && slot.problem > first_failure_;
  return together_ || in_vain || (distributed_ && Clock::now() >= end_);
}

std::size_t ProblemScheduler::next() {
  const std::lock_guard lock(mutex_);
  if (begun_ == queue_.size() || queue_[begun_] >= first_failure_) return none;
  return queue_[begun_++];
}

/// Continues the problem in the slot, then takes other problems, until the turn is over.
void ProblemScheduler::work(Slot& slot) {
  for (;;) {
    if (slot.problem == none && (slot.problem = next()) == none) return;
    if (together_) {
      // A failure here happens on all ranks or has been sent to all.
      if (!advance(slot)) return;
      continue;
    }
    try {
      if (!advance(slot)) return;
    } catch (const std::exception& failure) {
      failed(slot.problem, failure.what(), std::current_exception());
      slot = {};
    }
    if (pauses(slot)) return;
  }
}

/// Advances the problem in the slot; returns whether it is done and the slot free.
bool ProblemScheduler::advance(Slot& slot) {
  const Opponents& pair = pairs_[slot.problem];
  // Setting up millions of problems takes long, even without solving them.
  if (!slot.training && context_.stop_requested() != StopReason::none) {
    solved(std::exchange(slot.problem, none), caches_.unsolved(pair));
    return true;
  }
  if (!slot.training) open(slot);
  numerics::DualSolver& solver = slot.training->solver();
  if (!solver.advance([&] { return pauses(slot); })) return false;
  solved(slot.problem, solver.take());
  slot = {};
  return true;
}

void ProblemScheduler::open(Slot& slot) {
  slot.training = caches_.open(pairs_[slot.problem]);
  const auto state = resumed_.find(slot.problem);
  if (state != resumed_.end()) slot.training->solver().resume(state->second);
}

void ProblemScheduler::solved(std::size_t problem, numerics::DualSolution solution) {
  {
    const std::lock_guard lock(mutex_);
    solutions_[problem] = std::move(solution);
    done_[problem] = 1;
    finished_.push_back(problem);
  }
  context_.progress(static_cast<double>(++done_count_), static_cast<double>(pairs_.size()));
}

void ProblemScheduler::failed(std::size_t problem, const std::string& message,
                              std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  if (problem >= first_failure_) return;
  first_failure_ = problem;
  message_ = message;
  failure_ = std::move(failure);
}

void ProblemScheduler::synchronise() {
  if (distributed_)
    exchange();
  else
    queues_->record(0, begun_, finished_);
  for (Slot& slot : slots_)
    if (slot.problem != none && slot.problem > first_failure_) slot = {};
}

void ProblemScheduler::exchange() {
  Collectives& ranks = context_.collectives();
  Packer message;
  message.put(begun_);
  message.put_all(std::span(std::as_const(finished_)));
  for (const std::size_t problem : finished_) message.put(solutions_[problem]);
  message.put(first_failure_.load());
  message.put_all(std::span(std::as_const(message_)));
  const std::vector<std::byte> all = ranks.gather(message.bytes());
  Unpacker messages(all);
  for (std::size_t r = 0; r < ranks.ranks(); ++r) take_from(r, messages);
  done_count_ = static_cast<std::size_t>(std::ranges::count(done_, 1));
  queues_->drop_from(first_failure_);
  queues_->rebalance();
}

void ProblemScheduler::take_from(std::size_t rank, Unpacker& message) {
  const auto begun = message.take<std::size_t>();
  const auto finished = message.take_all<std::size_t>();
  for (const std::size_t problem : finished) {
    solutions_.at(problem) = message.take_solution(caches_.variables(pairs_.at(problem)));
    done_.at(problem) = 1;
  }
  queues_->record(rank, begun, finished);
  const auto failure = message.take<std::size_t>();
  const auto text = message.take_all<char>();
  if (failure < first_failure_) {
    first_failure_ = failure;
    message_.assign(text.begin(), text.end());
  }
}

}  // namespace semblance::kernel
