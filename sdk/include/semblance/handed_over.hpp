// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "semblance/source.hpp"

namespace semblance {

/// Data that a program passes to `source/array` in memory, found by their id while this object
/// lives. The id should depend on the content, since it identifies the data in stored results and
/// models. The same id may be registered several times with the same content.
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

/// The data that a program handed over under this id, or null. Thread-safe.
std::shared_ptr<const Dataset> handed_over(std::string_view id);

/// Which symbols strings may have.
enum class SymbolsOf {
  alphabet,  ///< those of the layout's alphabet
  any        ///< others as well (new_symbols.hpp)
};

/// Throws Error unless all values are finite and those of strings are symbols. Messages count rows
/// from `first`.
void check_values(MatrixView rows, const Layout& layout, std::size_t first,
                  SymbolsOf symbols = SymbolsOf::alphabet);

}  // namespace semblance
