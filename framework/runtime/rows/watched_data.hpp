// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "semblance/source.hpp"

namespace semblance {

/// The data set that a source has opened. It sets a mark after rows have been read: a source may
/// read its files on every request for rows.
class WatchedData final : public Dataset {
 public:
  using Mark = std::atomic<bool>;

  WatchedData(std::unique_ptr<Dataset> data, std::shared_ptr<Mark> was_read)
      : data_(std::move(data)), was_read_(std::move(was_read)) {}

  const Outline& outline() const noexcept override { return data_->outline(); }
  std::span<const std::int32_t> labels() const noexcept override { return data_->labels(); }
  std::span<const double> weights() const noexcept override { return data_->weights(); }
  std::span<const std::int32_t> groups() const noexcept override { return data_->groups(); }
  std::size_t values(std::size_t row) const override { return data_->values(row); }
  /// The mark is set last: otherwise a check of the files during the read would clear it too early.
  void read(std::size_t first, MutableMatrixView out) const override {
    data_->read(first, out);
    was_read_->store(true, std::memory_order_release);
  }
  std::size_t bytes() const noexcept override { return data_->bytes(); }
  std::int64_t number(std::size_t row) const override { return data_->number(row); }
  std::string name(std::size_t row) const override { return data_->name(row); }
  /// A program owns these rows, and no file changes them.
  MatrixView in_place(std::size_t first, std::size_t count) const noexcept override {
    return data_->in_place(first, count);
  }

 private:
  std::unique_ptr<Dataset> data_;
  std::shared_ptr<Mark> was_read_;
};

}  // namespace semblance
