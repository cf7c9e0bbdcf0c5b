// SPDX-License-Identifier: MIT
#include "runtime/store/kept_rows.hpp"

#include <cstring>

#include "semblance/error.hpp"
#include "support/npy.hpp"

namespace semblance {

std::shared_ptr<KeptRows> KeptRows::in_memory(std::size_t rows, std::size_t cols, Room room) {
  auto kept = std::make_shared<KeptRows>();
  kept->rows_ = rows;
  kept->cols_ = cols;
  kept->room_ = std::move(room);
  kept->mapping_ = Mapping::anonymous(kept->bytes());
  return kept;
}

std::shared_ptr<KeptRows> KeptRows::spilled(const std::filesystem::path& folder, std::size_t rows,
                                            std::size_t cols) {
  auto kept = std::make_shared<KeptRows>();
  kept->rows_ = rows;
  kept->cols_ = cols;
  kept->room_.residence = Residence::leaves_on_release;
  kept->mapping_ = Mapping::temporary(folder, kept->bytes());
  return kept;
}

std::shared_ptr<KeptRows> KeptRows::in_file(const std::filesystem::path& file, std::size_t rows,
                                            std::size_t cols, Room room) {
  auto kept = std::make_shared<KeptRows>();
  kept->rows_ = rows;
  kept->cols_ = cols;
  kept->room_ = std::move(room);
  kept->offset_ = npy::header_bytes;
  kept->mapping_ = Mapping::create(file, npy::header_bytes + kept->bytes());
  const std::size_t shape[] = {rows, cols};
  const std::string header = npy::header("<f4", shape);
  std::memcpy(kept->mapping_.data(), header.data(), header.size());
  return kept;
}

std::shared_ptr<KeptRows> KeptRows::open(const std::filesystem::path& file, std::size_t rows,
                                         std::size_t cols, Room room) {
  auto kept = std::make_shared<KeptRows>();
  kept->rows_ = rows;
  kept->cols_ = cols;
  kept->room_ = std::move(room);
  kept->offset_ = npy::header_bytes;
  kept->mapping_ = Mapping::open(file);
  const std::string_view content(reinterpret_cast<const char*>(kept->mapping_.data()),
                                 kept->mapping_.size());
  const auto found = npy::parse(content, file.string());
  if (found.type != "<f4" || found.shape != std::vector<std::size_t>{rows, cols})
    throw Error("'" + file.string() + "' has an unexpected shape");
  return kept;
}

MutableMatrixView KeptRows::writable(std::size_t first, std::size_t count) const {
  auto* values = reinterpret_cast<float*>(mapping_.data() + offset_);
  return {values + first * cols_, count, cols_, cols_};
}

void KeptRows::release(std::size_t first, std::size_t count) const {
  if (room_.residence == Residence::leaves_on_release)
    mapping_.drop(offset_ + first * cols_ * sizeof(float), count * cols_ * sizeof(float));
}

}  // namespace semblance
