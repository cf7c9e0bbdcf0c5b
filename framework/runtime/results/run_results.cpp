// SPDX-License-Identifier: MIT
#include "runtime/results/run_results.hpp"

#include "runtime/graph/scoring_node.hpp"
#include "runtime/results/others_warnings.hpp"
#include "runtime/results/told_ranks.hpp"
#include "runtime/stages/row_content.hpp"

namespace semblance {

void complete_record(Session& session) {
  RunRecord& record = session.journal().record();
  record.nodes.clear();
  for (std::size_t i = 0; i < session.size(); ++i) {
    NodeRun& run = session.run(i);
    if (session.facts(i).spec->held_out) continue;
    if (session.ranks().together() && session.node(i).scoring() &&
        !session.ranks().from_first(run.has_rows() && !run.record.rows ? "yes" : "").empty())
      share_row_content(session, i);
    if (session.node(i).scoring() && run.has_rows() && !run.record.rows && session.ranks().first())
      run.record.rows = rows_of_solver(session, i);
    if (ScoringNode* solver = session.node(i).scoring()) {
      run.record.samples = solver->samples;
      if (session.ranks().first()) solver->complete(session);
    }
    record.nodes.push_back(run.record);
  }
  tell_others_warnings(session);
  record.ranks = tell_traffic(session);
  record.peak_memory_bytes = peak_memory();
  record.wall_seconds = session.journal().elapsed();
}

void write_scores(const Session& session, std::size_t solver, const std::filesystem::path& folder,
                  const std::string& name) {
  if (session.run(solver).has_rows())
    session.node(solver).scoring()->write_scores(session, folder, name);
}

}  // namespace semblance
