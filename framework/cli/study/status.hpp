// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runtime/store/leases.hpp"
#include "runtime/store/work_folder.hpp"

namespace semblance::cli {

/// The progress of the work on one graph of a study.
struct PartStatus {
  std::string name;
  bool written = false;  ///< its results
  std::size_t nodes = 0, done = 0, failed = 0, running = 0;
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

/// Workers that have ended without finishing their work, by their messages.
struct EndedWorkers {
  std::string message;
  std::string where;  ///< one of them
  std::size_t count = 0;
};

/// The progress of several workers so far, according to their folder.
struct StudyStatus {
  std::string kind, name, began;
  std::vector<PartStatus> parts;
  std::vector<LeaseRecord> running;
  std::vector<FailureStatus> failures;
  std::size_t workers = 0;  ///< the living ones
  std::vector<EndedWorkers> ended;
  /// Estimate for the remaining work on the parts that have begun, with the present workers;
  /// nothing while one of the components has no measurement.
  std::optional<double> seconds_left;

  bool complete() const;
};

/// Reads all of it. Throws Error where no worker has used that folder.
StudyStatus study_status(const WorkFolder& folder);

nlohmann::ordered_json status_json(const StudyStatus& status);
void print_status(const StudyStatus& status, const WorkFolder& folder);

}  // namespace semblance::cli
