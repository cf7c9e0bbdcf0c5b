// SPDX-License-Identifier: MIT
#include "runtime/results/run_results.hpp"

#include "runtime/nodes/scoring_node.hpp"
#include "runtime/store/row_content.hpp"

namespace semblance {

std::optional<FileLock> claim_output_folder(const std::filesystem::path& folder) {
  make_output_folder(folder);
  bool taken = false;
  auto lock = FileLock::attempt_existing(folder, &taken);
  if (taken)
    throw Error("another run is writing to '" + folder.string() +
                "'; wait until it ends, or choose another folder with --out DIR");
  return lock;
}

std::optional<FileLock> claim_output_folder(const RunOptions& options) {
  if (!options.shared) return claim_output_folder(options.out);
  make_output_folder(options.out);
  return std::nullopt;
}

void make_output_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure)
    throw Error("cannot create the output folder '" + folder.string() + "': " + failure.message() +
                "; choose another with --out DIR");
}

void complete_record(Session& session) {
  RunRecord& record = session.journal().record();
  record.nodes.clear();
  for (std::size_t i = 0; i < session.size(); ++i) {
    NodeRun& run = session.run(i);
    if (session.node(i).scoring() && run.has_rows() && !run.record.rows)
      run.record.rows = rows_of_solver(session, i);
    if (const ScoringNode* solver = session.node(i).scoring()) run.record.samples = solver->samples;
    record.nodes.push_back(run.record);
  }
  record.peak_memory_bytes = peak_memory();
  record.wall_seconds = session.journal().elapsed();
}

void write_scores(const Session& session, std::size_t solver, const std::filesystem::path& folder,
                  const std::string& name) {
  if (session.run(solver).has_rows())
    session.node(solver).scoring()->write_scores(session, folder, name);
}

}  // namespace semblance
