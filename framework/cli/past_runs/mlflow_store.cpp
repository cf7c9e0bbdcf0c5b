// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "cli/past_runs/past_run.hpp"
#include "pipeline/yaml/problems.hpp"
#include "pipeline/yaml/source_text.hpp"
#include "pipeline/yaml/yaml_tree.hpp"
#include "semblance/error.hpp"
#include "support/files/hash.hpp"
#include "support/safe_text.hpp"
#include "support/utc_time.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;

/// The greatest value of a parameter that MLflow reads.
constexpr std::size_t longest_parameter = 6000;
constexpr std::size_t longest_key = 200;

/// Names of files in one folder, each once, with the characters that MLflow permits in keys.
class Keys {
 public:
  std::string operator()(std::string name) {
    for (char& c : name) {
      const bool permitted = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                             (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' || c == ' ';
      if (!permitted) c = '_';
    }
    if (name.size() > longest_key) name.resize(longest_key);
    // MLflow refuses what may be a path upwards.
    if (name.starts_with("..") || name.find_first_not_of('.') == name.npos) name = "_" + name;
    std::string unique = name;
    for (int n = 2; !used_.insert(unique).second; ++n) unique = fmt::format("{}_{}", name, n);
    return unique;
  }

 private:
  std::set<std::string> used_;
};

void write(const fs::path& file, const std::string& content) {
  std::ofstream out(file, std::ios::binary);
  out << content;
  out.close();
  if (!out) throw Error("cannot write '" + file.string() + "'");
}

void make(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    throw Error("cannot make the folder '" + folder.string() + "': " + failure.message());
}

/// At most the first bytes of a text, up to the end of a character.
std::string beginning(const std::string& text, std::size_t most) {
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  return text.substr(0, most);
}

/// A text in YAML: JSON's strings are YAML's, in double quotes.
std::string yaml_quoted(const std::string& text) {
  return nlohmann::json(safe_text(text))
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Milliseconds since 1970 of a time as the history writes it; 0 for another text.
std::int64_t milliseconds(const std::string& utc) {
  int year = 0, hour = 0, minute = 0, second = 0;
  unsigned month = 0, day = 0;
  if (std::sscanf(utc.c_str(), "%4d-%2u-%2uT%2d:%2d:%2dZ", &year, &month, &day, &hour, &minute,
                  &second) != 6)
    return 0;
  const std::chrono::sys_days date =
      std::chrono::year(year) / std::chrono::month(month) / std::chrono::day(day);
  const auto time =
      date + std::chrono::hours(hour) + std::chrono::minutes(minute) + std::chrono::seconds(second);
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

std::string file_url(const fs::path& path) {
  std::string url = "file://";
  for (const unsigned char c : fs::absolute(path).lexically_normal().string()) {
    const bool plain =
        std::isalnum(c) != 0 || std::string_view("/-_.~").find(c) != std::string::npos;
    url += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  return url;
}

/// The number of a status in MLflow.
int status_of(const std::string& status) {
  constexpr int finished = 3, failed = 4, killed = 5;
  return status == "done" ? finished : status == "failed" ? failed : killed;
}

/// The ids of a store's experiments by name.
std::map<std::string, std::string> experiments_in(const fs::path& store) {
  std::map<std::string, std::string> found;
  std::error_code none;
  for (const auto& item : fs::directory_iterator(store, none)) {
    std::ifstream in(item.path() / "meta.yaml", std::ios::binary);
    if (!in) continue;
    const SourceText source("meta.yaml", {std::istreambuf_iterator<char>(in), {}});
    Problems problems;
    const auto tree = parse_yaml(source, problems);
    const YamlEntry* name = tree ? tree->find("name") : nullptr;
    if (name) found.try_emplace(name->value.text, item.path().filename().string());
  }
  return found;
}

class Store {
 public:
  explicit Store(const fs::path& folder) : folder_(folder) {
    make(folder_);
    experiments_ = experiments_in(folder_);
  }

  void add(const PastRun& run) {
    const std::string experiment = experiment_of(run.entry);
    const std::string id = hash_of(run.entry.id + " " + run.entry.started + " " + run.entry.folder);
    const fs::path folder = folder_ / experiment / id;
    std::error_code none;
    fs::remove_all(folder, none);
    for (const char* part : {"params", "metrics", "tags", "artifacts"}) make(folder / part);
    write_parameters(run, folder / "params");
    write_figures(run, folder / "metrics");
    write_tags(run, folder / "tags");
    for (const char* name : {"report.html", "metrics.json", "study.json", "pipeline.yaml"})
      if (run.problem.empty() && fs::exists(run.folder / name, none))
        fs::copy_file(run.folder / name, folder / "artifacts" / name);
    // Last: MLflow passes over a folder without it.
    write(folder / "meta.yaml", meta_of(run, experiment, id, folder / "artifacts"));
  }

 private:
  std::string experiment_of(const HistoryEntry& entry) {
    const std::string name = safe_text(entry.name.empty() ? "unnamed" : entry.name);
    const auto known = experiments_.find(name);
    if (known != experiments_.end()) return known->second;
    // As long as MLflow's own numbers.
    constexpr std::uint64_t numbers = 900'000'000'000'000'000, first = 100'000'000'000'000'000;
    std::string id = std::to_string(first + digest_of(name, 0).low % numbers);
    make(folder_ / id);
    const std::int64_t time = milliseconds(entry.started);
    write(folder_ / id / "meta.yaml",
          fmt::format("artifact_location: {}\ncreation_time: {}\nexperiment_id: '{}'\n"
                      "last_update_time: {}\nlifecycle_stage: active\nname: {}\n",
                      yaml_quoted(file_url(folder_ / id)), time, id, time, yaml_quoted(name)));
    experiments_[name] = id;
    return id;
  }

  static std::string meta_of(const PastRun& run, const std::string& experiment,
                             const std::string& id, const fs::path& artifacts) {
    const HistoryEntry& entry = run.entry;
    const std::int64_t start = milliseconds(entry.started);
    const std::int64_t end = start + std::llround(1000 * entry.wall_seconds);
    return fmt::format(
        "artifact_uri: {}\nend_time: {}\nentry_point_name: ''\nexperiment_id: '{}'\n"
        "lifecycle_stage: active\nrun_id: {}\nrun_name: {}\nrun_uuid: {}\nsource_name: {}\n"
        "source_type: 4\nsource_version: ''\nstart_time: {}\nstatus: {}\ntags: []\nuser_id: ''\n",
        yaml_quoted(file_url(artifacts)), end, experiment, yaml_quoted(id),
        yaml_quoted(entry.folder), yaml_quoted(id), yaml_quoted(entry.command), start,
        status_of(entry.status));
  }

  static void write_parameters(const PastRun& run, const fs::path& folder) {
    Keys keys;
    write(folder / keys("seed"), std::to_string(run.entry.seed));
    for (const auto& [name, value] : run.parameters) {
      if (name == "seed") continue;
      std::string text = safe_text(value);
      if (text.size() > longest_parameter) text = beginning(text, longest_parameter - 3) + "...";
      write(folder / keys(name), text);
    }
  }

  static void write_figures(const PastRun& run, const fs::path& folder) {
    Keys keys;
    const std::int64_t time =
        milliseconds(run.entry.started) + std::llround(1000 * run.entry.wall_seconds);
    const auto line = [&](double value, std::int64_t step) {
      return fmt::format("{} {} {}\n", time, value, step);
    };
    for (const ReportedFigure& figure : run.figures)
      write(folder / keys(figure.node + "." + figure.figure), line(figure.value, 0));
    for (const ReportedCurve& curve : run.curves) {
      // MLflow's steps are whole numbers.
      constexpr double most_steps = 1e15;
      if (!std::ranges::all_of(
              curve.x, [](double x) { return std::abs(x) < most_steps && x == std::trunc(x); }))
        continue;
      std::string lines;
      for (std::size_t i = 0; i < curve.x.size(); ++i)
        if (std::isfinite(curve.y[i]))
          lines += line(curve.y[i], static_cast<std::int64_t>(curve.x[i]));
      if (!lines.empty()) write(folder / keys(curve.node + "." + curve.name), lines);
    }
  }

  static void write_tags(const PastRun& run, const fs::path& folder) {
    const HistoryEntry& entry = run.entry;
    Keys keys;
    const auto tag = [&](const std::string& name, const std::string& value) {
      write(folder / keys(name), safe_text(value));
    };
    tag("mlflow.runName", entry.folder);
    tag("mlflow.source.name", entry.command);
    tag("mlflow.source.type", "LOCAL");
    if (!entry.note.empty()) tag("mlflow.note.content", entry.note);
    tag("semblance.id", entry.id);
    tag("semblance.kind", entry.kind);
    tag("semblance.version", entry.version);
    tag("semblance.folder", fs::absolute(run.folder).lexically_normal().string());
    for (const std::string& name : entry.tags) tag(name, "true");
  }

  fs::path folder_;
  std::map<std::string, std::string> experiments_;
};

}  // namespace

void write_mlflow_store(const std::vector<PastRun>& runs, const fs::path& folder) {
  Store store(folder);
  for (const PastRun& run : runs) store.add(run);
}

}  // namespace semblance::cli
