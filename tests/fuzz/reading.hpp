// SPDX-License-Identifier: MIT
#pragma once

#include <set>

#include "fuzzing.hpp"
#include "semblance/source.hpp"

namespace semblance::fuzzing {

/// Makes a source, asks for its outline and opens it, as a run does: both must agree, labels must
/// be of classes, and all rows must be there. With `model`, as new data for one.
template <class T>
void read_source(const Parameters& parameters, const NewData* model = nullptr) {
  expect_result_or_error([&] {
    testing::TestContext context(1);
    context.budget = memory;
    T source = component<T>(parameters);
    if (model) source.apply_model(*model);
    source.files();
    const Outline promised = source.outline(context);
    const auto data = source.open(context);
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
    require(outline.rows() * outline.layout.size() <= memory, "more than the memory allowed");
    FloatMatrix rows(outline.rows(), outline.layout.size());
    data->read(0, rows.view());
  });
}

/// As many bytes as the first one says.
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
