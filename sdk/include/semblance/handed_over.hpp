// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "semblance/source.hpp"

namespace semblance {

/// Data that a program hands to `source/array` in memory: found under their id while this object
/// lives. The id should follow from the content, for it is what the data are known by in stored
/// results and in models. The same id may be handed over several times, with the same content.
class HandedOver {
 public:
  HandedOver(std::string id, std::shared_ptr<const Dataset> data);
  HandedOver(HandedOver&& other) noexcept;
  HandedOver& operator=(HandedOver&& other) noexcept;
  HandedOver(const HandedOver&) = delete;
  HandedOver& operator=(const HandedOver&) = delete;
  ~HandedOver();

  const std::string& id() const noexcept { return id_; }

 private:
  void take_back() noexcept;

  std::string id_;
  std::shared_ptr<const Dataset> data_;  ///< none: moved from
};

/// What a program has handed over under that id; nothing where it has not. Thread-safe.
std::shared_ptr<const Dataset> handed_over(std::string_view id);

/// Throws Error unless the values of all rows are finite and those of strings symbols of their
/// alphabet. Messages count rows from `first` on.
void check_values(MatrixView rows, const Layout& layout, std::size_t first);

}  // namespace semblance
