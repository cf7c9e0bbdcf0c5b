// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <set>

#include "making.hpp"
#include "semblance/graph.hpp"
#include "semblance/source.hpp"
#include "semblance/two_parts.hpp"

namespace semblance::fuzzing {

/// Sparse rows may be empty; their columns ascend and are of the layout.
inline void check_sparse(MatrixView rows) {
  for (std::size_t row = 0; row < rows.rows; ++row) {
    std::size_t least = 0;
    for (const std::uint32_t column : rows.columns_of(row)) {
      require(column >= least && column < rows.cols, "a column of no allowed place");
      least = std::size_t{column} + 1;
    }
  }
}

/// Reads all rows, of one size or of differing ones. New ones may be longer than the layout says.
inline void read_all(const Dataset& data, bool are_new) {
  const Outline& outline = data.outline();
  if (!outline.layout.ragged()) {
    require(outline.rows() * outline.layout.size() <= memory, "more than the memory allowed");
    FloatMatrix rows(outline.rows(), outline.layout.size());
    return data.read(0, rows.view());
  }
  const bool sparse = outline.layout.kind == LayoutKind::sparse;
  std::vector<std::size_t> sizes;
  std::size_t values = 0;
  for (std::size_t row = 0; row < outline.rows(); ++row) {
    sizes.push_back(data.values(row));
    values += sizes.back();
    require((sizes.back() > 0 || sparse) &&
                ((are_new && !sparse) || sizes.back() <= outline.layout.size()),
            "a row of no allowed size");
    require(sparse || sizes.back() % outline.layout.depth == 0, "a row that ends within a step");
  }
  require(values == outline.values, "not as many values as the outline says");
  require(values <= memory, "more than the memory allowed");
  FloatMatrix rows = sparse ? FloatMatrix::sparse(outline.layout.size(), sizes)
                            : FloatMatrix::ragged(outline.layout.size(), sizes);
  data.read(0, rows.view());
  for (const float value : rows.values) require(std::isfinite(value), "a value that is not finite");
  if (sparse) check_sparse(rows.view());
  if (outline.layout.kind == LayoutKind::graph)
    for (std::size_t row = 0; row < rows.rows; ++row)
      GraphView(std::as_const(rows).view().row_span(row), outline.layout.shape);
  if (outline.layout.kind == LayoutKind::pair)
    for (std::size_t row = 0; row < rows.rows; ++row)
      PairView(std::as_const(rows).view().row_span(row), outline.layout);
}

/// Makes a source by its id, gets its outline and opens it, like a run: both must agree, labels
/// must be classes, and all rows must exist. With `model`, as new data for a model.
inline void read_source(const std::string& id, const Parameters& parameters,
                        const NewData* model = nullptr, const testing::Parts& parts = {}) {
  expect_result_or_error([&] {
    testing::TestContext context(1);
    context.budget = memory;
    const auto source = component<Source>(id, parameters, parts);
    if (model) source->apply_model(*model);
    source->files();
    const Outline promised = source->outline(context);
    const auto data = source->open(context);
    const Outline& outline = data->outline();
    require(outline.layout == promised.layout && outline.rows() == promised.rows() &&
                outline.classes == promised.classes,
            "the data are not what the outline promised");
    require(data->labels().size() == outline.rows(), "not one label a row");
    require(!model || outline.train_rows == 0, "training rows among new data");
    require(outline.columns.empty() || outline.columns.size() == outline.layout.size(),
            "not one name a column");
    std::set<std::int64_t> numbers;
    for (std::size_t row = 0; row < outline.rows(); ++row) {
      numbers.insert(data->number(row));
      data->name(row);
    }
    require(numbers.size() == outline.rows(), "two rows have one number");
    for (const std::int32_t label : data->labels())
      require(label >= -1 && label < std::int32_t(outline.classes.size()), "a label of no class");
    read_all(*data, model != nullptr);
  });
}

/// The number of bytes given by the first one.
inline std::string sized_part(Input& input) {
  std::string part;
  for (std::size_t left = input.byte(); left > 0; --left)
    part.push_back(static_cast<char>(input.byte()));
  return part;
}

/// One of the choices of a text parameter.
inline std::string one_of(const std::vector<std::string>& choices, std::uint8_t which) {
  return choices[which % choices.size()];
}

}  // namespace semblance::fuzzing
