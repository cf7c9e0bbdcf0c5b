// SPDX-License-Identifier: MIT
#include "registry/loaded_library.hpp"

#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>

#include "semblance/error.hpp"

namespace semblance {
namespace {

/// The loader's own message: Boost.DLL wraps it, and appends the text of errno, which is about
/// something else.
std::string loader_message(const std::system_error& failure) {
  std::string text = failure.what();
  constexpr std::string_view begin = "(dlerror system message: ", end = ")";
  const std::size_t from = text.find(begin), to = text.rfind(end);
  if (from == text.npos || to == text.npos) return text;
  return text.substr(from + begin.size(), to - from - begin.size());
}

/// Never unloaded, not even at the end.
const boost::dll::shared_library& keep_loaded(boost::dll::shared_library library) {
  static std::mutex mutex;
  static auto& all = *new std::deque<boost::dll::shared_library>;
  const std::lock_guard lock(mutex);
  return all.emplace_back(std::move(library));
}

}  // namespace

const boost::dll::shared_library& loaded_library(const std::filesystem::path& file,
                                                 Symbols symbols) {
  namespace mode = boost::dll::load_mode;
  mode::type wanted = mode::rtld_now;
  if (symbols == Symbols::global) wanted |= mode::rtld_global;
  try {
    return keep_loaded(boost::dll::shared_library(file, wanted));
  } catch (const std::system_error& failure) {
    throw Error(loader_message(failure));
  }
}

}  // namespace semblance
