// SPDX-License-Identifier: MIT
#include "runtime/store/kept_states.hpp"

#include <stdio.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <system_error>

#include "runtime/store/artifact_index.hpp"
#include "runtime/store/state_files.hpp"
#include "semblance/error.hpp"
#include "support/json_text.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// How often to look for a free number before giving up.
constexpr int most_numbers_tried = 100;

/// The existing numbers, in descending order.
std::vector<std::uint64_t> numbers_in(const fs::path& folder) {
  std::vector<std::uint64_t> numbers;
  std::error_code gone;
  for (fs::directory_iterator item(folder, gone), end; !gone && item != end; item.increment(gone)) {
    const std::string name = item->path().filename().string();
    std::uint64_t number = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
    if (read.ec == std::errc() && read.ptr == name.data() + name.size()) numbers.push_back(number);
  }
  std::ranges::sort(numbers, std::greater());
  return numbers;
}

/// Links files where possible, otherwise copies them.
void take_files(const fs::path& from, const fs::path& to) {
  if (link_files(from, to)) return;
  std::error_code ignored;
  fs::remove_all(to, ignored);
  fs::copy(from, to, fs::copy_options::recursive, ignored);
}

}  // namespace

fs::path KeptStates::own_path(const std::string& ending) const { return drafts_.new_path(ending); }

/// Moves it away first: no process ever sees a half-removed checkpoint.
void KeptStates::discard(const fs::path& gone) const noexcept {
  try {
    const fs::path aside = own_path("removed");
    std::error_code ignored;
    fs::rename(gone, aside, ignored);
    fs::remove_all(aside, ignored);
  } catch (const std::exception&) {
    // It stays, and has no effect where a newer one is there.
  }
}

fs::path KeptStates::move_into_place(const fs::path& draft, const fs::path& folder) const {
  int problem = 0;
  for (int attempt = 0; attempt < most_numbers_tried; ++attempt) {
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure) throw Error("cannot create '" + folder.string() + "': " + failure.message());
    const auto numbers = numbers_in(folder);
    fs::path place = folder / std::to_string(numbers.empty() ? 1 : numbers.front() + 1);
    if (::rename(draft.c_str(), place.c_str()) == 0) return place;
    problem = errno;
    // Another process took the number first, or has just removed the folder.
    if (problem != EEXIST && problem != ENOTEMPTY && problem != ENOENT) break;
  }
  throw Error("cannot write into '" + folder.string() +
              "': " + std::generic_category().message(problem));
}

void KeptStates::put(const std::string& key, const Json& note,
                     const std::function<void(StateWriter&)>& write) const {
  const fs::path draft = own_path("kept"), folder = folder_ / key;
  try {
    StateFolderWriter writer(draft);
    write(writer);
    writer.finish();
    write_artifact_index(draft, note);
    const fs::path place = move_into_place(draft, folder);
    const std::string newest = place.filename().string();
    for (const std::uint64_t number : numbers_in(folder))
      if (number < std::stoull(newest)) discard(folder / std::to_string(number));
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(draft, ignored);
    throw;
  }
}

std::optional<KeptStates::Found> KeptStates::find(
    const std::string& key, const std::function<void(const std::string&)>& damaged) const {
  for (const std::uint64_t number : numbers_in(folder_ / key)) {
    const fs::path place = folder_ / key / std::to_string(number);
    // Another process may remove it and put another in its place while its files are read.
    constexpr int attempts = 3;
    std::string problem;
    bool there = true;
    for (int attempt = 0; attempt < attempts && there; ++attempt) {
      // Verified where no other process can touch it any more.
      Found found{own_path("kept"), {}};
      take_files(place, found.folder);
      const auto damage = artifact_damage(found.folder, found.note);
      if (!damage) return found;
      problem = one_line(*damage);
      std::error_code ignored;
      fs::remove_all(found.folder, ignored);
      there = fs::exists(place / artifact_index_name, ignored) || fs::exists(place, ignored);
    }
    if (!there) continue;
    damaged("the checkpoint in " + place.string() + " is damaged (" + problem + "); it is ignored");
    discard(place);
  }
  return std::nullopt;
}

void KeptStates::remove(const std::string& key) const noexcept {
  std::error_code ignored;
  if (fs::exists(folder_ / key, ignored)) discard(folder_ / key);
}

std::vector<KeptStates::Item> KeptStates::items() const {
  std::vector<Item> items;
  std::error_code ignored;
  for (fs::directory_iterator folder(folder_, ignored), end; folder != end;
       folder.increment(ignored)) {
    Item item{fs::file_time_type::min(), 0, folder->path()};
    for (const fs::path& file : files_below(item.folder)) {
      const auto bytes = fs::file_size(file, ignored);
      if (!ignored) item.bytes += bytes;
      if (file.filename() != artifact_index_name) continue;
      const auto written = fs::last_write_time(file, ignored);
      if (!ignored) item.written = std::max(item.written, written);
    }
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace semblance
