// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "semblance/source.hpp"
#include "support/files/file_state.hpp"

namespace semblance {

/// Data sets that successive runs of one program read, each read once: those of sources that read
/// slowly (SlowData), as long as their files do not change. Thread-safe.
class SharedData {
 public:
  /// Retains at most `most` bytes.
  explicit SharedData(std::size_t most) : most_(most) {}

  /// The states of files, which tell whether they have changed.
  using States = std::vector<FileState>;

  /// The data set that was added under this key from files in these states, or nullptr.
  std::shared_ptr<const Dataset> find(const std::string& key, const States& states) const;

  /// Retains a data set, if there is room for it. `states` are those of its files before it was
  /// read.
  void add(const std::string& key, const States& states,
           const std::shared_ptr<const Dataset>& data);

  /// The memory that all of them occupy.
  std::size_t bytes() const;

 private:
  struct Read {
    States states;
    std::shared_ptr<const Dataset> data;
  };

  const std::size_t most_;
  mutable std::mutex mutex_;
  std::map<std::string, Read> read_;
  std::size_t bytes_ = 0;
};

}  // namespace semblance
