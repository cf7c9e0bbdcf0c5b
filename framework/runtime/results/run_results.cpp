// SPDX-License-Identifier: MIT
#include "runtime/results/run_results.hpp"

#include <cerrno>
#include <chrono>
#include <thread>

#include "runtime/nodes/scoring_node.hpp"
#include "runtime/ranks/others_warnings.hpp"
#include "runtime/ranks/told_ranks.hpp"
#include "runtime/store/row_content.hpp"

namespace semblance {

namespace {

constexpr const char* lease_key = "running";

[[noreturn]] void refuse_folder(const std::filesystem::path& folder, const std::string& who) {
  throw Error("another run is writing to '" + folder.string() + "'" + who +
              "; wait until it ends, or choose another folder with --out DIR");
}

/// Who has the lease, where that is known.
std::optional<LeaseRecord> holder(const Leases& leases) {
  for (const LeaseRecord& record : leases.all())
    if (record.key == lease_key && !record.lost) return record;
  return std::nullopt;
}

}  // namespace

FolderClaim::FolderClaim(const std::filesystem::path& folder, LeaseTimes times) {
  int problem = 0;
  lock_ = FileLock::attempt_existing(folder, &problem);
  if (problem == EWOULDBLOCK) refuse_folder(folder, "");
  leases_ = std::make_unique<Leases>(folder, times);
  const auto take = [&] {
    try {
      return leases_->take(lease_key);
    } catch (const Error& problem) {
      throw Error(std::string(problem.what()) + "; choose another folder with --out DIR");
    }
  };
  // Long enough to see that nothing moves in a lease that is lost.
  const auto until = std::chrono::steady_clock::now() + times.lost_after + times.heartbeat;
  while (!(lease_ = take())) {
    const auto other = holder(*leases_);
    if ((other && other->alive) || std::chrono::steady_clock::now() >= until)
      refuse_folder(
          folder,
          other ? " (process " + std::to_string(other->pid) + " on " + other->host + ")" : "");
    std::this_thread::sleep_for(times.lost_after / 20);
  }
}

std::unique_ptr<FolderClaim> claim_output_folder(const std::filesystem::path& folder) {
  make_output_folder(folder);
  return std::make_unique<FolderClaim>(folder);
}

std::unique_ptr<FolderClaim> claim_output_folder(const RunOptions& options) {
  if (!options.shared) return claim_output_folder(options.out);
  make_output_folder(options.out);
  return nullptr;
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
    if (session.node(i).spec->held_out) continue;
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
