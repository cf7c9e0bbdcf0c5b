// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace semblance {

enum class ParameterType {
  boolean,
  integer,
  number,
  text,
  path,      ///< a file or folder, relative to the data folder
  integers,  ///< list
  numbers,   ///< list
  texts,     ///< list
  mapping,   ///< values by name: `{max_depth: 5, criterion: gini}`
  component  ///< another component: `{is: similarity/rbf, gamma: 1}`
};

/// "integer", "list of numbers", ...
const char* name(ParameterType type) noexcept;

/// One value: null, true or false, a number, or a text. 1 and 1.0 differ.
using Scalar = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// Values by name, each a scalar or a list of scalars. The order of names has no meaning.
using NamedValues = std::map<std::string, std::variant<std::monostate, bool, std::int64_t, double,
                                                       std::string, std::vector<Scalar>>>;

/// A parameter's value. Paths are strings; a component has no value of its own (monostate).
using Value =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                 std::vector<double>, std::vector<std::string>, NamedValues>;

/// For messages and documentation: `true`, `0.5`, `[1, 2]`, `text`, `{depth: 5, rule: "1"}`. A
/// mapping is written as in a pipeline.
std::string to_text(const Value& value);

/// A text as YAML reads it back: in double quotes if it could be read as another type.
std::string yaml_text(const std::string& text);

/// A range of numbers; for lists it applies to every element. Mappings have none.
struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;   ///< `low` itself is not allowed
  bool high_open = false;  ///< `high` itself is not allowed

  bool contains(double x) const noexcept {
    return (low_open ? x > low : x >= low) && (high_open ? x < high : x <= high);
  }
  bool bounded() const noexcept;
  std::string text() const;  ///< "(0, inf]"
};

/// A parameter, declared once: checks, messages, documentation and schema are derived from this.
struct ParameterInfo {
  std::string name;
  ParameterType type = ParameterType::number;
  std::string documentation;  ///< one line
  Value fallback;             ///< the default; null if required, or for components
  bool required = false;
  bool optional = false;  ///< a component that may be omitted; a path that may be empty
  std::string unit;
  Interval interval;
  std::vector<std::string> choices;  ///< for a text; empty: anything
  std::string kind;                  ///< for a component: `similarity`
  std::string default_component;     ///< for a component: the id used when none is given

  /// One sentence that says why `value` is not allowed, or nothing. Does not check components.
  std::optional<std::string> check(const Value& value) const;
};

}  // namespace semblance
