// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace semblance {

/// Whether the store keeps a node's rows; "rows" of a node in parts/N.json.
enum class RowsKept { never, if_needed, always };
NLOHMANN_JSON_SERIALIZE_ENUM(RowsKept, {{RowsKept::never, "never"},
                                        {RowsKept::if_needed, "if needed"},
                                        {RowsKept::always, "always"}})

/// The files of workers on one study in its output folder, below work/. Each is a small JSON file
/// that is replaced as a whole; an unreadable one counts as missing.
///
///     study.json       what is worked on: SharedIdentity, and when it began
///     parts/N.json     the merged graph of each part: nodes, their keys, what is stored of them
///     failed/KEY.json  a node that failed: node, message, worker, at
///     workers/ID/      of each worker: worker.json and run.log
///     leases/          who lives, and who writes results
///     done/N.json      a part whose results are written
class WorkFolder {
 public:
  explicit WorkFolder(const std::filesystem::path& out) : out_(out), root_(out / "joint") {}

  const std::filesystem::path& out() const noexcept { return out_; }
  /// Whether there is work in the folder.
  bool exists() const;
  /// Makes it, with its folders. Throws Error.
  void make() const;

  std::filesystem::path study_file() const { return root_ / "study.json"; }
  std::filesystem::path part_file(const std::string& part) const;
  std::filesystem::path done_file(const std::string& part) const;
  std::filesystem::path failure_file(const std::string& key) const;
  std::filesystem::path leases_folder() const { return root_ / "leases"; }
  std::filesystem::path worker_folder(const std::string& id) const;

  /// null where there is none.
  static nlohmann::ordered_json read(const std::filesystem::path& file);
  /// Not guaranteed to survive a power failure: it only informs.
  static void write(const std::filesystem::path& file, const nlohmann::ordered_json& content);

  std::vector<nlohmann::ordered_json> parts() const;
  std::vector<nlohmann::ordered_json> failures() const;
  std::vector<nlohmann::ordered_json> workers() const;

  /// Forgets failed nodes and that results are written.
  void forget_failures() const;
  void forget_results() const;
  void forget_parts() const;

 private:
  std::vector<nlohmann::ordered_json> all(const char* folder) const;
  void clear(const char* folder) const;

  std::filesystem::path out_;
  std::filesystem::path root_;
};

}  // namespace semblance
