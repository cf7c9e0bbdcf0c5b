// SPDX-License-Identifier: MIT
#include "runtime/workers/work_together.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "runtime/nodes/learning.hpp"
#include "runtime/nodes/scoring_node.hpp"
#include "runtime/stages/run_loop.hpp"
#include "runtime/stages/stage_builder.hpp"
#include "runtime/stages/stage_targets.hpp"
#include "runtime/workers/bringing.hpp"
#include "runtime/workers/work_units.hpp"

namespace semblance {
namespace {

using Clock = std::chrono::steady_clock;

/// The share of its time that a worker may spend on looking what others have finished, while there
/// is something to do.
constexpr int looking_share = 20;
constexpr std::chrono::milliseconds shortest_pause{10};
constexpr std::chrono::milliseconds longest_pause{1000};

class Worker {
 public:
  Worker(Session& session, SharedRun& shared)
      : session_(session), shared_(shared), name_(shared.own_folder().filename()) {}

  WorkEnd run() {
    try {
      look();
      while (!pending_units(session_).empty()) {
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
      session_.journal().log(LogLevel::warning, lost.what());
      return WorkEnd::session_lost;
    }
  }

 private:
  using Held = std::vector<std::unique_ptr<Lease>>;

  /// Finds out what others have finished, and what has failed.
  void look() {
    const auto begin = Clock::now();
    for (const auto& [key, message] : shared_.failures())
      if (failed_.insert(key).second) take_note_of_failure(key);
    renew([&](const std::string& key) { return is_stored(key); });
    look_again_ = Clock::now() + looking_share * (Clock::now() - begin);
  }

  void renew(const std::function<bool(const std::string&)>& stored) {
    session_.renew_plan(stored);
    settle(session_);
  }

  /// What was there once stays: nobody trims while workers hold the store.
  bool is_stored(const std::string& key) {
    if (stored_.contains(key)) return true;
    if (!session_.store()->contains(key)) return false;
    stored_.insert(key);
    return true;
  }

  /// Who tried the node has told of it.
  void take_note_of_failure(const std::string& key) {
    for (std::size_t i = 0; i < session_.size(); ++i)
      if (session_.node(i).key == key) session_.fail(i, "");
  }

  /// Whether there was anything to do for this worker.
  bool work() {
    for (const WorkUnit& unit : available_units(session_, pending_units(session_), name_)) {
      check_stop();
      const std::string key = unit_key(session_, unit);
      auto lease = shared_.take(key, session_.node(unit.node).name());
      if (!lease) continue;
      // Its holder may have finished it since the plan was made.
      if (!is_stored(key)) compute(unit, std::move(lease));
      renew([&](const std::string& known) { return stored_.contains(known); });
      return true;
    }
    return false;
  }

  void compute(const WorkUnit& unit, std::unique_ptr<Lease> lease) {
    Node& node = session_.node(unit.node);
    shared_.begins(node.name());
    const auto begin = Clock::now();
    Held held;
    held.push_back(std::move(lease));
    std::vector<StageTarget> targets;
    try {
      bring_for(session_, unit);
      if (unit.what == WorkUnit::What::state) {
        if (gathers(unit.node)) stream(targets = {{StageTarget::What::training, unit.node}});
        check_ready(unit.node);
        learn(session_, unit.node);
      } else {
        targets = sharing(unit, held);
        stream(targets);
      }
    } catch (const NodeError& error) {
      abandon_targets(session_, targets);
      return failed(error);
    }
    // What was stopped halfway is not in the store.
    check_stop();
    const std::chrono::duration<double> spent = Clock::now() - begin;
    shared_.has_done(node.spec->component.id, spent.count());
    if (unit.what == WorkUnit::What::state) stored_.insert(unit_key(session_, unit));
    for (const StageTarget& target : targets)
      if (target.what == StageTarget::What::kept)
        stored_.insert(unit_key(session_, {WorkUnit::What::rows, target.node}));
  }

  bool gathers(std::size_t i) {
    const ScoringNode* solver = session_.node(i).scoring();
    return solver && session_.node(i).demands().gathers && !solver->training;
  }

  void check_ready(std::size_t i) const {
    if (!session_.node(i).can_learn(session_))
      throw Error("internal error: node '" + session_.node(i).name() +
                  "' was to learn before everything that it looks at was there");
  }

  void stream(const std::vector<StageTarget>& targets) {
    const Stage stage = build_stage(session_, targets);
    if (!stage.steps.empty()) run_stage(session_, stage);
    check_stop();
    finish_targets(session_, targets);
  }

  /// The rows of other units, too, that need the same costly work.
  std::vector<StageTarget> sharing(const WorkUnit& unit, Held& held) {
    std::vector<StageTarget> candidates = {{StageTarget::What::kept, unit.node}};
    for (const WorkUnit& other : pending_units(session_))
      if (other.what == WorkUnit::What::rows && other.node != unit.node &&
          session_.run(other.node).ready() && is_available(session_, other))
        candidates.push_back({StageTarget::What::kept, other.node});
    std::vector<StageTarget> chosen;
    for (const StageTarget& target : sharing_first(session_, std::move(candidates))) {
      if (target.node != unit.node && !take_too(target.node, held)) continue;
      chosen.push_back(target);
    }
    return chosen;
  }

  bool take_too(std::size_t i, Held& held) {
    const WorkUnit unit{WorkUnit::What::rows, i};
    auto lease = shared_.take(unit_key(session_, unit), session_.node(i).name());
    if (!lease || is_stored(unit_key(session_, unit))) return false;
    held.push_back(std::move(lease));
    bring_for(session_, unit);
    return true;
  }

  void failed(const NodeError& error) {
    const Node& node = session_.node(error.node());
    failed_.insert(node.key);
    shared_.note_failure(node.key, node.name(), error.what());
    session_.fail(error.node(), error.what());
  }

  void check_stop() const {
    if (session_.stopping()) throw Cancelled();
  }

  /// Others are at everything that could be done now.
  void wait() {
    shared_.waits();
    const auto end = Clock::now() + pause_;
    while (Clock::now() < end) {
      check_stop();
      std::this_thread::sleep_for(std::min(pause_, std::chrono::milliseconds(100)));
    }
    pause_ = std::min(2 * pause_, longest_pause);
  }

  Session& session_;
  SharedRun& shared_;
  const std::string name_;
  std::set<std::string> stored_;  ///< keys that the store is known to have
  std::set<std::string> failed_;  ///< keys of nodes that are known to have failed
  Clock::time_point look_again_;
  std::chrono::milliseconds pause_ = shortest_pause;
};

}  // namespace

WorkEnd work_together(Session& session, SharedRun& shared) {
  if (!session.store()) throw Error("internal error: workers need a store");
  return Worker(session, shared).run();
}

nlohmann::ordered_json graph_json(const Session& session) {
  nlohmann::ordered_json nodes = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < session.size(); ++i) {
    const Node& node = session.node(i);
    const Demands& demands = node.demands();
    const bool idle = node.lacks_test_rows();
    const char* rows = "never";
    if (demands.keeping == Keeping::if_learned_from && session.plan(i).keeps())
      rows = "if needed";
    else if (demands.keeping == Keeping::always && node.outline->test_rows > 0)
      rows = "always";
    nodes.push_back({{"name", node.name()},
                     {"component", node.spec->component.id},
                     {"key", node.key},
                     {"state", demands.learned != Learned::nothing && !idle},
                     {"rows", rows},
                     {"from", feeding(node)}});
  }
  return nodes;
}

}  // namespace semblance
