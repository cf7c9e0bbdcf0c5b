// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rows/column_precision.hpp"
#include "rows/memory_limit.hpp"
#include "rows/row_facts.hpp"
#include "rows/spilling_array.hpp"
#include "semblance/context.hpp"

namespace semblance::sources {

/// Sparse rows, one after the other. Entries are those of the rows that are wanted.
struct SparseRows : RowFacts {
  WantedRows wanted;                      ///< of the rows, counted over all files
  HeldRows held;                          ///< unless all are wanted
  std::vector<std::size_t> starts = {0};  ///< stored row i has entries [starts[i], starts[i + 1])
  SpillingArray<std::uint32_t> indices;   ///< as written, ascending within a row
  SpillingArray<float> values;
  std::size_t given = 0;             ///< entries of all rows
  std::vector<std::size_t> named;    ///< number of rows with an index, for watched indices
  std::uint32_t least = UINT32_MAX;  ///< of all indices; UINT32_MAX: none
  std::uint32_t largest = 0;
  std::size_t numbered = 0;   ///< rows that start with 0:N, where N is their number, from 1
  std::string largest_at;     ///< "line 12 of FILE", where the largest one stands first
  ColumnPrecision precision;  ///< of each index from 0 on

  /// The approximate memory in bytes.
  double bytes() const noexcept {
    return double(values.bytes_in_memory() + indices.bytes_in_memory()) + double(named.size()) * 8 +
           growing_bytes(starts) + RowFacts::bytes() + precision.bytes();
  }
};

/// The allowed contents of a file in LIBSVM's format.
struct SparseFormat {
  /// Rows are those of a kernel matrix: `label 0:NUMBER 1:VALUE 2:VALUE ...`.
  bool precomputed = false;
  bool numbers_count = false;  ///< a row's NUMBER must be its own, from 1
  FactRules facts = {};
  std::uint32_t first = 0;        ///< the least index that may occur
  std::uint32_t last = 1u << 31;  ///< and the largest
  std::string why_last;           ///< completes "is larger than ..., " if `last` is known
};

/// Appends the rows of a file in LIBSVM's format: `label index:value ...`, indices ascending, `#`
/// starts a comment. Either all rows of a file have a label or target or, if they may lack it,
/// none. Throws DataError naming the line.
void read_sparse_text(const std::string& file, const SparseFormat& format, SparseRows& rows,
                      Context& context);

}  // namespace semblance::sources
