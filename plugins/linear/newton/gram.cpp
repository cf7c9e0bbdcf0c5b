// SPDX-License-Identifier: MIT
#include "newton/gram.hpp"

#include "newton/gram_chunk.hpp"

namespace semblance::linear {
namespace {

template <class T>
void fill_chunk(const Rows& rows, std::span<const WeightedRow> chosen, const GramColumns& columns,
                Vectors<T>& chunk) {
  std::vector<float> filled;  // a sparse row in dense form
  for (std::size_t r = 0; r < chosen.size(); ++r) {
    const MatrixView row = rows.view(chosen[r].row, 1);
    const float* x = row.row(0);
    if (row.sparse()) {
      filled.assign(rows.cols(), 0.0F);
      for (std::size_t k = 0; k < row.size(0); ++k) filled[row.columns_of(0)[k]] = row.row(0)[k];
      x = filled.data();
    }
    const auto all = [&](std::size_t k) { return x[k]; };
    const auto some = [&](std::size_t k) { return x[columns.chosen[k]]; };
    if (columns.chosen.empty())
      fill_row(all, rows.cols(), chosen[r].weight, columns, chunk.row(r));
    else
      fill_row(some, rows.cols(), chosen[r].weight, columns, chunk.row(r));
  }
  const std::size_t begin = chosen.front().row;
  rows.release(begin, chosen.back().row + 1 - begin);
}

}  // namespace

template <class T>
bool add_gram(const Rows& rows, std::span<const WeightedRow> chosen, const GramColumns& columns,
              Vectors<T>& matrix, Context& context) {
  if (chosen.empty()) return true;
  Vectors<T> chunk(std::min(chunk_rows, chosen.size()), matrix.cols());
  for (std::size_t first = 0; first < chosen.size(); first += chunk_rows) {
    if (context.stop_requested() != StopReason::none) return false;
    const auto part = chosen.subspan(first, std::min(chunk_rows, chosen.size() - first));
    fill_chunk(rows, part, columns, chunk);
    add_chunk(
        chunk, part.size(), part.front().weight, matrix, [](std::size_t) { return true; }, context);
  }
  return context.stop_requested() == StopReason::none;
}

template bool add_gram(const Rows&, std::span<const WeightedRow>, const GramColumns&,
                       Vectors<float>&, Context&);
template bool add_gram(const Rows&, std::span<const WeightedRow>, const GramColumns&,
                       Vectors<double>&, Context&);

std::size_t gram_bytes(std::size_t dimension, std::size_t value_bytes) noexcept {
  return chunk_rows * padded(dimension) * value_bytes;
}

}  // namespace semblance::linear
