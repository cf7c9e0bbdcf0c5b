// SPDX-License-Identifier: MIT
#include "cli/joining.hpp"

#include <fmt/format.h>

#include "cli/output.hpp"
#include "cli/slurm.hpp"
#include "registry/places.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;

constexpr int most_jobs = 10'000;

std::string absolute_text(const fs::path& path) { return fs::absolute(path).lexically_normal(); }

void refuse(const options::variables_map& values, const char* option, const char* why) {
  if (values.count(option) && !values[option].defaulted())
    throw UsageError(fmt::format("--{} does not go with --join and --on: {}", option, why));
}

/// The folder that both --join and --out may name.
fs::path shared_folder_of(const options::variables_map& values) {
  const std::string join = option_text(values, "join"), out = option_text(values, "out");
  if (values.count("on") && join.empty() && out.empty())
    throw UsageError("--on needs the folder in which the workers meet: --out FOLDER");
  if (!join.empty() && !out.empty() && absolute_text(join) != absolute_text(out))
    throw UsageError("--join FOLDER is where the results go; omit --out, or name the same folder");
  return absolute_text(join.empty() ? out : join);
}

int jobs_option(const options::variables_map& values) {
  if (!values.count("jobs"))
    throw UsageError("--on needs the number of workers to start: --jobs N");
  const int jobs = values["jobs"].as<int>();
  if (jobs < 1 || jobs > most_jobs)
    throw UsageError(fmt::format("--jobs must be between 1 and {}, got {}", most_jobs, jobs));
  return jobs;
}

}  // namespace

void add_joining_options(options::options_description& described) {
  described.add_options()("join", options::value<std::string>()->value_name("FOLDER"),
                          "share the work: every process started like this, on any machine that "
                          "sees FOLDER, is one more worker; the results go there")(
      "on", options::value<std::string>()->value_name("SCHEDULER"),
      "start the workers on a cluster: slurm; needs --jobs and --out")(
      "jobs", options::value<int>()->value_name("N"), "with --on: how many workers")(
      "slurm", options::value<std::string>()->value_name("OPTIONS"),
      "with --on slurm: options of sbatch, such as \"--time=2:00:00 --mem=16G\"")(
      "retry-failed", "with --join or --on: retry what has failed")(
      "collect", "with --join: compute nothing, and write the results of what is finished");
}

std::optional<Joining> joining(const options::variables_map& values, RunOptions& settings) {
  Joining how;
  how.submits = values.count("on") > 0;
  how.collects = values.count("collect") > 0;
  how.retries = values.count("retry-failed") > 0;
  if (!how.submits) {
    for (const char* option : {"jobs", "slurm"})
      if (values.count(option)) throw UsageError(fmt::format("--{} goes with --on slurm", option));
    if (!values.count("join")) {
      if (how.retries) throw UsageError("--retry-failed goes with --join or --on");
      if (how.collects) throw UsageError("--collect goes with --join");
      return std::nullopt;
    }
  } else if (const std::string on = option_text(values, "on"); on != "slurm") {
    throw UsageError("--on must be slurm; got '" + on + "'");
  } else if (how.collects) {
    throw UsageError("--collect goes with --join, not with --on");
  }
  refuse(values, "no-cache", "what the workers compute is in the store that they share");
  refuse(values, "cache-limit", "workers never trim the store that they share");
  if (values.count("fail-fast"))
    throw UsageError(
        "--fail-fast does not go with --join and --on: workers continue without what failed; "
        "`semblance study cancel FOLDER` ends them all");
  if (values.count("mpi"))
    throw UsageError(
        "--mpi does not go with --join and --on: a worker is one process; ranks share one "
        "training, workers share out the trainings");
  how.folder = shared_folder_of(values);
  const std::string cache = option_text(values, "cache");
  how.store = cache.empty() ? how.folder / "store" : fs::path(absolute_text(cache));
  if (how.submits) {
    how.jobs = jobs_option(values);
    how.slurm = option_text(values, "slurm");
    if (values.count("threads"))
      how.resources = {"--threads", std::to_string(values["threads"].as<int>())};
    if (values.count("memory"))
      how.resources.insert(how.resources.end(), {"--memory", option_text(values, "memory")});
    if (values.count("checkpoint") && !values["checkpoint"].defaulted())
      how.resources.insert(how.resources.end(),
                           {"--checkpoint", fmt::format("{}", values["checkpoint"].as<double>())});
    if (!values["device"].defaulted())
      how.resources.insert(how.resources.end(), {"--device", option_text(values, "device")});
  }
  settings.out = how.folder;
  settings.cache = how.store;
  settings.cache_limit = 0;
  return how;
}

std::vector<std::string> worker_arguments(const std::string& verb, const std::string& file,
                                          const options::variables_map& values,
                                          const Joining& how) {
  std::vector<std::string> all = {verb, absolute_text(file), "--join", how.folder.string()};
  const auto add = [&](const char* option, const std::string& value) {
    all.push_back(std::string("--") + option);
    all.push_back(value);
  };
  for (const std::string& edit : option_texts(values, "set")) add("set", edit);
  add("data", absolute_text(data_folder(option_text(values, "data"))));
  if (values.count("seed")) add("seed", std::to_string(values["seed"].as<std::uint64_t>()));
  for (const std::string& path : option_texts(values, "plugin-path"))
    add("plugin-path", absolute_text(path));
  if (values.count("cache")) add("cache", how.store.string());
  if (values.count("require-same-cpu")) all.emplace_back("--require-same-cpu");
  return all;
}

Worker::Worker(const Joining& how, const SharedIdentity& identity, RunOptions& settings) {
  if (how.collects) {
    settings.only_collects = true;
    for (const auto& failure : WorkFolder(how.folder).failures())
      settings.failures[failure.value("key", "")] = failure.value("message", "");
    return;
  }
  if (settings.same_processor) demand_same_processor(WorkFolder(how.folder));
  shared_ = std::make_unique<SharedRun>(how.folder, how.store, identity, how.retries);
  settings.shared = shared_.get();
  settings.cancel = &shared_->cancelled();
}

std::string joining_command(const SharedIdentity& identity) {
  std::string command = called_program();
  for (const auto& argument : identity.call.at("arguments"))
    command += " " + quoted(argument.get<std::string>());
  return command;
}

void submit_workers(const Joining& how, const SharedIdentity& identity) {
  SharedRun::announce(how.folder, identity, how.retries);
  auto arguments = identity.call.at("arguments").get<std::vector<std::string>>();
  arguments.insert(arguments.end(), how.resources.begin(), how.resources.end());
  const std::string job = submit(identity.name, arguments, how);
  const std::string folder = quoted(how.folder.string());
  fmt::print("job {} with {} worker{}; semblance study status {} shows their progress\n", job,
             how.jobs, how.jobs == 1 ? "" : "s", folder);
}

void print_written_elsewhere(const SharedIdentity& identity, const Joining& how) {
  fmt::print("the {} '{}' is complete; report: {}\n", identity.kind, identity.name,
             (how.folder / "report.html").string());
}

SharedIdentity shared_identity(const std::string& kind, const std::string& name,
                               const std::string& hash, const std::vector<std::string>& arguments,
                               const Joining& how) {
  return {kind, name, hash, {{"arguments", arguments}, {"store", how.store.string()}}};
}

}  // namespace semblance::cli
