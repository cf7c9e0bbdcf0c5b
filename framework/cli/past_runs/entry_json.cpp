// SPDX-License-Identifier: MIT
#include "cli/past_runs/entry_json.hpp"

namespace semblance::cli {

nlohmann::ordered_json json_of(const HistoryEntry& entry) {
  return {
      {"id", entry.id},           {"kind", entry.kind},       {"name", entry.name},
      {"folder", entry.folder},   {"started", entry.started}, {"wall_seconds", entry.wall_seconds},
      {"seed", entry.seed},       {"status", entry.status},   {"version", entry.version},
      {"metrics", entry.metrics}, {"command", entry.command}, {"tags", entry.tags},
      {"note", entry.note}};
}

}  // namespace semblance::cli
