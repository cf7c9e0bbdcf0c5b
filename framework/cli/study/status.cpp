// SPDX-License-Identifier: MIT
#include "cli/study/status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "runtime/store/artifact_store.hpp"
#include "runtime/workers/shared_run.hpp"
#include "semblance/error.hpp"
#include "support/json_text.hpp"
#include "support/number_text.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A graph as a worker has described it, and which parts of it are stored.
class PartReading {
 public:
  PartReading(const Json& part, const ArtifactStore& store, const std::set<std::string>& failed,
              const std::set<std::string>& running)
      : nodes_(part.at("nodes")), store_(store), failed_keys_(failed), running_keys_(running) {
    find_failed();
    find_done();
  }

  /// The nodes are those of the pipelines, as `ablate` counts them; one that only streams is done
  /// with all that it feeds.
  PartStatus status(const Json& part) const {
    PartStatus status;
    status.name = part.value("part", "");
    std::vector<char> awaited(nodes_.size(), 0);
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      const bool open = !failed_[i] && (counts(i) ? !done_[i] : awaited[i] != 0);
      if (open)
        for (const Json& from : nodes_[i].at("from")) awaited.at(from.get<std::size_t>()) = 1;
      if (!nodes_[i].value("held_out", false)) {
        ++status.nodes;
        status.done += !open && !failed_[i];
        status.failed += failed_[i];
      }
      if (!counts(i)) continue;
      status.running += is_running(i);
      if (open) ++status.left[nodes_[i].value("component", "")];
    }
    for (const Json& variant : part.at("variants")) add_variant(variant, status);
    return status;
  }

  /// How many variants use the node.
  static std::size_t users(const Json& part, std::size_t node) {
    return static_cast<std::size_t>(
        std::ranges::count_if(part.at("variants"), [&](const Json& variant) {
          const Json& own = variant.at("nodes");
          return std::ranges::find(own, Json(node)) != own.end();
        }));
  }

 private:
  std::string key(std::size_t i, const char* ending) const {
    return nodes_[i].value("key", "") + ending;
  }
  bool has_state(std::size_t i) const { return nodes_[i].value("state", false); }
  RowsKept rows(std::size_t i) const { return nodes_[i].value("rows", RowsKept::never); }
  /// Nodes that only stream are not separate work.
  bool counts(std::size_t i) const { return has_state(i) || rows(i) != RowsKept::never; }
  bool is_running(std::size_t i) const {
    return running_keys_.contains(key(i, ".state")) || running_keys_.contains(key(i, ".rows"));
  }

  void find_failed() {
    failed_.assign(nodes_.size(), 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (failed_keys_.contains(nodes_[i].value("key", ""))) failed_[i] = 1;
      for (const Json& from : nodes_[i].at("from"))
        if (failed_.at(from.get<std::size_t>())) failed_[i] = 1;
    }
  }

  /// From the results back to the sources: rows that are retained for other nodes are not needed
  /// once those are done.
  void find_done() {
    done_.assign(nodes_.size(), 0);
    std::vector<char> wanted(nodes_.size(), 0);
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      const bool state = !has_state(i) || store_.contains(key(i, ".state"));
      const bool always = rows(i) == RowsKept::always;
      const bool kept = !(always || (rows(i) == RowsKept::if_needed && wanted[i])) ||
                        store_.contains(key(i, ".rows"));
      done_[i] = !failed_[i] && state && kept ? 1 : 0;
      if (!done_[i] && !failed_[i])
        for (const Json& from : nodes_[i].at("from")) wanted.at(from.get<std::size_t>()) = 1;
      // A streaming node passes demands on to its inputs.
      if (wanted[i] && rows(i) == RowsKept::never && !has_state(i))
        for (const Json& from : nodes_[i].at("from")) wanted.at(from.get<std::size_t>()) = 1;
    }
  }

  void add_variant(const Json& variant, PartStatus& status) const {
    ++status.variants;
    bool finished = true, failing = variant.contains("error");
    for (const Json& node : variant.at("nodes")) {
      const auto i = node.get<std::size_t>();
      finished = finished && (!counts(i) || done_.at(i));
      failing = failing || failed_.at(i);
    }
    status.finished += finished && !failing;
    status.failing += failing;
  }

  const Json& nodes_;
  const ArtifactStore& store_;
  const std::set<std::string>& failed_keys_;
  const std::set<std::string>& running_keys_;
  std::vector<char> failed_, done_;
};

/// The mean seconds of a node, by component, over all workers.
std::map<std::string, double> measured(const WorkFolder& folder) {
  std::map<std::string, std::pair<double, double>> sums;
  for (const Json& worker : folder.workers()) {
    const Json done = worker.value("done", Json::object());
    for (const auto& [component, sum] : done.items()) {
      sums[component].first += sum.value("seconds", 0.0);
      sums[component].second += sum.value("count", 0.0);
    }
  }
  std::map<std::string, double> means;
  for (const auto& [component, sum] : sums)
    if (sum.second > 0) means[component] = sum.first / sum.second;
  return means;
}

std::optional<double> time_left(const StudyStatus& status,
                                const std::map<std::string, double>& means) {
  double seconds = 0;
  for (const PartStatus& part : status.parts)
    for (const auto& [component, count] : part.left) {
      const auto mean = means.find(component);
      if (mean == means.end()) return std::nullopt;
      seconds += mean->second * static_cast<double>(count);
    }
  return seconds / static_cast<double>(std::max<std::size_t>(1, status.workers));
}

/// Each failed node once, with the variants that fail with it.
std::vector<FailureStatus> failures_of(const WorkFolder& folder, const std::vector<Json>& parts) {
  std::vector<FailureStatus> all;
  for (const Json& failure : folder.failures()) {
    FailureStatus status{failure.value("node", ""), failure.value("message", ""),
                         failure.value("worker", ""), failure.value("at", ""), 0};
    bool known = false;
    for (const Json& part : parts)
      for (std::size_t i = 0; i < part.at("nodes").size(); ++i)
        if (part.at("nodes")[i].value("key", "") == failure.value("key", "")) {
          known = true;
          status.variants += PartReading::users(part, i);
        }
    // Failures in a former state of the study are omitted.
    if (known) all.push_back(std::move(status));
  }
  return all;
}

/// Workers that have reported why they ended.
std::vector<EndedWorkers> ended_workers(const WorkFolder& folder) {
  std::vector<EndedWorkers> all;
  for (const Json& worker : folder.workers()) {
    if (!worker.contains("error")) continue;
    const std::string message = one_line(worker.value("error", ""));
    const auto same = std::ranges::find(all, message, &EndedWorkers::message);
    if (same == all.end())
      all.push_back({message, worker.value("id", ""), 1});
    else
      ++same->count;
  }
  return all;
}

/// Prints why work has stopped, as far as that is known.
void print_ended(const StudyStatus& status) {
  for (const EndedWorkers& ended : status.ended)
    fmt::print("ended: {} ({}{})\n", ended.message, ended.where,
               ended.count == 1 ? "" : fmt::format(" and {} more", ended.count - 1));
}

std::string host_text(const LeaseRecord& lease) {
  return fmt::format("{} ({})", lease.host, lease.pid);
}

}  // namespace

bool StudyStatus::complete() const {
  return !parts.empty() &&
         std::ranges::all_of(parts, [](const PartStatus& part) { return part.left.empty(); });
}

StudyStatus study_status(const WorkFolder& folder) {
  const Json study = WorkFolder::read(folder.study_file());
  if (!study.is_object())
    throw Error("no worker has started in '" + folder.out().string() +
                "' yet; start some with semblance ablate STUDY --join FOLDER");
  StudyStatus status;
  status.kind = study.value("kind", "study");
  status.name = study.value("name", "");
  status.began = study.value("began", "");
  const fs::path place = study.at("call").at("store").get<std::string>();
  const ArtifactStore store(place);
  std::set<std::string> failed, running, own;
  for (const Json& failure : folder.failures()) failed.insert(failure.value("key", ""));
  const auto parts = folder.parts();
  for (const Json& part : parts)
    for (const Json& node : part.at("nodes"))
      for (const char* ending : {".state", ".rows"}) own.insert(node.value("key", "") + ending);
  for (LeaseRecord& lease : Leases(place / "leases").all())
    if (!lease.lost && own.contains(lease.key)) {
      running.insert(lease.key);
      status.running.push_back(std::move(lease));
    }
  for (const Json& part : parts) {
    status.parts.push_back(PartReading(part, store, failed, running).status(part));
    const Json done = WorkFolder::read(folder.done_file(status.parts.back().name));
    status.parts.back().written =
        done.is_object() && done.value("hash", "") == study.value("hash", "");
  }
  status.failures = failures_of(folder, parts);
  status.workers = living_workers(folder).size();
  if (!status.complete()) status.ended = ended_workers(folder);
  status.seconds_left = time_left(status, measured(folder));
  return status;
}

Json status_json(const StudyStatus& status) {
  Json parts = Json::array(), running = Json::array(), failures = Json::array();
  Json ended = Json::array();
  for (const EndedWorkers& one : status.ended)
    ended.push_back({{"message", one.message}, {"where", one.where}, {"count", one.count}});
  for (const PartStatus& part : status.parts)
    parts.push_back({{"part", part.name},
                     {"nodes", part.nodes},
                     {"done", part.done},
                     {"failed", part.failed},
                     {"running", part.running},
                     {"variants", part.variants},
                     {"variants_finished", part.finished},
                     {"variants_failed", part.failing},
                     {"results_written", part.written}});
  for (const LeaseRecord& lease : status.running)
    running.push_back({{"node", lease.what},
                       {"host", lease.host},
                       {"pid", lease.pid},
                       {"since", lease.since},
                       {"seconds", lease.seconds},
                       {"silent_seconds", lease.silent_seconds}});
  for (const FailureStatus& failure : status.failures)
    failures.push_back({{"node", failure.node},
                        {"message", failure.message},
                        {"worker", failure.worker},
                        {"at", failure.at},
                        {"variants", failure.variants}});
  Json json = {{"kind", status.kind},           {"name", status.name},
               {"began", status.began},         {"complete", status.complete()},
               {"workers", status.workers},     {"parts", std::move(parts)},
               {"running", std::move(running)}, {"failures", std::move(failures)},
               {"ended", std::move(ended)}};
  json["seconds_left"] = status.seconds_left ? Json(*status.seconds_left) : Json();
  return json;
}

void print_status(const StudyStatus& status, const WorkFolder& folder) {
  fmt::print("{} '{}' in {}, begun {}\n", status.kind, status.name, folder.out().string(),
             status.began);
  for (const PartStatus& part : status.parts) {
    fmt::print("{}: {} of {} nodes done", part.name, part.done, part.nodes);
    if (part.running > 0) fmt::print(", {} running", part.running);
    if (part.failed > 0) fmt::print(", {} failed", part.failed);
    if (part.variants > 0)
      fmt::print("; {} of {} variants finished{}", part.finished, part.variants,
                 part.failing > 0 ? fmt::format(", {} failed", part.failing) : "");
    fmt::print("{}\n", part.written ? "; results written" : "");
  }
  if (status.parts.empty())
    fmt::print("{}\n",
               status.ended.empty() ? "no worker has begun yet" : "no worker has managed to begin");
  fmt::print("workers: {}\n", status.workers);
  for (const LeaseRecord& lease : status.running)
    fmt::print("running: {} on {} for {}\n", lease.what, host_text(lease),
               seconds_text(lease.seconds + lease.silent_seconds));
  for (const FailureStatus& failure : status.failures)
    fmt::print("failed: {}{}\n", failure.message,
               failure.variants > 0 ? fmt::format(" (in {} variant{})", failure.variants,
                                                  failure.variants == 1 ? "" : "s")
                                    : "");
  print_ended(status);
  if (status.complete() || status.parts.empty()) return;
  if (status.seconds_left)
    fmt::print("about {} left for {} worker{}\n", seconds_text(*status.seconds_left),
               std::max<std::size_t>(1, status.workers), status.workers > 1 ? "s" : "");
  else
    fmt::print("the time left is not known yet\n");
}

}  // namespace semblance::cli
