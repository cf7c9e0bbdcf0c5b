// SPDX-License-Identifier: MIT
#include <fstream>
#include <iterator>

#include "cli/board/board.hpp"
#include "registry/figures.hpp"
#include "runtime/services/progress_file.hpp"
#include "support/json_text.hpp"
#include "support/process_identity.hpp"

namespace semblance::board {
namespace {

namespace fs = std::filesystem;

/// A run of another machine that has written nothing for this long counts as killed.
constexpr std::chrono::seconds silent_for{20};

std::optional<LiveRun> live_run_in(const fs::path& place) {
  const fs::path file = ProgressFile::file_in(place);
  std::error_code failure;
  const auto written = fs::last_write_time(file, failure);
  if (failure) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  LiveRun run;
  run.place = place;
  try {
    run.progress = parse_json(std::string(std::istreambuf_iterator<char>(in), {}));
  } catch (const std::exception&) {
    return std::nullopt;
  }
  if (!run.progress.is_object()) return std::nullopt;
  const auto owner = ProcessIdentity::parse(run.text("owner"));
  const auto life = owner ? owner->life() : ProcessIdentity::Life::unknown;
  run.alive = life == ProcessIdentity::Life::alive ||
              (life == ProcessIdentity::Life::unknown &&
               fs::file_time_type::clock::now() - written < silent_for);
  return run;
}

}  // namespace

std::string LiveRun::text(const char* field) const {
  const auto found = progress.find(field);
  return found != progress.end() && found->is_string() ? found->get<std::string>() : "";
}

double LiveRun::number(const char* field) const {
  const auto found = progress.find(field);
  return found != progress.end() && found->is_number() ? found->get<double>() : 0;
}

std::vector<cli::ReportedFigure> LiveRun::figures() const {
  HistoryEntry entry;
  if (progress.contains("figures")) entry.metrics = progress["figures"];
  if (progress.contains("units")) entry.units = progress["units"];
  return cli::figures_of(entry);
}

std::optional<FolderContents> contents_of(const fs::path& folder) {
  FolderContents contents;
  std::error_code failure;
  fs::directory_iterator item(folder, failure);
  if (failure) return std::nullopt;
  for (const fs::directory_iterator end; item != end; item.increment(failure)) {
    const std::string name = item->path().filename().string();
    contents.results |= name == "metrics.json" || name == "study.json";
    contents.is_study |= name == "study.json" || name == "study.yaml";
    contents.progress |= name == "progress.json";
    contents.unfinished |= name == "unfinished";
    contents.history |= name == "history.sqlite";
    std::error_code none;
    if (!name.starts_with('.') && item->symlink_status(none).type() == fs::file_type::directory)
      contents.folders.push_back(item->path());
    if (failure) break;
  }
  return contents;
}

std::optional<LiveRun> live_run(const fs::path& folder) {
  auto beside = live_run_in(folder / "unfinished");
  if (beside && beside->alive) return beside;
  return live_run_in(folder);
}

std::string last_lines(const fs::path& file, std::size_t most) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return "";
  const auto size = static_cast<std::size_t>(in.tellg());
  const std::size_t begin = size > most ? size - most : 0;
  in.seekg(static_cast<std::streamoff>(begin));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (begin > 0) text.erase(0, text.find('\n') + 1);
  return text;
}

}  // namespace semblance::board
