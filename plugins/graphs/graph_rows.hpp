// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "semblance/graph.hpp"
#include "semblance/matrix.hpp"
#include "semblance/row_error.hpp"

namespace semblance::graphs {

/// Calls visit(i, graph) for each row. What it throws names the row, counted from `first`.
template <class Visit>
void for_each_graph(MatrixView rows, const GraphShape& shape, RowError::Of of, std::size_t first,
                    const Visit& visit) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    try {
      const GraphView graph(rows.row_span(i), shape);
      visit(i, graph);
    } catch (const Cancelled&) {
      throw;
    } catch (const RowError&) {
      throw;
    } catch (const Error& error) {
      throw RowError(of, first + i, "", std::string(": ") + error.what());
    }
  }
}

}  // namespace semblance::graphs
