// SPDX-License-Identifier: MIT
#include "support/files/synced_together.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "semblance/error.hpp"

namespace semblance {
namespace {

thread_local int alive = 0;

}  // namespace

SyncedTogether::SyncedTogether(std::filesystem::path folder) : folder_(std::move(folder)) {
  ++alive;
}

SyncedTogether::~SyncedTogether() { --alive; }

bool SyncedTogether::lives() { return alive > 0; }

void SyncedTogether::finish() {
  const int place = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int problem = place < 0 || ::syncfs(place) != 0 ? errno : 0;
  if (place >= 0) ::close(place);
  if (problem != 0)
    throw Error(fmt::format("{}: cannot write to the disk: {}", folder_.string(),
                            std::generic_category().message(problem)));
}

}  // namespace semblance
