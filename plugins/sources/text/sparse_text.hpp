// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "class_names.hpp"
#include "semblance/context.hpp"

namespace semblance {

/// Sparse rows, one after the other.
struct SparseRows {
  std::vector<std::size_t> starts = {0};  ///< row i holds entries [starts[i], starts[i + 1])
  std::vector<std::uint32_t> columns;     ///< ascending within a row, from 0
  std::vector<float> values;
  std::vector<std::int32_t> labels;  ///< as ClassNames numbers them; -1 without one
  ClassNames classes;
  std::size_t width = 0;  ///< largest column + 1

  std::size_t rows() const noexcept { return labels.size(); }
  /// Of memory, about.
  double bytes() const noexcept {
    return double(values.size()) * 8 + double(rows()) * 12 + double(classes.bytes());
  }
};

/// Appends the rows of a file in LIBSVM's format: `label index:value ...`, indices from 1 and
/// ascending, `#` starts a comment. Either all rows of a file have a label or, where
/// `may_lack_labels`, none has. Throws DataError naming the line.
void read_sparse_text(const std::string& file, bool may_lack_labels, SparseRows& rows,
                      Context& context);

}  // namespace semblance
