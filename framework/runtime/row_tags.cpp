// SPDX-License-Identifier: MIT
#include "runtime/row_tags.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "registry/json_text.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

/// As JSON in ASCII; bytes that are no UTF-8 are replaced.
std::string packed(const std::vector<std::string>& names) {
  return nlohmann::json(names).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::vector<std::string> unpacked(const std::string& text) {
  return parse_json(text).get<std::vector<std::string>>();
}

}  // namespace

RowTags RowTags::of(const Dataset& data, std::size_t first, std::size_t count) {
  RowTags tags;
  for (std::size_t row = first; row < first + count; ++row) {
    tags.numbers.push_back(data.number(row));
    tags.names.push_back(data.name(row));
  }
  const bool named =
      std::ranges::any_of(tags.names, [](const auto& name) { return !name.empty(); });
  // The same whether they come from the data or from the store.
  tags.names = named ? unpacked(packed(tags.names)) : std::vector<std::string>();
  return tags;
}

void RowTags::save(StateWriter& out) const {
  out.integers("numbers", numbers);
  out.text("names", packed(names));
}

RowTags RowTags::load(const StateReader& in) {
  RowTags tags;
  tags.numbers = in.integers("numbers");
  try {
    tags.names = unpacked(in.text("names"));
  } catch (const nlohmann::json::exception& problem) {
    throw Error(std::string("the names of rows cannot be read: ") + problem.what());
  }
  if (!tags.names.empty() && tags.names.size() != tags.numbers.size())
    throw Error("there are not as many names of rows as numbers");
  return tags;
}

}  // namespace semblance
