// SPDX-License-Identifier: MIT
#include "runtime/stages/memory_waits.hpp"

#include <algorithm>

namespace semblance {

bool was_short_of_memory(const Session& session, const NodeError& failure) {
  return failure.cause() == NodeError::Cause::memory && !session.ranks().together();
}

bool put_off(Session& session, const NodeError& failure) {
  NodeRun& run = session.run(failure.node());
  if (run.beside != Beside::others || run.failed() || !was_short_of_memory(session, failure))
    return false;
  run.beside = Beside::nothing;
  session.node(failure.node()).drop_rows();
  session.journal().log(
      LogLevel::info,
      "it is tried again, alone, when nothing else is left to do: " + std::string(failure.what()));
  return true;
}

std::vector<char> waiting_nodes(const Session& session) {
  std::vector<char> waits(session.size(), 0);
  for (std::size_t i = 0; i < session.size(); ++i) {
    if (session.run(i).beside == Beside::nothing && !session.run(i).failed()) waits[i] = 1;
    if (waits[i] != 0)
      for (const std::size_t consumer : session.facts(i).consumers) waits[consumer] = 1;
  }
  return waits;
}

std::size_t try_one_alone(Session& session) {
  for (std::size_t i = 0; i < session.size(); ++i) {
    NodeRun& run = session.run(i);
    if (run.beside != Beside::nothing || run.failed()) continue;
    run.beside = Beside::tried;
    session.take_least_memory(true);
    free_memory(session);
    return i;
  }
  session.take_least_memory(false);
  return session.size();
}

void free_memory(Session& session) {
  for (std::size_t i = 0; i < session.size(); ++i)
    if (session.run(i).has_rows() && session.run(i).rows)
      session.memory().spill(*session.run(i).rows);
  session.close_all_data();
}

}  // namespace semblance
