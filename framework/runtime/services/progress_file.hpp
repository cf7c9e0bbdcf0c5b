// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "report/run_record.hpp"
#include "report/trace.hpp"
#include "support/files/heartbeat.hpp"

namespace semblance {

/// The file progress.json in a run's folder while the run goes on, for programs that follow it:
/// {"pipeline", "seed", "command", "version", "started", "owner": ProcessIdentity, "host", "pid",
/// "elapsed": seconds, "nodes": how many, "finished": how many, "threads": [{"thread", "node": in
/// words, "phase", "seconds": for which it has worked on this, "done", "total"}], "figures": {NODE:
/// {FIGURE: value}} of the evaluators that are done, "units": their units}. It is written once a
/// second, also where nothing changes: one that has been silent for long is what a killed run has
/// left. Removed when destroyed. No member throws: a run does not fail because nobody can follow
/// it. Thread-safe.
class ProgressFile {
 public:
  /// `record` is what is known of the run when it begins; `nodes` is how many it has; `trace` knows
  /// what threads do, and `words` what to call some nodes. The last two must outlive the object.
  ProgressFile(const std::filesystem::path& folder, const RunRecord& record, std::size_t nodes,
               const Trace& trace, const std::map<std::string, std::string>& words);
  ~ProgressFile();
  ProgressFile(const ProgressFile&) = delete;
  ProgressFile& operator=(const ProgressFile&) = delete;

  void node_started(const std::string& node);
  void node_progress(const std::string& node, double done, double total);
  void node_finished(const NodeRecord& node);
  /// A node that had nothing to do.
  void node_settled(const std::string& node);

  static std::filesystem::path file_in(const std::filesystem::path& folder);

 private:
  using Clock = std::chrono::steady_clock;
  struct Share {
    double done = 0, total = 0;
  };

  void write() noexcept;
  std::string content();

  std::filesystem::path file_;
  std::mutex mutex_;
  nlohmann::ordered_json head_;
  const Trace& trace_;
  const std::map<std::string, std::string>& words_;
  std::map<std::string, Share> running_;
  nlohmann::ordered_json figures_ = nlohmann::ordered_json::object();
  nlohmann::ordered_json units_ = nlohmann::ordered_json::object();
  std::size_t finished_ = 0;
  Clock::time_point begin_ = Clock::now();
  std::unique_ptr<Heartbeat> heartbeat_;  ///< uses the members above
};

}  // namespace semblance
