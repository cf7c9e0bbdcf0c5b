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

/// The options of verbs that several processes can share: --join, --retry-failed.
void add_joining_options(options::options_description& described);

/// How to share a run, according to its options.
struct Joining {
  std::filesystem::path folder;  ///< of the results; the workers meet there
  std::filesystem::path store;
  bool retries = false;
};

/// Nothing without --join. Refuses options that make no sense for one of several workers:
/// throws UsageError. Sets the options that a worker requires.
std::optional<Joining> joining(const options::variables_map& values, RunOptions& settings);

/// The arguments of the program that start one more worker, from any folder: absolute paths, and
/// only options that all workers have in common.
std::vector<std::string> worker_arguments(const std::string& verb, const std::string& file,
                                          const options::variables_map& values, const Joining& how);

/// One process's part in a shared run.
class Worker {
 public:
  /// Joins. `identity` has the hash of the computation.
  Worker(const Joining& how, const SharedIdentity& identity, RunOptions& settings);

  /// Does the work; reports a failure to other workers.
  template <class Work>
  auto run(Work&& work) {
    try {
      return work();
    } catch (const std::exception& problem) {
      shared_->gives_up(problem.what());
      throw;
    }
  }

 private:
  std::unique_ptr<SharedRun> shared_;
};

/// The command stored in results: the same, no matter which worker writes them.
std::string joining_command(const SharedIdentity& identity);

/// Prints where the results are, when another worker has written them, unless the run is quiet.
void print_written_elsewhere(const SharedIdentity& identity, const Joining& how,
                             const RunOptions& settings);

/// The identity of the shared work: `kind` is "study" or "pipeline", `hash` identifies the
/// computation.
SharedIdentity shared_identity(const std::string& kind, const std::string& name,
                               const std::string& hash, const std::vector<std::string>& arguments,
                               const Joining& how);

}  // namespace semblance::cli
