// SPDX-License-Identifier: MIT
#include "runtime/store/row_memory.hpp"

#include <fmt/format.h>

#include "semblance/error.hpp"

namespace semblance {

std::size_t RowMemory::free() const noexcept {
  const std::size_t used = throughout_ + *held_;
  return options_.memory > used ? options_.memory - used : 0;
}

std::shared_ptr<void> RowMemory::take(std::size_t bytes) {
  *held_ += bytes;
  return {nullptr, [held = held_, bytes](void*) { *held -= bytes; }};
}

KeptRows::Room RowMemory::room(std::size_t bytes) {
  if (!rows_stay_ || free() < bytes) return {KeptRows::Residence::leaves_on_release, nullptr};
  return {KeptRows::Residence::stays, take(bytes)};
}

void RowMemory::spill(KeptRows& rows) {
  rows.leave_memory([this] { return spill_folder(); });
}

/// The file has no name, or loses it at once. But a file server retains a name while the file is
/// open; if that one is left over, the folder is found and removed with it.
std::filesystem::path RowMemory::spill_folder() {
  const auto refuse = [](const std::string& why) {
    throw Error("cannot store matrices on disk: " + why +
                "; choose another folder with --cache DIR or raise --memory");
  };
  std::error_code failure;
  const auto parent = options_.cache / "spill";
  std::filesystem::create_directories(parent, failure);
  if (failure) refuse("'" + parent.string() + "': " + failure.message());
  std::filesystem::path folder;
  try {
    if (!spilled_) {
      remove_abandoned_folders(parent);
      spilled_ = std::make_unique<OwnedFolder>(parent);
    }
    folder = spilled_->new_path("rows");
    std::filesystem::create_directories(folder, failure);
  } catch (const Error& problem) {
    refuse(problem.what());
  }
  if (failure) refuse("'" + folder.string() + "': " + failure.message());
  return folder;
}

std::shared_ptr<KeptRows> RowMemory::keep(std::size_t rows, RowSizes sizes) {
  return keep(rows, std::move(sizes), std::nullopt);
}

std::shared_ptr<KeptRows> RowMemory::keep(std::size_t rows, RowSizes sizes,
                                          std::optional<std::vector<RowSpan>> pieces) {
  KeptRows::Room found = room(pieces ? bytes_of(sizes, *pieces) : sizes.bytes(0, rows));
  std::shared_ptr<KeptRows> kept = made(rows, std::move(sizes), std::move(found), pieces);
  if (pieces) kept->have_only(*std::move(pieces));
  return kept;
}

std::shared_ptr<KeptRows> RowMemory::made(std::size_t rows, RowSizes sizes, KeptRows::Room found,
                                          const std::optional<std::vector<RowSpan>>& pieces) {
  std::size_t values = pieces ? 0 : sizes.values(0, rows);
  if (pieces)
    for (const RowSpan piece : *pieces) values += sizes.values(piece.first, piece.count);
  if (found.residence == KeptRows::Residence::stays)
    return KeptRows::in_memory(rows, std::move(sizes), std::move(found));
  std::size_t here = pieces ? 0 : rows;
  if (pieces)
    for (const RowSpan piece : *pieces) here += piece.count;
  const std::string shape = sizes.offsets ? fmt::format("{} values of {} rows", values, here)
                                          : fmt::format("{} x {} values", here, sizes.cols);
  journal_.log(LogLevel::info, fmt::format("{} go to disk: the memory budget is exceeded", shape));
  return KeptRows::spilled(spill_folder(), rows, std::move(sizes), pieces);
}

}  // namespace semblance
