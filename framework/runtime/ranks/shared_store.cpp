// SPDX-License-Identifier: MIT
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>

#include "runtime/ranks/exchange.hpp"
#include "support/files/process_identity.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

/// How long a client of a file server may need to see a new file.
constexpr std::chrono::milliseconds patience{1000}, pause{20};

bool says(const fs::path& file, const std::string& text) {
  const auto until = std::chrono::steady_clock::now() + patience;
  for (;;) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream found;
    if (in && found << in.rdbuf() && found.str() == text) return true;
    if (std::chrono::steady_clock::now() >= until) return false;
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace

bool all_see_store(Ranks& ranks, const ArtifactStore& store) {
  const std::string text = ranks.from_first(ProcessIdentity::own().text());
  fs::path file;
  if (ranks.first()) {
    file = store.own_path("token");
    std::ofstream(file, std::ios::binary) << text;
  }
  const std::string name =
      ranks.from_first(ranks.first() ? file.lexically_relative(store.folder()).string() : "");
  const bool seen = ranks.all(says(store.folder() / name, text));
  std::error_code ignored;
  if (ranks.first()) fs::remove(file, ignored);
  return seen;
}

}  // namespace semblance
