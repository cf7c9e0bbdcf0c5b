// SPDX-License-Identifier: MIT
#include "runtime/stages/learning.hpp"

#include <algorithm>

#include "report/metrics.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/stages/learning_together.hpp"

namespace semblance {
namespace {

void store_state(Session& session, std::size_t i) {
  const Node& node = session.node(i);
  auto draft = session.store()->draft(state_key(node.facts()));
  if (node.facts().has_state()) node.save(draft->folder());
  node.save_results(session, draft->folder());
  auto note = report_to_json(session.run(i).record);
  note["measured"] = measured_json(session.journal().measured_now());
  draft->commit(note);
}

/// While it lives, a node that learns may save its progress.
class ProgressKept {
 public:
  ProgressKept(Session& session, std::size_t i) : run_(session.run(i)) {
    const double seconds = session.options().checkpoint;
    if (!session.store() || seconds == 0) return;
    run_.checkpoint = std::make_unique<NodeCheckpoint>(
        session.store()->kept(), state_key(session.facts(i)), seconds,
        [&session, name = session.facts(i).name()](LogLevel level, const std::string& line) {
          session.journal().log(level, name + ": " + line);
        },
        [&session, i] { session.check_files(i); });
  }
  ~ProgressKept() { run_.checkpoint.reset(); }
  ProgressKept(const ProgressKept&) = delete;
  ProgressKept& operator=(const ProgressKept&) = delete;

  void forget() const noexcept {
    if (run_.checkpoint) run_.checkpoint->forget();
  }

 private:
  NodeRun& run_;
};

}  // namespace

bool can_stream(const Session& session, std::size_t i) {
  if (session.run(i).has_rows()) return true;
  if (!session.run(i).ready()) return false;
  return std::ranges::all_of(session.facts(i).inputs,
                             [&](std::size_t in) { return can_stream(session, in); });
}

bool can_visit(const Session& session, std::size_t i) {
  if (session.plan(i).keeps()) return session.run(i).has_rows();
  if (!session.run(i).ready()) return false;
  return std::ranges::all_of(session.facts(i).inputs,
                             [&](std::size_t in) { return can_visit(session, in); });
}

void learn(Session& session, std::size_t i) {
  Node& node = session.node(i);
  if (node.settled_by_cross_validation(session)) return session.judged_before(i);
  session.started(i);
  // Opened here, so that the time for reading it counts as the source's.
  if (node.opens_data(session)) session.dataset(i);
  const auto start = Trace::Clock::now();
  const ProgressKept progress(session, i);
  session.learning(i);
  NodeRecord before = session.run(i).record;
  try {
    session.guard(i, node.phase(), [&] {
      if (session.ranks().together())
        learn_together(session, i);
      else
        node.learn(session);
    });
    session.check_files(i);
  } catch (...) {  // it may be tried again
    session.run(i).record = std::move(before);
    throw;
  }
  session.ranks().meet();
  session.learning(std::nullopt);
  const auto end = Trace::Clock::now();
  Trace& trace = session.journal().trace();
  trace.record(trace.label(node.name(), node.phase()), Trace::no_row, start, end);
  session.run(i).busy_nanoseconds += std::chrono::nanoseconds(end - start).count();
  session.ready(i);
  // A stopped solver has its best model so far: good to save, not to be reused later.
  if (session.store() && session.ranks().first() && !session.stopping()) {
    session.guard(i, "storing its learned state", [&] { store_state(session, i); });
    progress.forget();
  }
}

void restore(Session& session, std::size_t i) {
  Measured made;
  session.guard(i, "reading its learned state from the store", [&] {
    Node& node = session.node(i);
    const auto artifact = session.store()->open(state_key(node.facts()));
    NodeRecord& record = session.run(i).record;
    report_from_json(artifact.note, record);
    made = measured_from_json(artifact.note.at("measured"));
    record.measured = made;
    session.run(i).learned_on = made.processor;
    if (node.needs_state(session)) node.load(session, artifact.folder);
    node.load_results(session, artifact.folder);
    session.ready(i);
  });
  // A refusal because of where it was made is not a failure of the node.
  session.journal().taken_from_store(session.facts(i).name(), made);
}

void restore_rows(Session& session, std::size_t i) {
  Measured made;
  session.guard(i, "reading its rows from the store", [&] {
    Node& node = session.node(i);
    NodeRun& run = session.run(i);
    const auto artifact = session.store()->open(rows_key(node.facts()));
    const RowSpan span = wanted_rows(node.facts(), session.plan(i));
    // With several ranks, the first has all scores, and each rank its own of all other rows.
    auto own = session.own_rows(i, span);
    if (node.scoring() && session.ranks().first()) own.reset();
    const auto kind = node.facts().output.kind == LayoutKind::sparse ? KeptRows::Kind::sparse
                      : node.facts().output.ragged()                 ? KeptRows::Kind::ragged
                                                                     : KeptRows::Kind::equal;
    run.rows = KeptRows::open(
        artifact.folder, span.count, node.facts().output.size(), kind,
        [&](std::size_t bytes) { return session.memory().room(bytes); }, std::move(own));
    if (ScoringNode* solver = node.scoring()) solver->load_labels(artifact.folder / "labels");
    made = measured_from_json(artifact.note.at("measured"));
    run.rows_life = RowsLife::there;
    run.record.bytes = run.rows->bytes_here();
  });
  session.journal().taken_from_store(session.facts(i).name(), made);
}

}  // namespace semblance
