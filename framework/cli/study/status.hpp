// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/slurm.hpp"
#include "runtime/store/leases.hpp"
#include "runtime/store/work_folder.hpp"

namespace semblance::cli {

/// How far the work on one graph of a study has come.
struct PartStatus {
  std::string name;
  bool written = false;                                      ///< its results
  std::size_t nodes = 0, done = 0, failed = 0, running = 0;  ///< that learn or keep something
  std::size_t variants = 0, finished = 0, failing = 0;
  std::map<std::string, std::size_t>
      left;  ///< nodes that are neither done nor failed, by component
};

struct FailureStatus {
  std::string node;
  std::string message;
  std::string worker;
  std::string at;
  std::size_t variants = 0;
};

/// Workers that have ended without finishing their work, by what they said.
struct EndedWorkers {
  std::string message;
  std::string where;  ///< one of them, or its log
  std::size_t count = 0;
};

/// What several workers have done so far, as far as their folder tells.
struct StudyStatus {
  std::string kind, name, began;
  std::optional<std::string> cancelled;  ///< when
  std::vector<PartStatus> parts;
  std::vector<LeaseRecord> running;
  std::vector<FailureStatus> failures;
  std::size_t workers = 0;  ///< that live
  std::optional<QueuedTasks> queued;
  std::size_t submitted = 0;  ///< tasks of jobs
  std::vector<EndedWorkers> ended;
  /// What is left of the parts that have begun, with the workers of now; nothing while nothing of
  /// one of the components has been measured.
  std::optional<double> seconds_left;

  bool complete() const;
};

/// Reads it all. Throws Error where nobody has worked in that folder.
StudyStatus study_status(const WorkFolder& folder);

nlohmann::ordered_json status_json(const StudyStatus& status);
void print_status(const StudyStatus& status, const WorkFolder& folder);

}  // namespace semblance::cli
