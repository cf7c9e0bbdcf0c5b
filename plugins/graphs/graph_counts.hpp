// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/graph.hpp"
#include "semblance/matrix.hpp"
#include "semblance/row_error.hpp"
#include "semblance/unknown_rows.hpp"

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

struct ColumnCount {
  std::uint32_t column = 0;
  std::uint64_t count = 0;
};

/// What occurs in a graph, by column.
struct GraphCounts {
  std::vector<ColumnCount> columns;  ///< ascending
  double squares = 0;                ///< of all counts, also of what has no column
};

/// A feature or normalizer whose rows count what occurs in a graph. Interface is Feature or
/// Normalizer.
template <class Interface>
class GraphCounter : public Interface {
 public:
  bool sized_by_content() const noexcept final { return true; }
  void count_values(MatrixView in, std::span<std::size_t> sizes, Context& context) const final {
    for_each_graph(in, shape_, RowError::Of::block, 0, [&](std::size_t i, const GraphView& graph) {
      sizes[i] = counted(graph, context).columns.size();
    });
  }
  void apply(MatrixView in, MutableMatrixView out, Context& context) const final {
    for_each_graph(in, shape_, RowError::Of::block, 0, [&](std::size_t i, const GraphView& graph) {
      const GraphCounts counts = counted(graph, context);
      if (counts.columns.empty() && counts.squares > 0) note_unknown_row(context, i);
      const double scale = unit_length_ && counts.squares > 0 ? 1 / std::sqrt(counts.squares) : 1;
      for (std::size_t k = 0; k < counts.columns.size(); ++k) {
        out.columns_of(i)[k] = counts.columns[k].column;
        out.row(i)[k] = static_cast<float>(static_cast<double>(counts.columns[k].count) * scale);
      }
    });
  }

 protected:
  /// Throws Cancelled on a stop request.
  virtual GraphCounts counted(const GraphView& graph, Context& context) const = 0;

  bool unit_length_ = true;  ///< divide each row by its length
  GraphShape shape_;         ///< of the input; set by bind()
};

}  // namespace semblance::graphs
