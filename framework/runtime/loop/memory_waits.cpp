// SPDX-License-Identifier: MIT
#include "runtime/loop/memory_waits.hpp"

namespace semblance {

bool was_short_of_memory(const Ranks& ranks, const NodeError& failure) {
  return failure.cause() == NodeError::Cause::memory && !ranks.together();
}

bool put_off(RunProgress& progress, const NodeError& failure) {
  NodeRun& run = progress.run(failure.node());
  if (run.beside != Beside::others || run.failed() ||
      !was_short_of_memory(progress.ranks(), failure))
    return false;
  run.beside = Beside::nothing;
  progress.node(failure.node()).drop_rows();
  progress.journal().log(
      LogLevel::info,
      "it is tried again, alone, when nothing else is left to do: " + std::string(failure.what()));
  return true;
}

std::vector<char> waiting_nodes(const RunProgress& progress) {
  std::vector<char> waits(progress.size(), 0);
  for (std::size_t i = 0; i < progress.size(); ++i) {
    if (progress.run(i).beside == Beside::nothing && !progress.run(i).failed()) waits[i] = 1;
    if (waits[i] != 0)
      for (const std::size_t consumer : progress.facts(i).consumers) waits[consumer] = 1;
  }
  return waits;
}

std::size_t try_one_alone(RunProgress& progress, RunData& data) {
  for (std::size_t i = 0; i < progress.size(); ++i) {
    NodeRun& run = progress.run(i);
    if (run.beside != Beside::nothing || run.failed()) continue;
    run.beside = Beside::tried;
    data.take_least_memory(true);
    free_memory(progress, data);
    return i;
  }
  data.take_least_memory(false);
  return progress.size();
}

void free_memory(RunProgress& progress, RunData& data) {
  data.shared_trainings().release();
  for (std::size_t i = 0; i < progress.size(); ++i)
    if (progress.run(i).has_rows() && progress.run(i).rows)
      data.memory().spill(*progress.run(i).rows);
  data.close_all_data();
}

}  // namespace semblance
