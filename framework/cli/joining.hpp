// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/verb.hpp"
#include "runtime/services/run_options.hpp"
#include "runtime/workers/shared_run.hpp"

namespace semblance::cli {

/// The options of verbs on which several processes can work: --join, --on, --jobs, --slurm,
/// --retry-failed.
void add_joining_options(options::options_description& described);

/// How a run is shared, from its options.
struct Joining {
  std::filesystem::path folder;  ///< of the results; where the workers meet
  std::filesystem::path store;
  bool submits = false;  ///< to Slurm: `jobs` workers, with Slurm's options as they were given
  int jobs = 0;
  std::string slurm;
  std::vector<std::string> resources;  ///< --threads and --memory of each, where they were given
  bool retries = false;
  bool collects = false;  ///< only what is there already
};

/// Nothing without --join and --on. Refuses options that make no sense for one worker of several:
/// throws UsageError. Sets what a worker's options have to be.
std::optional<Joining> joining(const options::variables_map& values, RunOptions& settings);

/// The arguments of the program that start one more worker, from any folder: absolute paths, and
/// only options that all workers have in common.
std::vector<std::string> worker_arguments(const std::string& verb, const std::string& file,
                                          const options::variables_map& values, const Joining& how);

/// A process's part in a shared run.
class Worker {
 public:
  /// Joins, or prepares `settings` for collecting. `identity` is the hash of what is computed.
  Worker(const Joining& how, const SharedIdentity& identity, RunOptions& settings);

  /// Whether others are at it too.
  bool shares() const noexcept { return shared_ != nullptr; }

  /// Does the work; what ends it is for others to read as well.
  template <class Work>
  auto run(Work&& work) {
    try {
      return work();
    } catch (const std::exception& problem) {
      if (shared_) shared_->gives_up(problem.what());
      throw;
    }
  }

 private:
  std::unique_ptr<SharedRun> shared_;
};

/// The command that results name: the same whichever worker writes them.
std::string joining_command(const SharedIdentity& identity);

/// Submits workers and says how to look after them.
void submit_workers(const Joining& how, const SharedIdentity& identity);

/// Who else is at it, and where to look, for somebody whose results another worker has written.
void print_written_elsewhere(const SharedIdentity& identity, const Joining& how);

/// What is worked on: `kind` is "study" or "pipeline", `hash` says what is computed.
SharedIdentity shared_identity(const std::string& kind, const std::string& name,
                               const std::string& hash, const std::vector<std::string>& arguments,
                               const Joining& how);

}  // namespace semblance::cli
