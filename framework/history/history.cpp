// SPDX-License-Identifier: MIT
#include "history/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <system_error>

#include "semblance/error.hpp"
#include "support/files/atomic_file.hpp"
#include "support/files/process_identity.hpp"
#include "support/json_text.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* ending = ".json";
constexpr const char* annotation_ending = ".tags.json";

/// A run of another machine that has written nothing for this long counts as killed.
constexpr std::chrono::seconds silent_for{20};

/// The content of a file; nothing where it is gone.
std::optional<Json> read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  return parse_json(std::string(std::istreambuf_iterator<char>(in), {}));
}

void write(const fs::path& file, const Json& json) {
  write_file_atomically(file, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

HistoryEntry entry_from(const Json& json) {
  HistoryEntry entry;
  const auto text = [&](const char* key) { return json.at(key).get<std::string>(); };
  entry.id = text("id");
  entry.order = integer_in<std::uint64_t>(json.at("order"));
  entry.kind = text("kind");
  entry.name = text("name");
  entry.folder = text("folder");
  entry.started = text("started");
  entry.wall_seconds = json.at("wall_seconds").get<double>();
  entry.seed = integer_in<std::uint64_t>(json.at("seed"));
  entry.status = text("status");
  entry.owner = text("owner");
  entry.version = text("version");
  entry.metrics = json.at("metrics");
  entry.units = json.at("units");
  entry.better = json.at("better");
  entry.command = text("command");
  return entry;
}

std::string tag_problem(const std::string& tag) {
  constexpr std::size_t longest = 64;
  const bool plain =
      std::ranges::none_of(tag, [](unsigned char c) { return c <= ' ' || c == 127 || c == ','; });
  if (!tag.empty() && tag.size() <= longest && plain) return "";
  return fmt::format(
      "'{}' cannot be a tag: tags are words of at most {} bytes, without blanks and commas", tag,
      longest);
}

std::string new_id() {
  std::random_device random;
  return fmt::format("{:08x}", random());
}

/// A run writes either beside earlier results or in its own folder.
bool goes_on(const HistoryEntry& entry, const fs::path& root) {
  const fs::path folder = root / entry.folder;
  return is_alive(entry.owner, folder / "unfinished" / "progress.json") ||
         is_alive(entry.owner, folder / "progress.json");
}

}  // namespace

Json entry_json(const HistoryEntry& entry) {
  return {{"id", entry.id},
          {"order", entry.order},
          {"kind", entry.kind},
          {"name", entry.name},
          {"folder", entry.folder},
          {"started", entry.started},
          {"wall_seconds", entry.wall_seconds},
          {"seed", entry.seed},
          {"status", entry.status},
          {"owner", entry.owner},
          {"version", entry.version},
          {"metrics", entry.metrics},
          {"units", entry.units},
          {"better", entry.better},
          {"command", entry.command},
          {"tags", entry.tags},
          {"note", entry.note}};
}

void check_annotation(const std::vector<std::string>& tags, const std::string& note) {
  constexpr std::size_t most_tags = 50, longest_note = 10'000;
  for (const std::string& tag : tags)
    if (const std::string problem = tag_problem(tag); !problem.empty()) throw Error(problem);
  if (tags.size() > most_tags || note.size() > longest_note)
    throw Error(
        fmt::format("a run has at most {} tags, and a note of {} bytes", most_tags, longest_note));
}

bool is_alive(const std::string& owner, const fs::path& progress_file) {
  const auto process = ProcessIdentity::parse(owner);
  const auto life = process ? process->life() : ProcessIdentity::Life::unknown;
  if (life != ProcessIdentity::Life::unknown) return life == ProcessIdentity::Life::alive;
  std::error_code failure;
  const auto written = fs::last_write_time(progress_file, failure);
  return !failure && fs::file_time_type::clock::now() - written < silent_for;
}

fs::path History::folder_in(const fs::path& root) { return root / ".history"; }

History::History(const fs::path& root, Open how) : root_(root), folder_(folder_in(root)) {
  std::error_code failure;
  if (how == Open::or_create) {
    fs::create_directories(folder_, failure);
    if (failure)
      throw Error(fmt::format("the history '{}': {}", folder_.string(), failure.message()));
    remove_abandoned_files(folder_);
    return;
  }
  if (fs::is_directory(folder_, failure)) return;
  if (fs::exists(root / "history.sqlite", failure))
    throw Error(
        fmt::format("'{}' is the history of an earlier version, which is not read any more;"
                    " docs/board.md says how to take it over",
                    (root / "history.sqlite").string()));
  throw Error(fmt::format("there is no history '{}'; the first run starts it", folder_.string()));
}

fs::path History::file_of(const std::string& id) const { return folder_ / (id + ending); }

fs::path History::annotation_of(const std::string& id) const {
  return folder_ / (id + annotation_ending);
}

void History::require(const std::string& id) const {
  if (!fs::exists(file_of(id)))
    throw Error(fmt::format("the history '{}' has no entry '{}' any more", folder_.string(), id));
}

void History::add(HistoryEntry& entry) {
  do {
    entry.id = new_id();
  } while (fs::exists(file_of(entry.id)));
  entry.order = static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count());
  write(file_of(entry.id), entry_json(entry));
}

void History::update(const HistoryEntry& entry) {
  require(entry.id);
  write(file_of(entry.id), entry_json(entry));
}

std::vector<HistoryEntry> History::list() const {
  std::vector<HistoryEntry> entries;
  for (const auto& item : fs::directory_iterator(folder_)) {
    const std::string name = item.path().filename().string();
    if (name.starts_with('.') || !name.ends_with(ending) || name.ends_with(annotation_ending))
      continue;
    try {
      const auto json = read(item.path());
      if (!json) continue;  // removed just now
      HistoryEntry entry = entry_from(*json);
      if (const auto said = read(annotation_of(entry.id))) {
        entry.tags = said->at("tags").get<std::vector<std::string>>();
        entry.note = said->at("note").get<std::string>();
      }
      if (entry.status == "running" && !goes_on(entry, root_)) entry.status = "killed";
      entries.push_back(std::move(entry));
    } catch (const std::exception& problem) {
      throw Error(fmt::format("the entry '{}' of the history is damaged ({}); move it away",
                              item.path().string(), json_problem(problem)));
    }
  }
  std::ranges::sort(entries, {}, &HistoryEntry::order);
  return entries;
}

HistoryEntry History::find(const std::string& id) const {
  std::vector<HistoryEntry> found;
  std::string ids;
  for (auto& entry : list()) {
    if (id.empty() || !entry.id.starts_with(id)) continue;
    ids += " " + entry.id;
    found.push_back(std::move(entry));
  }
  if (found.empty())
    throw Error(
        fmt::format("the history '{}' has no entry '{}'; 'semblance history list' shows all",
                    folder_.string(), id));
  if (found.size() > 1)
    throw Error(fmt::format("'{}' is the beginning of several entries:{}", id, ids));
  return std::move(found.front());
}

void History::annotate(const std::string& id, const std::vector<std::string>& tags,
                       const std::string& note) {
  check_annotation(tags, note);
  require(id);
  write(annotation_of(id), {{"tags", tags}, {"note", note}});
}

void History::remove(const std::string& id) {
  require(id);
  fs::remove(file_of(id));
  fs::remove(annotation_of(id));
}

bool delete_files(const fs::path& root, const HistoryEntry& entry) {
  const fs::path target = root / entry.folder;
  const auto refuse = [&](const char* why) {
    return Error(fmt::format("'{}' was not deleted: {}", target.string(), why));
  };
  // Without links: one above the folder may lead elsewhere.
  const fs::path below = fs::weakly_canonical(target).lexically_relative(fs::canonical(root));
  if (below.empty() || *below.begin() == ".." || *below.begin() == ".")
    throw refuse("it is not inside the folder of the history");
  const auto status = fs::symlink_status(target);
  if (!fs::exists(status)) return false;
  if (!fs::is_directory(status)) throw refuse("it is not a folder");
  if (!fs::exists(target / "metrics.json") && !fs::exists(target / "study.json"))
    throw refuse("it has neither the metrics.json of a run nor the study.json of a study");
  std::error_code failure;
  fs::remove_all(target, failure);
  if (failure) throw refuse(failure.message().c_str());
  return true;
}

}  // namespace semblance
