// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/suggest/data_form.hpp"

namespace semblance::cli {

/// The node `data` of a pipeline: its keys and their values as YAML, in the order written.
class DataNode {
 public:
  /// Replaces the key's value, or adds it at the end.
  void set(const std::string& key, const std::string& value);

  /// {is: source/csv, path: "/data/mine.csv", label: kind}
  std::string text() const;

 private:
  std::vector<std::pair<std::string, std::string>> keys_;
};

/// The wanted column, or file next to the data: of classes, or of numbers to predict. Empty: the
/// form's own classes.
struct WantedTarget {
  std::string label;
  std::string target;
};

/// The source that reads data of this form, and the folder of the pipelines to try. `shipped` is
/// the folder pipelines/suggest. Throws UsageError if the form needs a label, or cannot have one.
struct DataReading {
  DataNode node;
  std::filesystem::path candidates;
};

DataReading reading_of(DataForm form, const std::filesystem::path& data, const WantedTarget& wanted,
                       const std::filesystem::path& shipped);

/// Takes the pipelines that use the attributes of nodes, if there are any.
void prefer_attributes(DataReading& reading);

/// A pipeline to try.
struct Candidate {
  std::string name;  ///< of its file, without the number that orders it
  std::filesystem::path file;
  std::string text;  ///< of the file, with the user's data in place of the original ones
};

/// The pipelines of a folder in the order of their names, each with `data` as its node of that
/// name. Throws Error if there are none, or one has no such node.
std::vector<Candidate> candidates(const std::filesystem::path& folder, const DataNode& data);

}  // namespace semblance::cli
