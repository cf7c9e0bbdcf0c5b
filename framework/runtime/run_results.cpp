// SPDX-License-Identifier: MIT
#include "runtime/run_results.hpp"

#include "runtime/predictions.hpp"
#include "runtime/row_content.hpp"

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

void make_output_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure)
    throw Error("cannot create the output folder '" + folder.string() + "': " + failure.message() +
                "; choose another with --out DIR");
}

void complete_record(Session& session) {
  session.record.nodes.clear();
  for (std::size_t i = 0; i < session.size(); ++i) {
    NodeRun& run = *session.runs[i];
    if (session.node(i).is_solver() && run.rows_ready && !run.record.rows)
      run.record.rows = rows_of_solver(session, i);
    session.record.nodes.push_back(run.record);
  }
  session.record.peak_memory_bytes = peak_memory();
  session.record.wall_seconds = session.elapsed();
}

void write_scores(const Session& session, std::size_t solver, const std::filesystem::path& folder,
                  const std::string& name) {
  const auto& run = *session.runs[solver];
  if (!run.rows_ready) return;
  if (session.node(solver).kind == NodeKind::pair_solver)
    write_pair_predictions(folder, name, run.test_pairs, run.rows->view(0, run.rows->rows()),
                           run.tags);
  else
    write_predictions(folder, name, run.rows->view(0, run.rows->rows()), run.test_labels,
                      session.node(solver).outline->classes, run.tags);
}

}  // namespace semblance
