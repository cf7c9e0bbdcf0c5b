// SPDX-License-Identifier: MIT
#include "runtime/services/progress_file.hpp"

#include <unistd.h>

#include "report/figure_line.hpp"
#include "support/files/atomic_file.hpp"
#include "support/files/process_identity.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::chrono::milliseconds interval{1000};

}  // namespace

std::filesystem::path ProgressFile::file_in(const std::filesystem::path& folder) {
  return folder / "progress.json";
}

ProgressFile::ProgressFile(const std::filesystem::path& folder, const RunRecord& record,
                           std::size_t nodes, const Trace& trace,
                           const std::map<std::string, std::string>& words)
    : file_(file_in(folder)),
      head_({{"pipeline", record.pipeline},
             {"seed", record.seed},
             {"command", record.command},
             {"version", record.version},
             {"started", record.started},
             {"owner", ProcessIdentity::own().text()},
             {"host", host_name()},
             {"pid", ::getpid()},
             {"nodes", nodes}}),
      trace_(trace),
      words_(words) {
  write();
  heartbeat_ = std::make_unique<Heartbeat>(interval, [this] { write(); });
}

ProgressFile::~ProgressFile() {
  heartbeat_.reset();
  std::error_code none;
  std::filesystem::remove(file_, none);
}

void ProgressFile::node_started(const std::string& node) {
  const std::lock_guard lock(mutex_);
  running_.try_emplace(node);
}

void ProgressFile::node_progress(const std::string& node, double done, double total) {
  const std::lock_guard lock(mutex_);
  const auto running = running_.find(node);
  if (running == running_.end()) return;
  running->second = {done, total};
}

void ProgressFile::node_finished(const NodeRecord& node) {
  const std::lock_guard lock(mutex_);
  running_.erase(node.name);
  ++finished_;
  if (node.kind() != "evaluator") return;
  for (const std::string& figure : headline_figures(node)) {
    figures_[node.name][figure] = node.metrics[figure];
    units_[node.name][figure] = name(node.figure(figure).unit);
  }
}

void ProgressFile::node_settled(const std::string& node) {
  const std::lock_guard lock(mutex_);
  running_.erase(node);
  ++finished_;
}

std::string ProgressFile::content() {
  const std::lock_guard lock(mutex_);
  Json json = head_;
  json["elapsed"] = std::chrono::duration<double>(Clock::now() - begin_).count();
  json["finished"] = finished_;
  json["threads"] = Json::array();
  for (const Trace::Work& work : trace_.work()) {
    const auto words = words_.find(work.node);
    const auto share = running_.find(work.node);
    const auto [done, total] = share == running_.end() ? Share() : share->second;
    json["threads"].push_back({{"thread", work.thread},
                               {"node", words == words_.end() ? work.node : words->second},
                               {"phase", work.phase},
                               {"seconds", work.seconds},
                               {"done", done},
                               {"total", total}});
  }
  json["figures"] = figures_;
  json["units"] = units_;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void ProgressFile::write() noexcept {
  try {
    AtomicFile written(file_);
    written.write(content());
    written.commit(false);
  } catch (const std::exception&) {
    // The run goes on; who follows it sees that nothing comes.
  }
}

}  // namespace semblance
