// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "runtime/session/run_data.hpp"

namespace semblance {

std::vector<std::vector<std::size_t>> sharing_groups(const Compilation& graph) {
  std::map<std::string, std::vector<std::size_t>> by_work;
  for (std::size_t i = 0; i < graph.size(); ++i)
    if (const std::string& work = graph.facts(i).shared_work; !work.empty())
      by_work[work].push_back(i);
  std::vector<std::vector<std::size_t>> groups;
  for (auto& [work, nodes] : by_work)
    if (nodes.size() > 1) groups.push_back(std::move(nodes));
  std::ranges::sort(groups);
  return groups;
}

void SharedTrainings::find_groups() {
  if (!order_.empty()) return;
  const Compilation& graph = progress_.graph();
  std::vector<std::size_t> first(graph.size());
  std::iota(first.begin(), first.end(), std::size_t{0});
  order_ = first;
  for (auto& nodes : sharing_groups(graph)) {
    for (const std::size_t node : nodes) first[node] = nodes.front();
    groups_.try_emplace(graph.facts(nodes.front()).shared_work).first->second.nodes =
        std::move(nodes);
  }
  std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return first[i]; });
}

const std::vector<std::size_t>& SharedTrainings::order() {
  const std::lock_guard lock(mutex_);
  find_groups();
  return order_;
}

SharedTrainings::Group* SharedTrainings::group_of(std::size_t i) {
  find_groups();
  const auto found = groups_.find(progress_.facts(i).shared_work);
  return found == groups_.end() ? nullptr : &found->second;
}

std::shared_ptr<SharedWork> SharedTrainings::of(std::size_t i, std::size_t rows) {
  const std::lock_guard lock(mutex_);
  Group* const group = group_of(i);
  // A node that was short of memory has all of it.
  if (!group || progress_.run(i).beside != Beside::others) return nullptr;
  if (group->work) return group->work;
  const bool alone = std::ranges::none_of(
      group->nodes, [&](std::size_t other) { return other != i && awaited(other); });
  if (alone) return nullptr;
  const auto* solver = dynamic_cast<const SharesWork*>(progress_.node(i).parts.front().get());
  const RunServices& services = progress_.services();
  const std::size_t at_once = std::min(services.threads, services.sharers);
  group->work =
      solver->make_shared_work(rows, memory_.free() / 2 / std::max<std::size_t>(at_once, 1));
  if (!group->work) return nullptr;
  group->memory = memory_.take(group->work->bytes());
  return group->work;
}

void SharedTrainings::learned(std::size_t i) {
  const std::lock_guard lock(mutex_);
  learned_.insert(i);
  Group* const group = group_of(i);
  if (group && std::ranges::none_of(group->nodes, [&](std::size_t n) { return awaited(n); }))
    group->release();
}

void SharedTrainings::release_unneeded() {
  const std::lock_guard lock(mutex_);
  for (auto& [key, group] : groups_)
    if (group.work && std::ranges::none_of(group.nodes, [&](std::size_t n) {
          return awaited(n) && progress_.run(n).life == Life::waiting;
        }))
      group.release();
}

void SharedTrainings::release() {
  const std::lock_guard lock(mutex_);
  for (auto& [key, group] : groups_) group.release();
}

}  // namespace semblance
