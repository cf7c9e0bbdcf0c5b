// SPDX-License-Identifier: MIT
#include "runtime/store/work_folder.hpp"

#include <algorithm>

#include "runtime/store/state_files.hpp"
#include "semblance/error.hpp"
#include "support/files/atomic_file.hpp"
#include "support/files/hash.hpp"
#include "support/json_text.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A part's name contains spaces and names of steps.
std::string file_name(const std::string& part) { return hash_of(part) + ".json"; }

}  // namespace

bool WorkFolder::exists() const {
  std::error_code ignored;
  return fs::exists(study_file(), ignored);
}

void WorkFolder::make() const {
  for (const char* folder : {"parts", "failed", "workers", "done"}) {
    std::error_code failure;
    fs::create_directories(root_ / folder, failure);
    if (failure)
      throw Error("cannot create '" + (root_ / folder).string() + "': " + failure.message() +
                  "; choose another folder");
  }
}

fs::path WorkFolder::part_file(const std::string& part) const {
  return root_ / "parts" / file_name(part);
}

fs::path WorkFolder::done_file(const std::string& part) const {
  return root_ / "done" / file_name(part);
}

fs::path WorkFolder::failure_file(const std::string& key) const {
  return root_ / "failed" / (key + ".json");
}

fs::path WorkFolder::worker_folder(const std::string& id) const { return root_ / "workers" / id; }

Json WorkFolder::read(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return nullptr;
  try {
    return parse_json(read_whole_file(file));
  } catch (const std::exception&) {
    return nullptr;
  }
}

void WorkFolder::write(const fs::path& file, const Json& content) {
  AtomicFile written(file);
  written.write(content.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  written.commit(false);
}

std::vector<Json> WorkFolder::all(const char* folder) const {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (fs::directory_iterator item(root_ / folder, ignored), end; item != end;
       item.increment(ignored))
    if (item->path().extension() == ".json") files.push_back(item->path());
  std::ranges::sort(files);
  std::vector<Json> found;
  for (const fs::path& file : files)
    if (Json content = read(file); content.is_object()) found.push_back(std::move(content));
  return found;
}

std::vector<Json> WorkFolder::parts() const { return all("parts"); }
std::vector<Json> WorkFolder::failures() const { return all("failed"); }

std::vector<Json> WorkFolder::workers() const {
  std::vector<Json> found;
  std::error_code ignored;
  for (fs::directory_iterator item(root_ / "workers", ignored), end; item != end;
       item.increment(ignored))
    if (Json content = read(item->path() / "worker.json"); content.is_object())
      found.push_back(std::move(content));
  std::ranges::sort(found, {}, [](const Json& worker) { return worker.value("id", ""); });
  return found;
}

void WorkFolder::clear(const char* folder) const {
  std::error_code ignored;
  std::vector<fs::path> files;
  for (fs::directory_iterator item(root_ / folder, ignored), end; item != end;
       item.increment(ignored))
    files.push_back(item->path());
  for (const fs::path& file : files) fs::remove(file, ignored);
}

void WorkFolder::forget_failures() const { clear("failed"); }
void WorkFolder::forget_results() const { clear("done"); }
void WorkFolder::forget_parts() const { clear("parts"); }

}  // namespace semblance
