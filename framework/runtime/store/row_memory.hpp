// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <memory>

#include "runtime/services/run_journal.hpp"
#include "runtime/services/run_options.hpp"
#include "runtime/store/kept_rows.hpp"
#include "support/files/owned_folder.hpp"

namespace semblance {

/// The memory budget of a run: what is in memory throughout, and matrices that stay for a while or
/// go to disk.
class RowMemory {
 public:
  RowMemory(const RunOptions& options, RunJournal& journal)
      : options_(options), journal_(journal) {}

  /// Sets the bytes that are taken throughout.
  void take_throughout(std::size_t bytes) noexcept { throughout_ = bytes; }
  /// Whether matrices stay in memory while there is room; otherwise components have all of it.
  void let_rows_stay(bool stay) noexcept { rows_stay_ = stay; }
  /// Takes more bytes while the lease lives. Thread-safe.
  std::shared_ptr<void> take(std::size_t bytes);

  std::size_t free() const noexcept;
  /// Makes rows with room in memory leave it; no thread may look at them meanwhile.
  void spill(KeptRows& rows);

  /// Room for `bytes` bytes; where there is none, released rows leave memory.
  KeptRows::Room room(std::size_t bytes);

  /// A matrix for later stages: in memory while the budget lasts, else on disk.
  std::shared_ptr<KeptRows> keep(std::size_t rows, RowSizes sizes);

  /// The same where this process has only some of the rows.
  std::shared_ptr<KeptRows> keep(std::size_t rows, RowSizes sizes,
                                 std::optional<std::vector<RowSpan>> pieces);

 private:
  /// A new folder for one matrix.
  std::filesystem::path spill_folder();
  std::shared_ptr<KeptRows> made(std::size_t rows, RowSizes sizes, KeptRows::Room found,
                                 const std::optional<std::vector<RowSpan>>& pieces);

  const RunOptions& options_;
  RunJournal& journal_;
  std::shared_ptr<std::atomic<std::size_t>> held_ = std::make_shared<std::atomic<std::size_t>>(0);
  std::size_t throughout_ = 0;
  bool rows_stay_ = true;
  std::unique_ptr<OwnedFolder> spilled_;  ///< made when first needed
};

}  // namespace semblance
