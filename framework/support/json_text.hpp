// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace semblance {

/// The accepted nesting: far deeper than any file of this program, far less than a stack allows.
inline constexpr std::size_t deepest_json = 64;

/// The accepted number of keys per object: each is compared with earlier ones.
inline constexpr std::size_t most_json_keys = 50'000;

/// Parses an untrusted or damaged JSON file. Throws nlohmann::json::exception where it is not JSON,
/// is nested too deeply, or has an object with too many keys.
nlohmann::ordered_json parse_json(std::string_view text);

/// The fault of such a file, in words that quote nothing of it; the message of an exception
/// that is not the JSON library's.
std::string json_problem(const std::exception& problem);

/// An integer of such a file; get() would convert any number. Throws nlohmann::json::exception for
/// anything else, or where it does not fit.
template <std::integral Integer>
Integer integer_in(const nlohmann::ordered_json& value) {
  if (value.is_number_unsigned()) {
    if (const auto number = value.get<std::uint64_t>(); std::in_range<Integer>(number))
      return static_cast<Integer>(number);
  } else if (value.is_number_integer()) {
    if (const auto number = value.get<std::int64_t>(); std::in_range<Integer>(number))
      return static_cast<Integer>(number);
  }
  throw nlohmann::ordered_json::type_error::create(
      302,
      std::string("a whole number is wanted, this is a ") + value.type_name() +
          (value.is_number() ? " " + value.dump() : ""),
      &value);
}

/// An array of integers.
template <std::integral Integer>
std::vector<Integer> integers_in(const nlohmann::ordered_json& array) {
  std::vector<Integer> all;
  for (const auto& value : array.get_ref<const nlohmann::ordered_json::array_t&>())
    all.push_back(integer_in<Integer>(value));
  return all;
}

/// A number for JSON, which has no NaN and no infinity: these become "nan", "-nan", "inf" and
/// "-inf".
nlohmann::ordered_json number_to_json(double value);

/// Throws Error, or an exception of the JSON library, where it is not such a number.
double number_from_json(const nlohmann::ordered_json& stored);

/// Whether a file name in an index leads to a file in the folder of the index.
bool leads_inside(const std::filesystem::path& name);

/// A quotation from such a file for a message: control characters become question marks.
std::string one_line(std::string text);

}  // namespace semblance
