// SPDX-License-Identifier: MIT
#include "runtime/store/kept_rows.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "runtime/store/state_files.hpp"
#include "semblance/error.hpp"
#include "support/files/atomic_file.hpp"
#include "support/files/hash.hpp"
#include "support/files/npy.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

fs::path rows_file(const fs::path& folder) { return folder / "rows.npy"; }
fs::path offsets_file(const fs::path& folder) { return folder / "offsets.npy"; }
fs::path columns_file(const fs::path& folder) { return folder / "columns.npy"; }

// The only type of column numbers in the store.
constexpr const char* columns_type = "<u4";
static_assert(sizeof(float) == sizeof(std::uint32_t), "values and columns lie at the same places");

[[noreturn]] void refuse_shape(const fs::path& file) {
  throw Error("'" + file.string() + "' has an unexpected shape");
}

void write_offsets(const fs::path& folder, const RowSizes& sizes) {
  const std::vector<std::int64_t> offsets(sizes.offsets->begin(), sizes.offsets->end());
  write_file_atomically(offsets_file(folder), npy::to_bytes(offsets));
}

/// Reads the offsets; refuses rows of more than `cols` values and offsets that descend.
RowSizes read_offsets(const fs::path& folder, std::size_t rows, std::size_t cols, bool sparse) {
  const fs::path file = offsets_file(folder);
  const auto read = npy::integers(read_whole_file(file), file.string());
  if (read.size() != rows + 1 || read.front() != 0) refuse_shape(file);
  std::vector<std::size_t> offsets(1, 0);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int64_t size = read[i + 1] - read[i];
    if (size < 0 || static_cast<std::size_t>(size) > cols) refuse_shape(file);
    offsets.push_back(offsets.back() + static_cast<std::size_t>(size));
  }
  return {cols, std::make_shared<const std::vector<std::size_t>>(std::move(offsets)), sparse};
}

/// The shape of the values in the .npy file.
std::vector<std::size_t> shape_of(std::size_t rows, const RowSizes& sizes) {
  if (sizes.offsets) return {sizes.values(0, rows)};
  return {rows, sizes.cols};
}

/// A new file for this many values of 4 bytes.
Mapping new_array(const fs::path& file, const char* type, const std::vector<std::size_t>& shape,
                  std::size_t bytes) {
  Mapping mapping = Mapping::create(file, npy::header_bytes + bytes);
  const std::string header = npy::header(type, shape);
  std::memcpy(mapping.data(), header.data(), header.size());
  return mapping;
}

Mapping existing_array(const fs::path& file, const char* type,
                       const std::vector<std::size_t>& shape) {
  Mapping mapping = Mapping::open(file);
  const std::string_view content(reinterpret_cast<const char*>(mapping.data()), mapping.size());
  const npy::Shape found = npy::parse(content, file.string());
  if (found.type != type || found.shape != shape) refuse_shape(file);
  return mapping;
}

}  // namespace

std::shared_ptr<KeptRows> KeptRows::make(std::size_t rows, RowSizes sizes, Room room) {
  auto kept = std::make_shared<KeptRows>();
  kept->rows_ = rows;
  kept->sizes_ = std::move(sizes);
  kept->room_ = std::move(room);
  return kept;
}

std::shared_ptr<KeptRows> KeptRows::in_memory(std::size_t rows, RowSizes sizes, Room room) {
  auto kept = make(rows, std::move(sizes), std::move(room));
  kept->mapping_ = Mapping::anonymous(kept->value_bytes());
  if (kept->sizes_.sparse) kept->columns_ = Mapping::anonymous(kept->value_bytes());
  return kept;
}

std::shared_ptr<KeptRows> KeptRows::spilled(const fs::path& folder, std::size_t rows,
                                            RowSizes sizes,
                                            const std::optional<std::vector<RowSpan>>& pieces) {
  auto kept = make(rows, std::move(sizes), {Residence::leaves_on_release, nullptr});
  std::vector<Mapping::Piece> room;
  if (!pieces) room.emplace_back(0, kept->value_bytes());
  if (pieces)
    for (const RowSpan piece : *pieces)
      room.emplace_back(kept->sizes_.values(0, piece.first) * sizeof(float),
                        kept->sizes_.values(0, piece.end()) * sizeof(float));
  kept->mapping_ = Mapping::temporary(folder, kept->value_bytes(), room);
  if (kept->sizes_.sparse) kept->columns_ = Mapping::temporary(folder, kept->value_bytes(), room);
  return kept;
}

std::shared_ptr<KeptRows> KeptRows::in_folder(const fs::path& folder, std::size_t rows,
                                              RowSizes sizes, Room room) {
  if (sizes.offsets) write_offsets(folder, sizes);
  auto kept = make(rows, std::move(sizes), std::move(room));
  kept->offset_ = npy::header_bytes;
  const std::vector<std::size_t> shape = shape_of(rows, kept->sizes_);
  kept->mapping_ = new_array(rows_file(folder), "<f4", shape, kept->value_bytes());
  if (kept->sizes_.sparse)
    kept->columns_ = new_array(columns_file(folder), columns_type, shape, kept->value_bytes());
  return kept;
}

std::shared_ptr<KeptRows> KeptRows::in_shared_folder(const fs::path& folder, std::size_t rows,
                                                     RowSizes sizes, Room room,
                                                     std::vector<RowSpan> pieces, bool makes) {
  std::shared_ptr<KeptRows> kept;
  if (makes) {
    kept = in_folder(folder, rows, std::move(sizes), std::move(room));
  } else {
    kept = make(rows, std::move(sizes), std::move(room));
    kept->offset_ = npy::header_bytes;
    kept->mapping_ = Mapping::join(rows_file(folder), npy::header_bytes + kept->value_bytes());
  }
  kept->shared_file_ = rows_file(folder);
  kept->have_only(std::move(pieces));
  // A client of a file server writes whole pages: if two machines write to one page, the rows of
  // one machine are lost.
  const std::size_t page = Mapping::page_bytes();
  for (const RowSpan piece : *kept->pieces_) {
    const std::size_t first = kept->place(piece.first), end = kept->place(piece.end());
    if (first == end) continue;
    if (first % page != 0) kept->mapping_.keep_apart(first);
    if (end % page != 0) kept->mapping_.keep_apart(end - 1);
  }
  return kept;
}

/// The offset of a row in the file.
std::size_t KeptRows::place(std::size_t row) const {
  return offset_ + sizes_.values(0, row) * sizeof(float);
}

std::vector<KeptRows::Written> KeptRows::written() const {
  const std::size_t page = Mapping::page_bytes();
  const auto bytes_at = [&](std::size_t first, std::size_t end) {
    return std::string_view(reinterpret_cast<const char*>(mapping_.data() + first), end - first);
  };
  std::vector<Written> all;
  for (const RowSpan piece : *pieces_) {
    const std::size_t first = place(piece.first), end = place(piece.end());
    if (first == end) continue;
    PiecewiseHash hash;
    for (std::size_t row = piece.first; row < piece.end(); row += block_rows) {
      const std::size_t count = std::min(block_rows, piece.end() - row);
      hash.add(bytes_at(place(row), place(row + count)));
      release(row, count);
    }
    Written& one = all.emplace_back(Written{first, end - first, hash.text(), {}, {}});
    const std::size_t after_head = std::min(end, (first + page - 1) / page * page);
    const std::size_t before_tail = std::max(after_head, end / page * page);
    one.head = bytes_at(first, after_head);
    one.tail = bytes_at(before_tail, end);
  }
  return all;
}

std::shared_ptr<KeptRows> KeptRows::open(const fs::path& folder, std::size_t rows, std::size_t cols,
                                         Kind kind, const std::function<Room(std::size_t)>& room,
                                         std::optional<std::vector<RowSpan>> pieces) {
  const RowSizes sizes = kind == Kind::equal
                             ? RowSizes{cols, nullptr}
                             : read_offsets(folder, rows, cols, kind == Kind::sparse);
  auto kept = make(rows, sizes, {});
  kept->pieces_ = std::move(pieces);
  kept->room_ = room(kept->bytes_here());
  kept->offset_ = npy::header_bytes;
  const std::vector<std::size_t> shape = shape_of(rows, kept->sizes_);
  kept->mapping_ = existing_array(rows_file(folder), "<f4", shape);
  if (kept->sizes_.sparse)
    kept->columns_ = existing_array(columns_file(folder), columns_type, shape);
  return kept;
}

std::size_t bytes_of(const RowSizes& sizes, const std::vector<RowSpan>& pieces) {
  std::size_t bytes = 0;
  for (const RowSpan piece : pieces) bytes += sizes.bytes(piece.first, piece.count);
  return bytes;
}

std::size_t KeptRows::bytes_here() const { return pieces_ ? bytes_of(sizes_, *pieces_) : bytes(); }

MutableMatrixView KeptRows::writable(std::size_t first, std::size_t count) const {
  // Pages that were never written read as zeros, which gives a wrong figure instead of an error.
  if (pieces_ && count > 0 && std::ranges::none_of(*pieces_, [&](RowSpan piece) {
        return first >= piece.first && first + count <= piece.end();
      }))
    throw Error("internal error: rows " + std::to_string(first) + " to " +
                std::to_string(first + count) + " belong to another rank");
  // Without a pointer to columns, rows would not be sparse, even where there are no entries.
  static std::uint32_t no_column = 0;
  auto* values = reinterpret_cast<float*>(mapping_.data() + offset_);
  std::uint32_t* columns = nullptr;
  if (sizes_.sparse)
    columns = value_bytes() == 0 ? &no_column
                                 : reinterpret_cast<std::uint32_t*>(columns_.data() + offset_);
  const MutableMatrixView all{
      values, rows_, cols(), cols(), sizes_.offsets ? sizes_.offsets->data() : nullptr, columns};
  return all.rows_range(first, count);
}

void KeptRows::release(std::size_t first, std::size_t count) const {
  if (room_.residence != Residence::leaves_on_release) return;
  const std::size_t begin = place(first), size = sizes_.values(first, count) * sizeof(float);
  mapping_.drop(begin, size);
  if (sizes_.sparse) columns_.drop(begin, size);
}

void KeptRows::leave_memory(const std::function<fs::path()>& spill_folder) {
  if (room_.residence == Residence::leaves_on_release) return;
  if (!mapping_.backed_by_file() && mapping_.size() > 0) {
    const fs::path folder = spill_folder();
    const auto move = [&](Mapping& rows) {
      if (rows.size() == 0) return;
      Mapping file = Mapping::temporary(folder, rows.size());
      std::memcpy(file.data(), rows.data(), rows.size());
      rows = std::move(file);
    };
    move(mapping_);
    move(columns_);
  }
  room_ = {Residence::leaves_on_release, nullptr};
  mapping_.drop(0, mapping_.size());
  columns_.drop(0, columns_.size());
}

}  // namespace semblance
