// SPDX-License-Identifier: MIT
#include "registry/discovery.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <mutex>
#include <sstream>

#include "registry/component_info_json.hpp"
#include "registry/loaded_library.hpp"
#include "registry/plugin_library.hpp"
#include "registry/python_door.hpp"
#include "semblance/error.hpp"
#include "support/files/file_state.hpp"
#include "support/files/hash.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// The declarations of one library; the library itself is loaded when its code is needed.
class LazyPlugin {
 public:
  explicit LazyPlugin(fs::path file) : file_(std::move(file)), state_(file_state(file_)) {}

  /// Throws Error where its file has changed: its code would be taken for the former one's.
  const PluginLibrary& library() {
    std::call_once(once_, [this] {
      auto loaded = std::make_unique<PluginLibrary>(file_);
      if (!only_touched(state_, file_state(file_)))
        throw Error("plugin '" + file_.string() +
                    "' was changed while the program looked at it; start again");
      library_ = std::move(loaded);
    });
    return *library_;
  }
  /// A hash of its linked libraries.
  const std::string& linked() {
    std::call_once(linked_once_, [this] {
      if (const auto* python = library().python()) {
        linked_ = python->linked;
        return;
      }
      std::string text;
      for (const auto& other : linked_libraries(file_))
        text += other.name + " " + other.content + "\n";
      linked_ = hash_of(text);
    });
    return linked_;
  }
  const fs::path& file() const { return file_; }
  const FileState& state() const { return state_; }
  /// A hash of its content; for a file of Python components, which must load, also of what it
  /// imports.
  std::string hash() {
    if (is_python_file(file_))
      if (const auto* python = library().python()) return python->hash;
    return hash_of_file(file_);
  }

 private:
  fs::path file_;
  FileState state_;
  std::once_flag once_;
  std::unique_ptr<PluginLibrary> library_;
  std::once_flag linked_once_;
  std::string linked_;
};

struct Manifest {
  PluginOrigin origin;
  std::vector<ComponentInfo> components;
};

std::string file_identity(const fs::path& file, const FileState& state) {
  return fmt::format("{} {} {} {} {} {}\n", file.string(), state.device, state.inode, state.bytes,
                     state.written, state.changed);
}

/// The host's part of a declaration: the interface that host and plugin must share, and the SDK's
/// library, which has the common properties of all components of a kind.
std::string host_identity() {
  std::string text = host_fingerprint();
  Dl_info sdk = {};
  if (::dladdr(reinterpret_cast<const void*>(&host_fingerprint), &sdk) != 0 && sdk.dli_fname)
    text += " " + file_identity(sdk.dli_fname, file_state(sdk.dli_fname));
  return text;
}

/// The manifest's name identifies the library by its place and its last change, so that its content
/// need not be read, and its host: another host must repeat the handshake.
fs::path manifest_path(const fs::path& folder, const LazyPlugin& plugin) {
  static const std::string host = host_identity();
  const std::string library = file_identity(plugin.file(), plugin.state());
  return folder / (hash_of(host + library) + "-" + std::to_string(sdk_api) + ".manifest");
}

/// Whether another change would show: clocks of file systems advance in steps of up to two seconds.
bool settled(const FileState& state) {
  timespec now = {};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::max(state.changed, state.written) / 1'000'000'000 + 2 < now.tv_sec;
}

bool read_manifest(const fs::path& file, Manifest& manifest) {
  std::ifstream in(file, std::ios::binary);
  std::string checksum;
  if (!std::getline(in, checksum)) return false;
  std::ostringstream rest;
  rest << in.rdbuf();
  const std::string content = std::move(rest).str();
  if (hash_of(content) != checksum) return false;
  try {
    const Json json = Json::from_msgpack(content);
    manifest.origin.name = json.at("name");
    manifest.origin.version = json.at("version");
    manifest.origin.licence = json.at("licence");
    manifest.origin.hash = json.at("hash");
    for (const auto& c : json.at("components"))
      manifest.components.push_back(component_info_from_json(c));
    return true;
  } catch (const nlohmann::json::exception&) {
    manifest = {};  // damaged: it is rebuilt from the library
    return false;
  }
}

/// Gives a complete file its name. It is made without a name, so a killed process leaves nothing.
/// Where that is impossible, there is no file.
void publish(const fs::path& file, const std::string& content) {
  const int descriptor = ::open(file.parent_path().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor < 0) return;
  const ssize_t written = ::write(descriptor, content.data(), content.size());
  if (written == static_cast<ssize_t>(content.size())) {
    ::unlink(file.c_str());  // a damaged one
    const std::string open_file = "/proc/self/fd/" + std::to_string(descriptor);
    ::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, file.c_str(), AT_SYMLINK_FOLLOW);
  }
  ::close(descriptor);
}

/// The content's hash on a line, then the content as MessagePack, which is read several times as
/// fast as text: every command reads the manifests of all plugins. A manifest is only a
/// convenience, so a read-only folder is not an error.
void write_manifest(const fs::path& file, const Manifest& manifest) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  Json json = {{"name", manifest.origin.name},
               {"version", manifest.origin.version},
               {"licence", manifest.origin.licence},
               {"hash", manifest.origin.hash}};
  json["components"] = Json::array();
  for (const auto& c : manifest.components) json["components"].push_back(to_json(c));
  std::string content;
  Json::to_msgpack(json, nlohmann::detail::output_adapter<char>(content));
  publish(file, hash_of(content) + "\n" + content);
}

/// The declarations of a Python file may depend on what it imports: it is read each time, and
/// nothing is stored.
Manifest manifest_of(LazyPlugin& plugin, fs::path folder) {
  if (is_python_file(plugin.file())) folder.clear();
  Manifest manifest;
  const fs::path file = manifest_path(folder, plugin);
  if (folder.empty() || !read_manifest(file, manifest)) {
    manifest.origin.hash = plugin.hash();  // before its code is loaded, which checks for a change
    const auto& library = plugin.library();
    manifest.origin.name = library.descriptor().name;
    manifest.origin.version = library.descriptor().version;
    manifest.origin.licence = library.descriptor().licence;
    for (const auto& entry : library.table().entries) manifest.components.push_back(entry.info);
    if (!folder.empty() && settled(plugin.state())) write_manifest(file, manifest);
  }
  manifest.origin.library = plugin.file();
  return manifest;
}

class Finder {
 public:
  explicit Finder(const PluginSearch& search) : search_(search) {}

  void folder_or_library(const fs::path& path, bool named) {
    std::error_code failure;
    if (fs::is_directory(path, failure)) return folder(path);
    if (fs::is_regular_file(path, failure)) return library(path, named);
    if (const fs::path shipped = find_python_file(path); !shipped.empty())
      return library(shipped, named);
    result_.trials.push_back({path, false, "no such file or folder"});
    if (named)
      throw Error("plugin path '" + path.string() + "' does not exist; every path tried:\n" +
                  describe(result_.trials));
  }

  Discovery take() && { return std::move(result_); }

 private:
  void folder(const fs::path& path) {
    std::vector<fs::path> libraries;
    std::error_code failure;
    for (const auto& item : fs::directory_iterator(path, failure))
      if (item.path().extension() == ".so") libraries.push_back(item.path());
    std::ranges::sort(libraries);
    result_.trials.push_back(
        {path, !failure,
         failure ? failure.message() : std::to_string(libraries.size()) + " plugins"});
    for (const auto& file : libraries) library(file, false);
  }

  void library(const fs::path& file, bool named) {
    const fs::path real = fs::weakly_canonical(file);
    if (std::ranges::find(seen_, real) != seen_.end()) return;
    seen_.push_back(real);
    try {
      add(real);
    } catch (const Error& problem) {
      result_.trials.push_back({file, true, problem.what()});
      if (named) throw;
      result_.warnings.emplace_back(problem.what());
    }
  }

  void add(const fs::path& file) {
    const auto plugin = std::make_shared<LazyPlugin>(file);
    Manifest manifest = manifest_of(*plugin, search_.manifests);
    manifest.origin.linked = [plugin] { return plugin->linked(); };
    const auto origin = std::make_shared<const PluginOrigin>(manifest.origin);
    for (const auto& info : manifest.components) {
      result_.catalogue.add(
          {info, origin}, [plugin](const ComponentConfig& config, const Catalogue& catalogue) {
            return create_component(plugin->library().entry(config.id), config, catalogue);
          });
    }
    result_.trials.push_back(
        {file, true,
         std::to_string(manifest.components.size()) +
             (manifest.components.size() == 1 ? " component of '" : " components of '") +
             origin->name + "' " + origin->version});
  }

  const PluginSearch& search_;
  Discovery result_;
  std::vector<fs::path> seen_;
};

std::vector<fs::path> split(const std::string& list) {
  std::vector<fs::path> paths;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    if (end > begin) paths.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return paths;
}

}  // namespace

Discovery discover_plugins(const PluginSearch& search) {
  Finder finder(search);
  for (const auto& path : search.explicit_paths) finder.folder_or_library(path, true);
  for (const auto& path : split(search.environment)) finder.folder_or_library(path, true);
  if (!search.installed.empty()) finder.folder_or_library(search.installed, false);
  return std::move(finder).take();
}

std::string describe(const std::vector<PluginTrial>& trials) {
  std::string text;
  for (const auto& trial : trials)
    text += "  " + trial.path.string() + ": " + (trial.found ? "found" : "not found") +
            (trial.note.empty() ? "" : ", " + trial.note) + "\n";
  return text;
}

}  // namespace semblance
