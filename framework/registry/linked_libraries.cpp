// SPDX-License-Identifier: MIT
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "registry/loaded_library.hpp"
#include "semblance/error.hpp"
#include "support/files/hash.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

/// The headers of a loaded library.
struct Loaded {
  std::string path;
  std::string called;               ///< the name by which others need it
  std::vector<std::string> needed;  ///< the names of the libraries it needs
  std::string build_id;             ///< empty if it has none
};

std::string hexadecimal(const unsigned char* bytes, std::size_t count) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15];
  }
  return text;
}

constexpr std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

void read_notes(const unsigned char* at, std::size_t bytes, Loaded& library) {
  const unsigned char* end = at + bytes;
  while (at + sizeof(ElfW(Nhdr)) <= end) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const unsigned char* name = at + sizeof note;
    const unsigned char* content = name + padded(note.n_namesz);
    if (content + note.n_descsz > end) return;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
      library.build_id = hexadecimal(content, note.n_descsz);
    at = content + padded(note.n_descsz);
  }
}

/// On most machines the loader has put addresses into this section; where it has left offsets,
/// these are below the address of the library.
void read_dynamic(const ElfW(Dyn) * entries, ElfW(Addr) base, Loaded& library) {
  const char* texts = nullptr;
  for (const auto* entry = entries; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB) {
      const ElfW(Addr) at = entry->d_un.d_ptr;
      texts = reinterpret_cast<const char*>(at < base ? base + at : at);
    }
  if (!texts) return;
  for (const auto* entry = entries; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_SONAME) library.called = texts + entry->d_un.d_val;
    if (entry->d_tag == DT_NEEDED) library.needed.emplace_back(texts + entry->d_un.d_val);
  }
}

/// Whether a part of the file is among the loaded ones.
bool is_loaded(const dl_phdr_info& info, const ElfW(Phdr) & part) {
  return std::any_of(info.dlpi_phdr, info.dlpi_phdr + info.dlpi_phnum, [&](const auto& segment) {
    return segment.p_type == PT_LOAD && part.p_vaddr >= segment.p_vaddr &&
           part.p_vaddr + part.p_memsz <= segment.p_vaddr + segment.p_memsz;
  });
}

int add_loaded(dl_phdr_info* info, std::size_t, void* all) {
  Loaded library;
  library.path = info->dlpi_name ? info->dlpi_name : "";
  library.called = fs::path(library.path).filename().string();
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    const ElfW(Addr) at = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_NOTE && is_loaded(*info, segment))
      read_notes(reinterpret_cast<const unsigned char*>(at), segment.p_memsz, library);
    if (segment.p_type == PT_DYNAMIC)
      read_dynamic(reinterpret_cast<const ElfW(Dyn)*>(at), info->dlpi_addr, library);
  }
  static_cast<std::vector<Loaded>*>(all)->push_back(std::move(library));
  return 0;
}

std::vector<Loaded> all_loaded() {
  std::vector<Loaded> all;
  ::dl_iterate_phdr(add_loaded, &all);
  return all;
}

bool is_file(const Loaded& library, const fs::path& file) {
  std::error_code ignored;
  return library.path == file || fs::equivalent(library.path, file, ignored);
}

/// Matches the library's own name, or that of the file that the loader has found.
bool is_called(const Loaded& library, const std::string& name) {
  return library.called == name || fs::path(library.path).filename() == fs::path(name).filename();
}

}  // namespace

std::vector<LinkedLibrary> linked_libraries(const fs::path& library) {
  const std::vector<Loaded> all = all_loaded();
  const auto start =
      std::ranges::find_if(all, [&](const Loaded& loaded) { return is_file(loaded, library); });
  if (start == all.end()) throw Error("'" + library.string() + "' is not loaded");
  std::set<std::string> seen = {start->called};
  std::vector<std::string> open = start->needed;
  std::vector<LinkedLibrary> linked;
  while (!open.empty()) {
    const std::string name = std::move(open.back());
    open.pop_back();
    if (!seen.insert(name).second) continue;
    const auto found =
        std::ranges::find_if(all, [&](const Loaded& l) { return is_called(l, name); });
    if (found == all.end()) {
      linked.push_back({name, ""});
      continue;
    }
    open.insert(open.end(), found->needed.begin(), found->needed.end());
    linked.push_back({name, found->build_id.empty() ? hash_of_file(found->path) : found->build_id});
  }
  std::ranges::sort(linked, {}, &LinkedLibrary::name);
  return linked;
}

}  // namespace semblance
