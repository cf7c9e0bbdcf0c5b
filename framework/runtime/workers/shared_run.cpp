// SPDX-License-Identifier: MIT
#include "runtime/workers/shared_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "runtime/results/output_folder.hpp"
#include "runtime/services/processor.hpp"
#include "runtime/services/run_options.hpp"
#include "semblance/error.hpp"
#include "support/files/process_identity.hpp"
#include "support/utc_time.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Workers of other machines count as dead when their lease is silent for longer.
constexpr double longest_silence = 60;
constexpr std::chrono::seconds looking_after{1};

/// Claims the folder for this state of the study, if possible.
void claim(const WorkFolder& folder, const SharedIdentity& identity, bool retry) {
  const Json known = WorkFolder::read(folder.study_file());
  const Json own = {{"kind", identity.kind},
                    {"name", identity.name},
                    {"hash", identity.hash},
                    {"began", utc_now()},
                    {"call", identity.call}};
  if (!known.is_object()) return WorkFolder::write(folder.study_file(), own);
  if (known.value("kind", "") != identity.kind || known.value("name", "") != identity.name)
    throw Error(fmt::format("'{}' is of the {} '{}', not of the {} '{}'; choose another folder",
                            folder.out().string(), known.value("kind", "study"),
                            known.value("name", ""), identity.kind, identity.name));
  if (retry) {
    folder.forget_failures();
    folder.forget_results();
  }
  if (known.value("hash", "") == identity.hash) return;
  const std::size_t others = living_workers(folder).size();
  if (others > 0)
    throw Error(
        fmt::format("{} worker{} still at work on another version of the {} '{}' in '{}': its "
                    "file, options or plugins were different; wait until they have ended, or end "
                    "them: `semblance study status {}` lists them",
                    others, others == 1 ? " is" : "s are", identity.kind, identity.name,
                    folder.out().string(), folder.out().string()));
  folder.forget_parts();
  folder.forget_results();
  WorkFolder::write(folder.study_file(), own);
}

}  // namespace

SharedRun::SharedRun(const fs::path& out, const fs::path& store, SharedIdentity identity,
                     bool retry)
    : folder_(fs::absolute(out)),
      identity_(std::move(identity)),
      leases_(store / "leases"),
      workers_(folder_.leases_folder()) {
  refuse_where_run_writes(folder_.out());
  folder_.make();
  claim(folder_, identity_, retry);
  const std::string id = host_name() + "-" + ProcessIdentity::own().text();
  own_ = folder_.worker_folder(id);
  std::error_code failure;
  fs::create_directories(own_, failure);
  if (failure) throw Error("cannot create '" + own_.string() + "': " + failure.message());
  record_ = {{"id", id},
             {"host", host_name()},
             {"pid", ::getpid()},
             {"processor", processor_kind()},
             {"began", utc_now()},
             {"state", "begins"},
             {"node", ""},
             {"since", utc_now()},
             {"done", Json::object()}};
  presence_ = workers_.take("worker-" + id, identity_.hash);
  write_record();
  watch_ = std::make_unique<Heartbeat>(looking_after, [this] { look_after(); });
}

SharedRun::~SharedRun() {
  watch_.reset();
  try {
    says("ended", "");
    write_record();
  } catch (const std::exception&) {
    // Readers see that its lease is gone.
  }
}

std::vector<LeaseRecord> living_workers(const WorkFolder& folder) {
  std::error_code ignored;
  if (!fs::exists(folder.leases_folder(), ignored)) return {};
  return living_workers(Leases(folder.leases_folder()).all());
}

std::vector<LeaseRecord> living_workers(std::vector<LeaseRecord> leases) {
  std::erase_if(leases, [](const LeaseRecord& lease) {
    return lease.lost || lease.silent_seconds > longest_silence ||
           !lease.key.starts_with("worker-");
  });
  return leases;
}

void demand_same_processor(const WorkFolder& folder) {
  std::set<std::string> living;
  for (const LeaseRecord& lease : living_workers(folder)) living.insert(lease.key);
  for (const Json& worker : folder.workers()) {
    const std::string kind = worker.value("processor", "");
    if (kind.empty() || kind == processor_kind()) continue;
    const bool idle = worker.value("done", Json::object()).empty();
    if (idle && !living.contains("worker-" + worker.value("id", ""))) continue;
    throw Error(fmt::format(
        "the worker on {} has another kind of processor ({}; this one is {}), and "
        "--require-same-cpu refuses that: join from machines of that kind, or work in another "
        "folder with another store",
        worker.value("host", "another machine"), kind, processor_kind()));
  }
}

/// Runs in a separate thread: what fails here is tried again in a second.
void SharedRun::look_after() noexcept {
  try {
    write_record();
  } catch (const std::exception&) {
  }
}

std::unique_ptr<Lease> SharedRun::take(const std::string& key, const std::string& node) {
  return leases_.take(key, node);
}

void SharedRun::enter(const std::string& part, const Json& graph) {
  const fs::path file = folder_.part_file(part);
  const Json known = WorkFolder::read(file);
  if (!known.is_object()) return WorkFolder::write(file, graph);
  const Json &theirs = known.at("nodes"), &ours = graph.at("nodes");
  for (std::size_t i = 0; i < std::max(theirs.size(), ours.size()); ++i) {
    if (i < theirs.size() && i < ours.size() && theirs[i].at("key") == ours[i].at("key")) continue;
    const Json& node = i < ours.size() ? ours[i] : theirs[i];
    throw Error(
        fmt::format("node '{}' is not the same on this machine ({}) as for the workers "
                    "that began '{}': its data or its plugin differ",
                    node.value("name", ""), host_name(), folder_.out().string()));
  }
}

void SharedRun::note_failure(const std::string& key, const std::string& node,
                             const std::string& message) {
  WorkFolder::write(folder_.failure_file(key), {{"key", key},
                                                {"node", node},
                                                {"message", message},
                                                {"worker", record_.value("id", "")},
                                                {"at", utc_now()}});
}

std::map<std::string, std::string> SharedRun::failures() const {
  std::map<std::string, std::string> found;
  for (const Json& failure : folder_.failures())
    found[failure.value("key", "")] = failure.value("message", "");
  return found;
}

void SharedRun::says(const std::string& state, const std::string& node) {
  const std::lock_guard lock(mutex_);
  if (record_["state"] == state && record_["node"] == node) return;
  record_["state"] = state;
  record_["node"] = node;
  record_["since"] = utc_now();
  changed_ = true;
}

void SharedRun::begins(const std::string& node) { says("works", node); }
void SharedRun::waits() { says("waits", ""); }

void SharedRun::gives_up(const std::string& why) {
  const std::lock_guard lock(mutex_);
  record_["error"] = why;
  changed_ = true;
}

void SharedRun::has_done(const std::string& component, double seconds) {
  const std::lock_guard lock(mutex_);
  Json& sum = record_["done"][component];
  if (sum.is_null()) sum = {{"count", 0}, {"seconds", 0.0}};
  sum["count"] = sum["count"].get<std::int64_t>() + 1;
  sum["seconds"] = sum["seconds"].get<double>() + seconds;
  changed_ = true;
}

void SharedRun::write_record() {
  Json record;
  {
    const std::lock_guard lock(mutex_);
    if (!changed_) return;
    changed_ = false;
    record = record_;
  }
  record["peak_memory_bytes"] = peak_memory();
  WorkFolder::write(own_ / "worker.json", record);
}

std::unique_ptr<Lease> SharedRun::results_lease(const std::string& part,
                                                const std::function<bool()>& stopping) {
  constexpr std::chrono::milliseconds longest{1000};
  const auto written = [&] { return has_results(part); };
  waits();
  for (std::chrono::milliseconds pause{20};; pause = std::min(2 * pause, longest)) {
    if (written()) return nullptr;
    if (auto lease = workers_.take("results of " + part, identity_.name)) {
      if (written()) return nullptr;
      begins("the results of " + part);
      return lease;
    }
    if (stopping()) throw Cancelled();
    std::this_thread::sleep_for(pause);
  }
}

bool SharedRun::has_results(const std::string& part) const {
  const Json done = WorkFolder::read(folder_.done_file(part));
  return done.is_object() && done.value("hash", "") == identity_.hash;
}

void SharedRun::results_are_written(const std::string& part) {
  WorkFolder::write(folder_.done_file(part), {{"part", part},
                                              {"hash", identity_.hash},
                                              {"worker", record_.value("id", "")},
                                              {"at", utc_now()}});
}

}  // namespace semblance
