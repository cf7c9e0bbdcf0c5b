// SPDX-License-Identifier: MIT
#include "runtime/workers/work_together.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <set>
#include <span>
#include <thread>

#include "runtime/graph/scoring_node.hpp"
#include "runtime/loop/learning.hpp"
#include "runtime/loop/memory_waits.hpp"
#include "runtime/loop/run_loop.hpp"
#include "runtime/loop/stage_targets.hpp"
#include "runtime/services/node_error.hpp"
#include "runtime/stages/stage_builder.hpp"
#include "runtime/workers/work_units.hpp"

namespace semblance {
namespace {

using Clock = std::chrono::steady_clock;

/// The share of its time that a worker may spend on finding out what other workers have finished,
/// while there is work to do.
constexpr int looking_share = 20;
constexpr std::chrono::milliseconds shortest_pause{10};
constexpr std::chrono::milliseconds longest_pause{1000};

class Worker {
 public:
  Worker(RunProgress& progress, RunData& data, SharedRun& shared)
      : progress_(progress), data_(data), shared_(shared), name_(shared.own_folder().filename()) {}

  WorkEnd run() {
    try {
      look();
      while (!pending_units(progress_).empty()) {
        check_stop();
        if (work()) {
          pause_ = shortest_pause;
          if (Clock::now() >= look_again_) look();
        } else {
          wait();
          look();
        }
      }
      return WorkEnd::complete;
    } catch (const ArtifactLost& lost) {
      progress_.journal().log(LogLevel::warning, lost.what());
      return WorkEnd::session_lost;
    }
  }

 private:
  using Held = std::vector<std::unique_ptr<Lease>>;

  /// Finds out what other workers have finished, and what has failed.
  void look() {
    const auto begin = Clock::now();
    for (const auto& [key, message] : shared_.failures())
      if (failed_.insert(key).second) take_note_of_failure(key);
    renew([&](const std::string& key) { return is_stored(key); });
    look_again_ = Clock::now() + looking_share * (Clock::now() - begin);
  }

  void renew(const std::function<bool(const std::string&)>& stored) {
    progress_.renew_plan(stored);
    settle(progress_, data_);
  }

  /// Artifacts that were there stay: no process trims while workers hold the store.
  bool is_stored(const std::string& key) {
    if (stored_.contains(key)) return true;
    if (!data_.store()->contains(key)) return false;
    stored_.insert(key);
    return true;
  }

  /// The worker that tried the node has reported the failure.
  void take_note_of_failure(const std::string& key) {
    for (std::size_t i = 0; i < progress_.size(); ++i)
      if (progress_.facts(i).key == key) progress_.fail(i, "");
  }

  /// Whether there was work for this worker.
  bool work() {
    const auto units = available_units(progress_, pending_units(progress_), name_);
    for (auto unit = units.begin(); unit != units.end(); ++unit) {
      check_stop();
      Held held;
      const Taken taken = take(*unit, held);
      if (taken == Taken::by_others) continue;
      if (taken == Taken::by_us) {
        if (progress_.options().threads > 1 && is_small(*unit))
          compute_small(*unit, std::span(unit + 1, units.end()), held);
        else
          compute(*unit, held);
      }
      renew([&](const std::string& known) { return stored_.contains(known); });
      return true;
    }
    return false;
  }

  enum class Taken { by_us, by_others, finished };

  Taken take(const WorkUnit& unit, Held& held) {
    const std::string key = unit_key(progress_.graph(), unit);
    auto lease = shared_.take(key, progress_.facts(unit.node).name());
    if (!lease) return Taken::by_others;
    // Its holder may have finished it since the plan was made.
    if (is_stored(key)) return Taken::finished;
    held.push_back(std::move(lease));
    return Taken::by_us;
  }

  bool is_small(const WorkUnit& unit) const {
    return unit.what == WorkUnit::What::state && trains_beside_others(progress_.graph(), unit.node);
  }

  void compute(const WorkUnit& unit, Held& held) {
    if (!compute_beside(unit, held)) compute_alone(unit, held);
  }

  /// Nothing else is in memory then: its result is final.
  void compute_alone(const WorkUnit& unit, Held& held) {
    give_all_back();
    data_.take_least_memory(true);
    alone_ = true;
    compute_beside(unit, held);
    alone_ = false;
    data_.take_least_memory(false);
  }

  /// Releases everything that is loaded; it comes from the store again.
  void give_all_back() {
    for (std::size_t i = 0; i < progress_.size(); ++i) {
      NodeRun& run = progress_.run(i);
      if (ScoringNode* solver = progress_.node(i).scoring()) solver->training.reset();
      if (!run.has_rows()) continue;
      run.rows.reset();
      run.rows_life = RowsLife::released;
    }
    data_.close_all_data();
  }

  /// False where it failed for lack of memory, beside what else is loaded.
  bool compute_beside(const WorkUnit& unit, Held& held) {
    shared_.begins(progress_.facts(unit.node).name());
    const auto begin = Clock::now();
    short_of_memory_ = false;
    std::vector<StageTarget> targets;
    open_data(unit);
    const bool through = attempt(targets, [&] {
      bring_for(progress_, data_, unit);
      if (unit.what == WorkUnit::What::state) {
        gather(unit.node, targets);
        check_ready(unit.node);
        learn(progress_, data_, unit.node);
      } else {
        stream(targets = sharing(unit, held));
      }
    });
    if (!through) return !short_of_memory_;
    // Work that was stopped halfway is not in the store.
    check_stop();
    const std::chrono::duration<double> spent = Clock::now() - begin;
    if (unit.what == WorkUnit::What::state) done(unit, spent.count());
    std::erase_if(targets, [](const auto& t) { return t.what != StageTarget::What::kept; });
    for (const StageTarget& target : targets)
      done({WorkUnit::What::rows, target.node},
           spent.count() / static_cast<double>(targets.size()));
    return true;
  }

  /// Lets its data be open from now on; where there is no room for them, closes other data.
  void open_data(const WorkUnit& unit) {
    if (data_.admit_data(unit.node)) return;
    data_.close_all_data();
    data_.admit_data(unit.node);
  }

  /// Trains a small problem side by side with as many other ones as there are threads.
  void compute_small(const WorkUnit& first, std::span<const WorkUnit> others, Held& held) {
    shared_.begins(progress_.facts(first.node).name());
    const auto begin = Clock::now();
    std::vector<WorkUnit> units = {first};
    for (const WorkUnit& other : others)
      if (units.size() < progress_.options().threads && is_small(other) &&
          take(other, held) == Taken::by_us)
        units.push_back(other);
    std::vector<WorkUnit> again;
    const auto missing = [&](const WorkUnit& unit, const std::function<void()>& body) {
      short_of_memory_ = false;
      std::vector<StageTarget> targets;
      const bool through = attempt(targets, body);
      if (!through && short_of_memory_) again.push_back(unit);
      return !through;
    };
    std::erase_if(units,
                  [&](const WorkUnit& unit) { return missing(unit, [&] { prepare(unit); }); });
    std::vector<std::size_t> solvers;
    solvers.reserve(units.size());
    for (const WorkUnit& unit : units) solvers.push_back(unit.node);
    const auto failures = learn_side_by_side(progress_, data_, solvers);
    check_stop();
    const std::chrono::duration<double> spent = Clock::now() - begin;
    for (std::size_t s = 0; s < units.size(); ++s)
      if (!missing(units[s], [&] {
            if (failures[s]) std::rethrow_exception(failures[s]);
          }))
        done(units[s], spent.count() / static_cast<double>(units.size()));
    for (const WorkUnit& unit : again) compute_alone(unit, held);
  }

  /// Loads everything that a training problem needs.
  void prepare(const WorkUnit& unit) {
    open_data(unit);
    bring_for(progress_, data_, unit);
    std::vector<StageTarget> targets;
    try {
      gather(unit.node, targets);
    } catch (...) {
      abandon_targets(progress_, targets);
      throw;
    }
    check_ready(unit.node);
  }

  /// Whether `body` succeeded. Reports a node that fails in it to all workers, unless it may
  /// succeed where nothing else takes memory.
  bool attempt(const std::vector<StageTarget>& targets, const std::function<void()>& body) {
    try {
      body();
      return true;
    } catch (const NodeError& error) {
      abandon_targets(progress_, targets);
      short_of_memory_ = !alone_ && was_short_of_memory(progress_.ranks(), error);
      if (!short_of_memory_) failed(error);
      return false;
    }
  }

  void done(const WorkUnit& unit, double seconds) {
    stored_.insert(unit_key(progress_.graph(), unit));
    shared_.has_done(progress_.facts(unit.node).spec->component.id, seconds);
  }

  void gather(std::size_t i, std::vector<StageTarget>& targets) {
    if (gathers(i)) stream(targets = {{StageTarget::What::training, i}});
  }

  bool gathers(std::size_t i) {
    const ScoringNode* solver = progress_.node(i).scoring();
    return solver && progress_.facts(i).demands.gathers && !solver->training;
  }

  void check_ready(std::size_t i) const {
    if (!progress_.node(i).can_learn(progress_))
      throw Error("internal error: node '" + progress_.facts(i).name() +
                  "' was to learn before everything that it looks at was there");
  }

  void stream(const std::vector<StageTarget>& targets) {
    const Stage stage = build_stage(progress_, data_, targets);
    if (!stage.steps.empty()) stream_stage(progress_, data_, stage);
    check_stop();
    finish_targets(progress_, data_, targets);
  }

  /// Includes the rows of other units that need the same costly work.
  std::vector<StageTarget> sharing(const WorkUnit& unit, Held& held) {
    std::vector<StageTarget> candidates = {{StageTarget::What::kept, unit.node}};
    for (const WorkUnit& other : pending_units(progress_))
      if (other.what == WorkUnit::What::rows && other.node != unit.node &&
          progress_.run(other.node).ready() && is_available(progress_, other))
        candidates.push_back({StageTarget::What::kept, other.node});
    std::vector<StageTarget> chosen;
    for (const StageTarget& target : sharing_first(progress_, std::move(candidates))) {
      if (target.node != unit.node && !take_too(target.node, held)) continue;
      chosen.push_back(target);
    }
    return chosen;
  }

  bool take_too(std::size_t i, Held& held) {
    const WorkUnit unit{WorkUnit::What::rows, i};
    if (take(unit, held) != Taken::by_us) return false;
    bring_for(progress_, data_, unit);
    return true;
  }

  void failed(const NodeError& error) {
    const NodeFacts& node = progress_.facts(error.node());
    failed_.insert(node.key);
    shared_.note_failure(node.key, node.name(), error.what());
    progress_.fail(error.node(), error.what());
  }

  void check_stop() const {
    if (progress_.stopping()) throw Cancelled();
  }

  /// Waits: other workers hold everything that could be done now.
  void wait() {
    shared_.waits();
    const auto end = Clock::now() + pause_;
    while (Clock::now() < end) {
      check_stop();
      std::this_thread::sleep_for(std::min(pause_, std::chrono::milliseconds(100)));
    }
    pause_ = std::min(2 * pause_, longest_pause);
  }

  RunProgress& progress_;
  RunData& data_;
  SharedRun& shared_;
  const std::string name_;
  std::set<std::string> stored_;  ///< keys that the store is known to have
  std::set<std::string> failed_;  ///< keys of nodes that are known to have failed
  bool alone_ = false;            ///< only the data of one unit are in memory
  bool short_of_memory_ = false;  ///< what failed last may succeed alone
  Clock::time_point look_again_;
  std::chrono::milliseconds pause_ = shortest_pause;
};

}  // namespace

WorkEnd work_together(RunProgress& progress, RunData& data, SharedRun& shared) {
  if (!data.store()) throw Error("internal error: workers need a store");
  return Worker(progress, data, shared).run();
}

nlohmann::ordered_json graph_json(const RunProgress& progress) {
  nlohmann::ordered_json nodes = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < progress.size(); ++i) {
    const NodeFacts& node = progress.facts(i);
    const Demands& demands = node.demands;
    const bool idle = node.lacks_test_rows();
    RowsKept rows = RowsKept::never;
    if (demands.keeping == Keeping::if_learned_from && progress.plan(i).keeps())
      rows = RowsKept::if_needed;
    else if (demands.keeping == Keeping::always && node.outline->test_rows > 0)
      rows = RowsKept::always;
    nodes.push_back({{"name", node.name()},
                     {"component", node.spec->component.id},
                     {"key", node.key},
                     {"held_out", node.spec->held_out},
                     {"state", demands.learned != Learned::nothing && !idle},
                     {"rows", rows},
                     {"from", feeding(node)}});
  }
  return nodes;
}

}  // namespace semblance
