// SPDX-License-Identifier: MIT
#include "runtime/store/row_memory.hpp"

#include <fmt/format.h>

#include "semblance/error.hpp"

namespace semblance {

std::size_t RowMemory::free() const noexcept {
  const std::size_t used = throughout_ + *held_;
  return options_.memory > used ? options_.memory - used : 0;
}

KeptRows::Room RowMemory::room(std::size_t bytes) {
  if (free() < bytes) return {KeptRows::Residence::leaves_on_release, nullptr};
  *held_ += bytes;
  return {KeptRows::Residence::stays,
          std::shared_ptr<void>(nullptr, [held = held_, bytes](void*) { *held -= bytes; })};
}

std::filesystem::path RowMemory::spill_folder() const {
  std::error_code failure;
  const auto folder = options_.cache / "spill";
  std::filesystem::create_directories(folder, failure);
  if (failure)
    throw Error("cannot store matrices on disk: '" + folder.string() + "': " + failure.message() +
                "; choose another folder with --cache DIR or raise --memory");
  return folder;
}

std::shared_ptr<KeptRows> RowMemory::keep(std::size_t rows, std::size_t cols) {
  const std::size_t bytes = rows * cols * sizeof(float);
  KeptRows::Room found = room(bytes);
  if (found.residence == KeptRows::Residence::stays)
    return KeptRows::in_memory(rows, cols, std::move(found));
  journal_.log(LogLevel::info,
               fmt::format("{} x {} values go to disk: the memory budget is exceeded", rows, cols));
  return KeptRows::spilled(spill_folder(), rows, cols);
}

}  // namespace semblance
