// SPDX-License-Identifier: MIT
#include "cli/runs/joining.hpp"

#include <fmt/format.h>

#include "cli/output.hpp"
#include "registry/places.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;

std::string absolute_text(const fs::path& path) { return fs::absolute(path).lexically_normal(); }

void refuse(const options::variables_map& values, const char* option, const char* why) {
  if (values.count(option) && !values[option].defaulted())
    throw UsageError(fmt::format("omit --{}: {}", option, why));
}

/// The folder that both --join and --out may name.
fs::path shared_folder_of(const options::variables_map& values) {
  const std::string join = option_text(values, "join"), out = option_text(values, "out");
  if (!join.empty() && !out.empty() && absolute_text(join) != absolute_text(out))
    throw UsageError("--join FOLDER is where the results go; omit --out, or name the same folder");
  return absolute_text(join);
}

}  // namespace

void add_joining_options(options::options_description& described) {
  described.add_options()("join", takes("FOLDER"),
                          "share the work: every process started like this, on any machine that "
                          "sees FOLDER, is one more worker; the results go there")(
      "retry-failed", "with --join: retry what has failed");
}

std::optional<Joining> joining(const options::variables_map& values, RunOptions& settings) {
  Joining how;
  how.retries = values.count("retry-failed") > 0;
  if (!values.count("join")) {
    if (how.retries) throw UsageError("--retry-failed goes with --join");
    return std::nullopt;
  }
  refuse(values, "no-cache", "what the workers compute is in the store that they share");
  refuse(values, "cache-limit", "workers never trim the store that they share");
  if (values.count("fail-fast"))
    throw UsageError("omit --fail-fast: workers that join a study continue without what failed");
  if (values.count("mpi"))
    throw UsageError(
        "omit --mpi: a worker that joins is one process; ranks share one training, workers share "
        "out the trainings");
  how.folder = shared_folder_of(values);
  const std::string cache = option_text(values, "cache");
  how.store = cache.empty() ? how.folder / "store" : fs::path(absolute_text(cache));
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
  if (settings.same_processor) demand_same_processor(WorkFolder(how.folder));
  shared_ = std::make_unique<SharedRun>(how.folder, how.store, identity, how.retries);
  settings.shared = shared_.get();
}

std::string joining_command(const SharedIdentity& identity) {
  std::string command = called_program();
  for (const auto& argument : identity.call.at("arguments"))
    command += " " + quoted(argument.get<std::string>());
  return command;
}

void print_written_elsewhere(const SharedIdentity& identity, const Joining& how,
                             const RunOptions& settings) {
  if (settings.quiet) return;
  fmt::print("the {} '{}' is complete; report: {}\n", identity.kind, identity.name,
             (how.folder / "report.html").string());
}

SharedIdentity shared_identity(const std::string& kind, const std::string& name,
                               const std::string& hash, const std::vector<std::string>& arguments,
                               const Joining& how) {
  return {kind, name, hash, {{"arguments", arguments}, {"store", how.store.string()}}};
}

}  // namespace semblance::cli
