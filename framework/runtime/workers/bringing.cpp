// SPDX-License-Identifier: MIT
#include <functional>
#include <set>

#include "runtime/loop/learning.hpp"
#include "runtime/workers/work_together.hpp"

namespace semblance {
namespace {

class Bringing {
 public:
  explicit Bringing(RunProgress& progress, RunData& data) : progress_(progress), data_(data) {}

  void state(std::size_t i) {
    if (progress_.run(i).ready()) return;
    if (progress_.plan(i).learning == Learning::restore)
      return from_store(state_key(progress_.facts(i)), [&] { restore(progress_, data_, i); });
    for (const std::size_t before : feeding(progress_.facts(i))) state(before);
    learn(progress_, data_, i);
  }

  void rows(std::size_t i) {
    if (!visited_.insert(i).second || progress_.run(i).has_rows()) return;
    if (reads_kept(progress_, i))
      return from_store(rows_key(progress_.facts(i)), [&] { restore_rows(progress_, data_, i); });
    state(i);
    for (const std::size_t in : progress_.facts(i).inputs) rows(in);
  }

  void all_states(std::size_t i) {
    if (!passed_.insert(i).second) return;
    state(i);
    for (const std::size_t in : feeding(progress_.facts(i))) all_states(in);
  }

 private:
  void from_store(const std::string& key, const std::function<void()>& take) {
    std::string problem = "artifact " + key + " is gone";
    const auto tell = [&](const std::string& what) { problem = what; };
    if (!data_.store()->find(key, tell)) throw ArtifactLost(problem);
    try {
      take();
    } catch (const std::exception&) {
      if (!data_.store()->contains(key)) throw ArtifactLost(problem);
      throw;
    }
  }

  RunProgress& progress_;
  RunData& data_;
  std::set<std::size_t> visited_, passed_;
};

}  // namespace

void bring_for(RunProgress& progress, RunData& data, const WorkUnit& unit) {
  Bringing bringing(progress, data);
  const NodeFacts& node = progress.facts(unit.node);
  if (unit.what == WorkUnit::What::rows) {
    bringing.state(unit.node);
    for (const std::size_t in : node.inputs) bringing.rows(in);
    return;
  }
  for (const std::size_t before : feeding(node)) bringing.state(before);
  if (looks_at_rows(node))
    for (const std::size_t in : node.inputs) bringing.rows(in);
  for (const std::size_t fold : node.held_out) bringing.rows(fold);
  if (node.demands.sends_rows)
    for (const std::size_t in : node.inputs) bringing.all_states(in);
}

}  // namespace semblance
