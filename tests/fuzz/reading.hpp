// SPDX-License-Identifier: MIT
#pragma once

#include "fuzzing.hpp"
#include "semblance/source.hpp"

namespace semblance::fuzzing {

/// Makes a source, asks for its outline and opens it, as a run does: both must agree, labels must
/// be of classes, and all rows must be there.
template <class T>
void read_source(const Parameters& parameters) {
  expect_result_or_error([&] {
    testing::TestContext context(1);
    context.budget = memory;
    const T source = component<T>(parameters);
    source.files();
    const Outline promised = source.outline(context);
    const auto data = source.open(context);
    const Outline& outline = data->outline();
    require(outline.layout == promised.layout && outline.rows() == promised.rows() &&
                outline.classes == promised.classes,
            "the data are not what the outline promised");
    require(data->labels().size() == outline.rows(), "not one label a row");
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
