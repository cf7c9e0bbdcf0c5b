// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/rows/row_sizes.hpp"
#include "runtime/rows/row_span.hpp"
#include "semblance/samples.hpp"
#include "support/files/mapping.hpp"

namespace semblance {

/// A matrix that stages retain for later stages: in memory, in a file of the artifact store, or
/// spilled to a temporary file. Where the memory budget is tight, released rows leave memory and
/// come back from the file.
class KeptRows final : public Rows {
 public:
  enum class Residence { stays, leaves_on_release };
  enum class Kind { equal, ragged, sparse };  ///< of one size, or not; sparse: these have columns

  /// Room in the memory budget, returned when the rows are gone.
  struct Room {
    Residence residence = Residence::stays;
    std::shared_ptr<void> lease;
  };

  /// `sizes` are of exactly these rows.
  static std::shared_ptr<KeptRows> in_memory(std::size_t rows, RowSizes sizes, Room room);
  /// With `pieces`, only these rows take room on disk.
  static std::shared_ptr<KeptRows> spilled(const std::filesystem::path& folder, std::size_t rows,
                                           RowSizes sizes,
                                           const std::optional<std::vector<RowSpan>>& pieces = {});
  /// A new .npy file in that folder, rows.npy. It holds a matrix; or, where rows differ in size,
  /// their values one after the other, with their offsets in offsets.npy and, for sparse rows,
  /// their columns in columns.npy.
  static std::shared_ptr<KeptRows> in_folder(const std::filesystem::path& folder, std::size_t rows,
                                             RowSizes sizes, Room room);
  /// The same file where several processes, possibly on several machines, fill it with their own
  /// rows (not sparse ones): one `makes` it, then the other processes open it. Pages of the file
  /// that also hold another process's rows are not written here: written() returns those rows, and
  /// one process writes them for all.
  static std::shared_ptr<KeptRows> in_shared_folder(const std::filesystem::path& folder,
                                                    std::size_t rows, RowSizes sizes, Room room,
                                                    std::vector<RowSpan> pieces, bool makes);
  /// Opens a file that in_folder() made, of exactly that shape; throws Error otherwise. `room`
  /// allots a number of bytes. With `pieces`, this process has only those rows.
  static std::shared_ptr<KeptRows> open(const std::filesystem::path& folder, std::size_t rows,
                                        std::size_t cols, Kind kind,
                                        const std::function<Room(std::size_t bytes)>& room,
                                        std::optional<std::vector<RowSpan>> pieces = std::nullopt);

  std::size_t rows() const noexcept override { return rows_; }
  std::size_t cols() const noexcept override { return sizes_.cols; }
  const RowSizes& sizes() const noexcept { return sizes_; }
  MatrixView view(std::size_t first, std::size_t count) const override {
    return writable(first, count);
  }
  void release(std::size_t first, std::size_t count) const override;

  /// Returns its room in the memory budget: from now on released rows leave memory. Rows without a
  /// file are written to one in the folder that `spill_folder` makes. No thread may look at the
  /// rows meanwhile.
  void leave_memory(const std::function<std::filesystem::path()>& spill_folder);

  MutableMatrixView writable(std::size_t first, std::size_t count) const;
  std::size_t bytes() const { return sizes_.bytes(0, rows_); }

  /// For rows distributed over processes: only these pieces are here, and only they take memory.
  void have_only(std::vector<RowSpan> pieces) { pieces_ = std::move(pieces); }
  /// The bytes of the rows that are here.
  std::size_t bytes_here() const;

  /// Whether other processes fill the same file, and which file.
  bool shared() const noexcept { return !shared_file_.empty(); }
  const std::filesystem::path& shared_file() const noexcept { return shared_file_; }

  /// Some of this process's rows in the shared file.
  struct Written {
    std::size_t at = 0;  ///< in bytes
    std::size_t bytes = 0;
    std::string checksum;
    std::string head, tail;  ///< what is not written to the file: its first bytes, its last ones
  };
  std::vector<Written> written() const;

 private:
  std::size_t value_bytes() const { return sizes_.values(0, rows_) * sizeof(float); }
  std::size_t place(std::size_t row) const;
  static std::shared_ptr<KeptRows> make(std::size_t rows, RowSizes sizes, Room room);

  Mapping mapping_;
  Mapping columns_;  // of sparse rows
  std::size_t offset_ = 0;
  std::size_t rows_ = 0;
  RowSizes sizes_;
  std::optional<std::vector<RowSpan>> pieces_;
  std::filesystem::path shared_file_;
  Room room_;
};

/// The bytes of some rows.
std::size_t bytes_of(const RowSizes& sizes, const std::vector<RowSpan>& pieces);

/// Rows [first, first + count) of another object, counted from 0.
class RowRange final : public Rows {
 public:
  RowRange(std::shared_ptr<const Rows> all, std::size_t first, std::size_t count)
      : all_(std::move(all)), first_(first), count_(count) {}
  std::size_t rows() const noexcept override { return count_; }
  std::size_t cols() const noexcept override { return all_->cols(); }
  MatrixView view(std::size_t first, std::size_t count) const override {
    return all_->view(first_ + first, count);
  }
  void release(std::size_t first, std::size_t count) const override {
    all_->release(first_ + first, count);
  }

 private:
  std::shared_ptr<const Rows> all_;
  std::size_t first_;
  std::size_t count_;
};

}  // namespace semblance
