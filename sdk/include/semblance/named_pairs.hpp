// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "semblance/context.hpp"
#include "semblance/matrix.hpp"
#include "semblance/two_parts.hpp"

namespace semblance {

/// The samples of two sources by name, of which a model's pairs are made. Const members may be
/// called from several threads at once.
class NamedPairs {
 public:
  virtual ~NamedPairs();

  /// Of the pairs; both parts are those of the sources.
  virtual const Layout& layout() const noexcept = 0;
  /// The column of a table of pairs that names the samples of a side; "first" or "second" if
  /// columns have numbers only.
  virtual std::string column(Side side) const = 0;
  /// The position of a sample. Throws Error, a sentence without subject, if there is none.
  virtual std::uint32_t find(Side side, std::string_view name) const = 0;
  /// The pairs of samples at these positions, as rows of the layout.
  virtual FloatMatrix rows(std::span<const std::array<std::uint32_t, 2>> pairs) const = 0;
};

}  // namespace semblance
