// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
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
#include "support/heartbeat.hpp"

namespace semblance {

/// What workers must have in common.
struct SharedIdentity {
  std::string kind;  ///< "study" or "pipeline"
  std::string name;
  std::string hash;  ///< of everything that is to be computed, apart from the content of data
  nlohmann::ordered_json call;  ///< how to start another worker: see cli/joining.hpp
};

/// The same of a folder that need not exist; none are there then.
std::vector<LeaseRecord> living_workers(const WorkFolder& folder);

/// Of the workers' leases those that live, as far as one can know.
std::vector<LeaseRecord> living_workers(std::vector<LeaseRecord> leases);

/// Throws Error where a worker on another kind of processor is at it, or has computed some of it.
void demand_same_processor(const WorkFolder& folder);

/// A study, or a pipeline, on which several processes work, on any number of machines, as one of
/// them sees it. They meet in its output folder and share a store. Nothing in the folder decides
/// what is right: that is in the store, and what is lost here costs time. All members may be called
/// from any thread, and throw Error where the folder cannot be used.
class SharedRun {
 public:
  /// Joins. Where the folder holds another state of it, say before the study gained an alternative,
  /// this is the state from now on. Throws Error where the folder holds something else, where
  /// workers are still at another state, or where it was cancelled. With `retry`, what has failed
  /// is tried again.
  SharedRun(const std::filesystem::path& out, const std::filesystem::path& store,
            SharedIdentity identity, bool retry);
  ~SharedRun();
  /// Prepares the folder for workers that others will start; one that was cancelled goes on.
  static void announce(const std::filesystem::path& out, const SharedIdentity& identity,
                       bool retry);
  SharedRun(const SharedRun&) = delete;
  SharedRun& operator=(const SharedRun&) = delete;

  /// Of this worker alone: its log.
  const std::filesystem::path& own_folder() const noexcept { return own_; }
  const WorkFolder& folder() const noexcept { return folder_; }

  /// Set when the study is cancelled; looked after every second.
  const std::atomic<bool>& cancelled() const noexcept { return cancelled_; }

  /// Who has the lease of an artifact's key computes it.
  std::unique_ptr<Lease> take(const std::string& key, const std::string& node);

  /// Tells what the graph of this part is. Throws Error with the first node that another worker
  /// identifies otherwise: its data or its plugins differ.
  void enter(const std::string& part, const nlohmann::ordered_json& graph);

  void note_failure(const std::string& key, const std::string& node, const std::string& message);
  /// What has failed so far, by key: what it said.
  std::map<std::string, std::string> failures() const;

  /// @name What this worker does, for people to read
  /// @{
  void begins(const std::string& node);
  void has_done(const std::string& component, double seconds);
  void waits();
  /// It ends before the work is done, and why.
  void gives_up(const std::string& why);
  /// @}

  /// @name The results of a part, which one worker writes
  /// @{

  /// Waits until they are written (nothing) or it is on this worker to write them. Throws Cancelled
  /// when `stopping` says so.
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
  Leases leases_;   ///< of artifacts: for all who use the store
  Leases workers_;  ///< of this study's workers, and of its results
  std::unique_ptr<Lease> presence_;
  std::atomic<bool> cancelled_ = false;
  mutable std::mutex mutex_;
  nlohmann::ordered_json record_;  ///< what worker.json says
  bool changed_ = true;            ///< since it was written
  std::unique_ptr<Heartbeat> watch_;
};

}  // namespace semblance
