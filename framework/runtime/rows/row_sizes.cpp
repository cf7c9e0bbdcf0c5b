// SPDX-License-Identifier: MIT
#include "runtime/rows/row_sizes.hpp"

#include <algorithm>

#include "semblance/samples.hpp"

namespace semblance {

void RowSizes::shape(FloatMatrix& rows, std::size_t first, std::size_t count) const {
  rows.rows = count;
  rows.cols = cols;
  rows.offsets.clear();
  if (offsets)
    for (std::size_t i = 0; i <= count; ++i)
      rows.offsets.push_back((*offsets)[first + i] - (*offsets)[first]);
  rows.values.resize(values(first, count));
  if (sparse) rows.make_sparse();
}

FloatMatrix RowSizes::rows(std::size_t first, std::size_t count) const {
  FloatMatrix made;
  shape(made, first, count);
  return made;
}

RowSizes RowSizes::of_rows(std::size_t first, std::size_t count) const {
  if (!offsets || (first == 0 && count + 1 == offsets->size())) return *this;
  std::vector<std::size_t> own;
  own.reserve(count + 1);
  for (std::size_t i = 0; i <= count; ++i) own.push_back((*offsets)[first + i] - (*offsets)[first]);
  return {cols, std::make_shared<const std::vector<std::size_t>>(std::move(own)), sparse};
}

RowSizes sizes_of_source(const Dataset& data, const Layout& layout) {
  const std::size_t rows = data.outline().rows();
  const bool new_data = data.outline().train_rows == 0 && layout.kind != LayoutKind::sparse;
  std::vector<std::size_t> offsets(1, 0);
  offsets.reserve(rows + 1);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t size = data.values(i);
    if ((size > layout.size() && !new_data) || size % layout.depth != 0)
      throw Error("its row " + std::to_string(i) + " has " + std::to_string(size) +
                  " values, which is no " + describe(layout));
    offsets.push_back(offsets.back() + size);
  }
  return {layout.size(), std::make_shared<const std::vector<std::size_t>>(std::move(offsets)),
          layout.kind == LayoutKind::sparse};
}

std::size_t rows_at_once(std::size_t width) {
  constexpr std::size_t most_values = std::size_t{1} << 18;
  return std::clamp<std::size_t>(most_values / std::max<std::size_t>(width, 1), 1, block_rows);
}

}  // namespace semblance
