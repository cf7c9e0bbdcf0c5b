// SPDX-License-Identifier: MIT
#include "registry/plugin_library.hpp"

#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <string>

#include "registry/figures.hpp"
#include "registry/loaded_library.hpp"
#include "semblance/error.hpp"
#include "semblance/kind.hpp"

namespace semblance {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
  throw Error("plugin '" + file.string() + "' cannot be used: " + why);
}

/// Loading a truncated library crashes: all its segments must be in the file.
void check_whole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::uint64_t>(in.tellg());
  ElfW(Ehdr) header = {};
  in.seekg(0);
  if (!in.read(reinterpret_cast<char*>(&header), sizeof header)) return;  // the loader reports it
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return;
  in.seekg(static_cast<std::streamoff>(header.e_phoff));
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment = {};
    in.read(reinterpret_cast<char*>(&segment), sizeof segment);
    if (!in || segment.p_filesz > size || segment.p_offset > size - segment.p_filesz)
      refuse(file, "it is cut off: its headers claim more than it contains");
  }
}

/// The library that is being loaded.
std::string& loading() {
  static std::string file;
  return file;
}

/// An exception of a static object of a library ends the process: the loader, which is between it
/// and us, lets none pass. So this says at least whose it was.
[[noreturn]] void end_while_loading() {
  std::string what = "no std::exception";
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::exception& failure) {
    what = failure.what();
  } catch (...) {
  }
  std::fprintf(stderr,
               "semblance: plugin '%s' cannot be used: an object that it makes while it is loaded "
               "threw: %s\n",
               loading().c_str(), what.c_str());
  std::_Exit(EXIT_FAILURE);
}

/// As long as it lives, end_while_loading() is called where the program would be aborted.
class Loading {
 public:
  explicit Loading(const std::filesystem::path& file) { loading() = file.string(); }
  ~Loading() { std::set_terminate(before_); }
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;

 private:
  std::terminate_handler before_ = std::set_terminate(end_while_loading);
};

const boost::dll::shared_library& load(const std::filesystem::path& file) {
  const Loading now(file);
  try {
    return loaded_library(file);
  } catch (const Error& failure) {
    refuse(file, failure.what());
  }
}

void shake_hands(const std::filesystem::path& file, const PluginDescriptor* descriptor) {
  if (!descriptor) refuse(file, "its function 'semblance_plugin' returned nothing");
  if (descriptor->api != sdk_api) {
    refuse(file, "it was built for SDK API " + std::to_string(descriptor->api) +
                     ", but this program supports API " + std::to_string(sdk_api) +
                     "; rebuild it with the SDK of this version");
  }
  const std::string_view theirs = descriptor->fingerprint ? descriptor->fingerprint : "(none)";
  if (theirs != host_fingerprint()) {
    refuse(file, "its binary interface differs: it was built as '" + std::string(theirs) +
                     "', but this program as '" + host_fingerprint() +
                     "'; build it with the same compiler and standard library");
  }
  if (!descriptor->name || !descriptor->version || !descriptor->licence || !descriptor->components)
    refuse(file, "its descriptor lacks a name, version, licence or component table");
}

/// Checks what the users of each kind rely on; a plugin author sees errors at the first load.
void check_entry(const std::filesystem::path& file, const ComponentEntry& entry) {
  const auto& info = entry.info;
  if (std::ranges::find(kinds(), info.kind()) == kinds().end() ||
      info.id.size() <= info.kind().size() + 1)
    refuse(file, "the component id '" + info.id + "' is not 'kind/name' with a known kind");
  for (const FigureInfo& figure : info.figures)
    for (const FigureInfo& taken : runtime_figures(info))
      if (figure.matches(taken.name))
        refuse(file, "'" + info.id + "' declares the figure '" + figure.name + "', but '" +
                         taken.name + "' is what the runtime itself reports for every " +
                         std::string(info.kind()) + "; rename it");
  if (!entry.create || entry.setters.size() != info.parameters.size())
    refuse(file, "the declaration of '" + info.id + "' is incomplete");
}

}  // namespace

PluginLibrary::PluginLibrary(const std::filesystem::path& file) : file_(file) {
  if (is_python_file(file))
    read_python();
  else
    load_library();
  for (const auto& entry : table_.entries) check_entry(file, entry);
}

void PluginLibrary::load_library() {
  check_whole(file_);
  const boost::dll::shared_library& library = load(file_);
  if (!library.has("semblance_plugin"))
    refuse(file_,
           "it does not export the function 'semblance_plugin'; end one of its files with "
           "SEMBLANCE_PLUGIN(name, version, licence, classes...)");
  descriptor_ = library.get<const PluginDescriptor*()>("semblance_plugin")();
  shake_hands(file_, descriptor_);
  try {
    descriptor_->components(table_);
  } catch (const std::exception& failure) {
    refuse(file_, std::string("declaring its components failed: ") + failure.what());
  }
}

void PluginLibrary::read_python() {
  try {
    python_ = &read_python_plugin(file_);
  } catch (const Error& failure) {
    refuse(file_, failure.what());
  }
  descriptor_ = python_->descriptor;
  shake_hands(file_, descriptor_);
  table_ = *python_->table;
}

const ComponentEntry& PluginLibrary::entry(const std::string& id) const {
  for (const auto& entry : table_.entries)
    if (entry.info.id == id) return entry;
  refuse(file_, "it no longer has the component '" + id + "'");
}

std::unique_ptr<Component> create_component(const ComponentEntry& entry,
                                            const ComponentConfig& config,
                                            const Catalogue& catalogue) {
  auto component = entry.create();
  if (!component) throw Error("'" + config.id + "' could not be created");
  const auto index_of = [&](const std::string& name) {
    const auto& all = entry.info.parameters;
    const auto found = std::ranges::find(all, name, &ParameterInfo::name);
    if (found == all.end()) throw Error("'" + config.id + "' has no parameter '" + name + "'");
    return static_cast<std::size_t>(found - all.begin());
  };
  for (const auto& [name, value] : config.values) {
    if (std::holds_alternative<std::monostate>(value)) continue;
    entry.setters[index_of(name)].value(*component, value);
  }
  for (const auto& [name, part] : config.parts) {
    const auto& setter = entry.setters[index_of(name)];
    auto created = catalogue.create(part);
    if (setter.maker)  // what it will make has been checked by now
      setter.maker(*component, [part = part, &catalogue] { return catalogue.create(part); });
    else
      setter.component(*component, std::move(created));
  }
  component->check_parameters();
  return component;
}

}  // namespace semblance
