// SPDX-License-Identifier: MIT
#include "solving.hpp"

#include <algorithm>
#include <utility>

#include "packed_values.hpp"
#include "semblance/checkpoint.hpp"
#include "semblance/collectives.hpp"
#include "semblance/error.hpp"

namespace semblance::kernel {
namespace {

using namespace std::chrono_literals;

// The lengths of turns when ranks share problems: short at first, so that many small problems are
// soon redistributed to idle ranks; later long enough to make waiting negligible, and short enough
// to notice a stop at once.
constexpr auto first_turn = 20ms, longest_shared_turn = 200ms;
// On a single rank a turn ends only for a checkpoint.
constexpr auto longest_turn = 5000ms;

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

/// Whole words, padded with zeros.
std::vector<std::int64_t> as_integers(std::span<const std::byte> bytes) {
  std::vector<std::int64_t> words((bytes.size() + sizeof(std::int64_t) - 1) / sizeof(std::int64_t));
  std::ranges::copy(bytes, std::as_writable_bytes(std::span(words)).begin());
  return words;
}

}  // namespace

Solving::Solving(const ClassProblems& problems, const OwnColumns& columns,
                 const std::vector<Opponents>& pairs, const MemoryPlan& memory,
                 const numerics::DualOptions& options, Context& context)
    : pairs_(pairs),
      context_(context),
      together_(problems.source.collective()),
      share_out_(!together_ && &context.collectives() != &only_rank()),
      keeps_(&context.checkpoint() != &no_checkpoint()),
      workshop_(problems, columns, memory, options, context),
      costs_(costs_of(problems, pairs)),
      slots_(memory.at_once),
      solutions_(pairs.size()),
      done_(pairs.size()),
      length_(first_turn) {}

bool Solving::over() const {
  const std::size_t wanted = std::min(first_failure_.load(), pairs_.size());
  return std::find(done_.begin(), done_.begin() + static_cast<std::ptrdiff_t>(wanted), 0) ==
         done_.begin() + static_cast<std::ptrdiff_t>(wanted);
}

void Solving::go_on_from(std::map<std::size_t, numerics::DualState> courses,
                         std::vector<numerics::DualSolution> solutions) {
  begun_elsewhere_ = true;
  solutions_ = std::move(solutions);
  kept_ = std::move(courses);
  for (std::size_t p = 0; p < pairs_.size(); ++p) done_[p] = kept_.contains(p) ? 0 : 1;
  done_count_ = pairs_.size() - kept_.size();
}

std::vector<numerics::DualSolution> Solving::run() {
  if (keeps_ && !begun_elsewhere_) go_on_from_kept();
  std::vector<std::size_t> left;
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    if (!done_[p]) left.push_back(p);
  shares_.emplace(costs_, left, share_out_ ? context_.collectives().ranks() : 1);
  while (!over()) {
    turn();
    meet();
    // A problem ended by a stop must not count as solved later.
    const bool goes_on = !over() && context_.stop_requested() == StopReason::none;
    if (keeps_ && goes_on && context_.checkpoint().due()) keep();
  }
  if (first_failure_ == none) return std::move(solutions_);
  if (share_out_) throw Error(message_);
  std::rethrow_exception(failure_);
}

void Solving::turn() {
  const auto waiting = shares_->waiting(share_out_ ? context_.collectives().rank() : 0);
  queue_.assign(waiting.begin(), waiting.end());
  begun_ = 0;
  finished_.clear();
  end_ = Clock::now() + length_;
  length_ =
      std::min<Clock::duration>(length_ * 5 / 4, share_out_ ? longest_shared_turn : longest_turn);
  if (together_) return work(slots_.front());
  context_.parallel_for(slots_.size(), [&](std::size_t s) { work(slots_[s]); });
}

bool Solving::pauses(const Slot& slot) const {
  const bool in_vain = slot.problem != none && slot.problem > first_failure_;
  // If no rank waits for others at its end, a turn is one working set.
  const bool alone = keeps_ && !share_out_ && slots_.size() == 1;
  return together_ || alone || in_vain || ((share_out_ || keeps_) && Clock::now() >= end_);
}

std::size_t Solving::next() {
  const std::lock_guard lock(mutex_);
  if (begun_ == queue_.size() || queue_[begun_] >= first_failure_) return none;
  return queue_[begun_++];
}

/// Continues the problem in the slot, then takes other problems, until the turn is over.
void Solving::work(Slot& slot) {
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
bool Solving::advance(Slot& slot) {
  const Opponents& pair = pairs_[slot.problem];
  // Setting up millions of problems takes long, even without solving them.
  if (!slot.job && context_.stop_requested() != StopReason::none) {
    solved(std::exchange(slot.problem, none), workshop_.unsolved(pair));
    return true;
  }
  if (!slot.job) open(slot);
  numerics::DualSolver& machine = slot.job->machine();
  if (!machine.advance([&] { return pauses(slot); })) return false;
  solved(slot.problem, machine.take());
  slot = {};
  return true;
}

void Solving::open(Slot& slot) {
  slot.job = workshop_.open(pairs_[slot.problem]);
  const auto course = kept_.find(slot.problem);
  if (course != kept_.end()) slot.job->machine().resume(course->second);
}

void Solving::solved(std::size_t problem, numerics::DualSolution solution) {
  {
    const std::lock_guard lock(mutex_);
    solutions_[problem] = std::move(solution);
    done_[problem] = 1;
    finished_.push_back(problem);
  }
  context_.progress(static_cast<double>(++done_count_), static_cast<double>(pairs_.size()));
}

void Solving::failed(std::size_t problem, const std::string& message, std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  if (problem >= first_failure_) return;
  first_failure_ = problem;
  message_ = message;
  failure_ = std::move(failure);
}

void Solving::meet() {
  if (share_out_)
    exchange();
  else
    shares_->heard(0, begun_, finished_);
  for (Slot& slot : slots_)
    if (slot.problem != none && slot.problem > first_failure_) slot = {};
}

void Solving::exchange() {
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
  shares_->drop_from(first_failure_);
  shares_->even_out();
}

void Solving::take_from(std::size_t rank, Unpacker& message) {
  const auto begun = message.take<std::size_t>();
  const auto finished = message.take_all<std::size_t>();
  for (const std::size_t problem : finished) {
    solutions_.at(problem) = message.take_solution(workshop_.variables(pairs_.at(problem)));
    done_.at(problem) = 1;
  }
  shares_->heard(rank, begun, finished);
  const auto failure = message.take<std::size_t>();
  const auto text = message.take_all<char>();
  if (failure < first_failure_) {
    first_failure_ = failure;
    message_.assign(text.begin(), text.end());
  }
}

/// The state of the problems that this rank is solving.
std::vector<std::byte> Solving::courses_under_way() const {
  Packer packed;
  for (const Slot& slot : slots_) {
    if (!slot.job) continue;
    packed.put(slot.problem);
    packed.put(slot.job->machine().state());
  }
  return {packed.bytes().begin(), packed.bytes().end()};
}

void Solving::keep() {
  std::vector<std::byte> under_way = courses_under_way();
  if (share_out_) under_way = context_.collectives().gather(std::as_bytes(std::span(under_way)));
  for (Unpacker courses(under_way); !courses.done();) {
    const auto problem = courses.take<std::size_t>();
    kept_[problem] = courses.take_course();
  }
  std::erase_if(kept_, [&](const auto& kept) { return done_[kept.first]; });
  context_.checkpoint().keep([&](StateWriter& state) {
    Packer packed;
    packed.put(pairs_.size());
    packed.put(done_count_.load());
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      if (!done_[p]) continue;
      packed.put(p);
      packed.put(solutions_[p]);
    }
    packed.put(kept_.size());
    for (const auto& [problem, course] : kept_) {
      packed.put(problem);
      packed.put(course);
    }
    state.integers("problems", as_integers(packed.bytes()));
  });
}

void Solving::go_on_from_kept() {
  const StateReader* state = context_.checkpoint().kept();
  if (!state) return;
  std::map<std::size_t, numerics::DualSolution> done;
  std::map<std::size_t, numerics::DualState> under_way;
  try {
    const std::vector<std::int64_t> words = state->integers("problems");
    Unpacker packed(std::as_bytes(std::span(words)));
    if (packed.take<std::size_t>() != pairs_.size()) return;
    for (auto count = packed.take<std::size_t>(); count > 0; --count) {
      const auto problem = packed.take<std::size_t>();
      if (problem >= pairs_.size()) return;
      done[problem] = packed.take_solution(workshop_.variables(pairs_[problem]));
    }
    for (auto count = packed.take<std::size_t>(); count > 0; --count) {
      const auto problem = packed.take<std::size_t>();
      under_way[problem] = packed.take_course();
    }
  } catch (const Error&) {
    return;  // start from the beginning
  }
  for (auto& [problem, solution] : done) {
    solutions_[problem] = std::move(solution);
    done_[problem] = 1;
  }
  done_count_ = done.size();
  kept_ = std::move(under_way);
}

}  // namespace semblance::kernel
