// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/store/leases.hpp"
#include "runtime/store/work_folder.hpp"
#include "support/files/heartbeat.hpp"

namespace semblance {

/// The properties that all workers of a run share.
struct SharedIdentity {
  std::string kind;  ///< "study" or "pipeline"
  std::string name;
  std::string hash;             ///< of everything to be computed, except the content of data
  nlohmann::ordered_json call;  ///< how to start another worker: see cli/joining.hpp
};

/// The living workers in a folder that need not exist; empty where it does not.
std::vector<LeaseRecord> living_workers(const WorkFolder& folder);

/// Those of the workers' leases that live, as far as can be known.
std::vector<LeaseRecord> living_workers(std::vector<LeaseRecord> leases);

/// Throws Error where a worker on another kind of processor takes part, or has computed some of it.
void demand_same_processor(const WorkFolder& folder);

/// A study, or a pipeline, on which several processes on any number of machines work, as one of
/// them sees it. They meet in its output folder and share a store. Results depend only on the
/// store, not on the folder: what is lost there costs time. All members may be called from any
/// thread, and throw Error where the folder cannot be used.
class SharedRun {
 public:
  /// Joins. Where the folder holds another state of the work, say from before the study gained an
  /// alternative, replaces it by this state. Throws Error where the folder holds something else,
  /// or where workers are still at another state. With `retry`, failed nodes are tried again.
  SharedRun(const std::filesystem::path& out, const std::filesystem::path& store,
            SharedIdentity identity, bool retry);
  ~SharedRun();
  SharedRun(const SharedRun&) = delete;
  SharedRun& operator=(const SharedRun&) = delete;

  /// The folder of this worker alone, with its log.
  const std::filesystem::path& own_folder() const noexcept { return own_; }
  const WorkFolder& folder() const noexcept { return folder_; }

  /// Takes the lease of an artifact's key: its holder computes the artifact.
  std::unique_ptr<Lease> take(const std::string& key, const std::string& node);

  /// Publishes the graph of this part. Throws Error with the first node that another worker
  /// identifies differently: its data or its plugins differ.
  void enter(const std::string& part, const nlohmann::ordered_json& graph);

  void note_failure(const std::string& key, const std::string& node, const std::string& message);
  /// The failures so far: messages by key.
  std::map<std::string, std::string> failures() const;

  /// @name What this worker does, for people to read
  /// @{
  void begins(const std::string& node);
  void has_done(const std::string& component, double seconds);
  void waits();
  /// Reports that this worker ends before the work is done, and why.
  void gives_up(const std::string& why);
  /// @}

  /// @name The results of a part, which one worker writes
  /// @{

  /// Waits until they are written (nothing) or it is this worker's turn to write them. Throws
  /// Cancelled when `stopping` says so.
  std::unique_ptr<Lease> results_lease(const std::string& part,
                                       const std::function<bool()>& stopping);
  void results_are_written(const std::string& part);
  bool has_results(const std::string& part) const;
  /// @}

 private:
  void look_after() noexcept;
  void says(const std::string& state, const std::string& node);
  void write_record();

  WorkFolder folder_;
  SharedIdentity identity_;
  std::filesystem::path own_;
  Leases leases_;   ///< of artifacts: for all users of the store
  Leases workers_;  ///< of this study's workers, and of its results
  std::unique_ptr<Lease> presence_;
  mutable std::mutex mutex_;
  nlohmann::ordered_json record_;  ///< the content of worker.json
  bool changed_ = true;            ///< since it was written
  std::unique_ptr<Heartbeat> watch_;
};

}  // namespace semblance
