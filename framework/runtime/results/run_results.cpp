// SPDX-License-Identifier: MIT
#include "runtime/results/run_results.hpp"

#include "runtime/graph/scoring_node.hpp"
#include "runtime/results/others_warnings.hpp"
#include "runtime/results/rank_shares.hpp"
#include "runtime/stages/row_content.hpp"

namespace semblance {

void complete_record(RunProgress& progress, RunData& data) {
  RunRecord& record = progress.journal().record();
  record.nodes.clear();
  for (std::size_t i = 0; i < progress.size(); ++i) {
    NodeRun& run = progress.run(i);
    if (progress.facts(i).spec->held_out) continue;
    if (progress.ranks().together() && progress.node(i).scoring() &&
        !progress.ranks().from_first(run.has_rows() && !run.record.rows ? "yes" : "").empty())
      share_row_content(progress, data, i);
    if (progress.node(i).scoring() && run.has_rows() && !run.record.rows &&
        progress.ranks().first())
      run.record.rows = rows_of_solver(progress, data, i);
    if (ScoringNode* solver = progress.node(i).scoring()) {
      run.record.samples = solver->samples;
      if (progress.ranks().first()) solver->complete(progress);
    }
    record.nodes.push_back(run.record);
  }
  log_others_warnings(progress.journal(), progress.ranks());
  record.ranks = log_rank_traffic(progress.ranks(), progress.journal());
  record.peak_memory_bytes = peak_memory();
  record.wall_seconds = progress.journal().elapsed();
}

void write_scores(const RunProgress& progress, std::size_t solver,
                  const std::filesystem::path& folder, const std::string& name) {
  if (progress.run(solver).has_rows())
    progress.node(solver).scoring()->write_scores(progress, folder, name);
}

}  // namespace semblance
