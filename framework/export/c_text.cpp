// SPDX-License-Identifier: MIT
#include "export/c_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>

#include "semblance/error.hpp"
#include "support/safe_text.hpp"

namespace semblance {
namespace {

using Operation = Formula::Operation;

template <class Number>
std::string hexadecimal(Number value, const char* suffix) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
  return fmt::format("{:a}{}", value, suffix);
}

/// Writes the values of a matrix of `rows` rows, panel by panel.
template <class Number>
std::vector<Number> in_panels(const std::vector<Number>& values, std::size_t rows) {
  constexpr std::size_t lanes = c_lanes(std::is_same_v<Number, double>);
  const std::size_t cols = values.size() / rows, panels = (rows + lanes - 1) / lanes;
  std::vector<Number> packed(panels * cols * lanes);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < cols; ++k)
      packed[(i / lanes * cols + k) * lanes + i % lanes] = values[i * cols + k];
  return packed;
}

template <class Number>
std::string array_of(const std::vector<Number>& values, const std::string& name, bool wide) {
  constexpr std::size_t a_line = 8;
  std::string text = fmt::format("static const {} {}[{}] = {{", c_type(wide), name, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += i % a_line == 0 ? "\n  " : " ";
    text += c_literal(values[i]);
    if (i + 1 < values.size()) text += ",";
  }
  return text + "\n};\n";
}

/// The term that a value of a row `w` and one of the argument `v` add to the sum `s[j]`.
const char* summand(Operation operation) {
  switch (operation) {
    case Operation::squared_distances:
      return "const T d = w[j] - v;\n        s[j] += d * d;";
    case Operation::chi_square_sums:
      return "const T d = w[j] - v, t = w[j] + v;\n        s[j] += t == 0 ? 0 : d * d / t;";
    case Operation::harmonic_sums:
      return "const T t = w[j] + v;\n        s[j] += t == 0 ? 0 : 2 * w[j] * v / t;";
    case Operation::intersections:
      return "s[j] += w[j] < v ? w[j] : v;";
    default:
      return "s[j] += w[j] * v;";
  }
}

}  // namespace

const char* c_type(bool wide) { return wide ? "double" : "float"; }

std::string c_literal(float value) { return hexadecimal(value, "f"); }
std::string c_literal(double value) { return hexadecimal(value, ""); }

std::string c_string(const std::string& text) {
  std::string literal = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    // A question mark might begin a trigraph.
    if (byte < 0x20 || byte >= 0x7f)
      literal += fmt::format("\\{:03o}", byte);
    else if (c == '"' || c == '\\' || c == '?')
      literal += std::string("\\") + c;
    else
      literal += c;
  }
  return literal + "\"";
}

std::string c_comment(const std::string& text) {
  std::string safe;
  for (const char c : safe_text(text)) {
    const bool ends = !safe.empty() && ((safe.back() == '*' && c == '/') ||
                                        (safe.back() == '/' && (c == '*' || c == '/')));
    if (ends) safe += ' ';
    const auto byte = static_cast<unsigned char>(c);
    safe += byte < 0x20 || byte == 0x7f || c == '\\' || c == '?' ? '_' : c;
  }
  return safe;
}

bool has_matrix(Operation operation) {
  return operation >= Operation::products && operation <= Operation::intersections;
}

std::string c_matrix_function(Operation operation, bool wide) {
  constexpr const char* names[] = {"products", "squared_distances", "chi_square_sums",
                                   "harmonic_sums", "intersections"};
  const auto which =
      static_cast<std::size_t>(operation) - static_cast<std::size_t>(Operation::products);
  return std::string(names[which]) + (wide ? "_wide" : "");
}

std::string c_matrix_definition(Operation operation, bool wide) {
  std::string text = fmt::format(
      "static void {0}(const T *x, size_t n, const T *w, size_t m, T *y) {{\n"
      "  size_t p, k, j;\n"
      "  for (p = 0; p < m; p += {1}) {{\n"
      "    T s[{1}] = {{0}};\n"
      "    for (k = 0; k < n; k++) {{\n"
      "      const T v = x[k];\n"
      "      for (j = 0; j < {1}; j++) {{\n"
      "        {2}\n"
      "      }}\n"
      "      w += {1};\n"
      "    }}\n"
      "    for (j = 0; j < {1} && p + j < m; j++) y[p + j] = s[j];\n"
      "  }}\n"
      "}}\n",
      c_matrix_function(operation, wide), c_lanes(wide), summand(operation));
  for (std::size_t at = 0; (at = text.find("T ", at)) != text.npos;) {
    const bool word = at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]));
    if (word) text.replace(at, 1, c_type(wide));
    at += 2;
  }
  return text;
}

std::string c_array(const Formula::Step& step, const std::string& name) {
  const bool matrix = has_matrix(step.operation);
  if (step.wide)
    return array_of(matrix ? in_panels(step.doubles, step.width) : step.doubles, name, true);
  return array_of(matrix ? in_panels(step.floats, step.width) : step.floats, name, false);
}

std::string c_expression(Operation operation, bool wide, const std::vector<std::string>& a) {
  const auto call = [&](const char* function) {
    return fmt::format("{}{}({})", function, wide ? "" : "f", a[0]);
  };
  // Comparisons are written so that NaN stays NaN.
  const auto chosen = [&](const char* sign) {
    return fmt::format("({0} {2} {1} || {0} != {0}) ? {0} : {1}", a[0], a[1], sign);
  };
  switch (operation) {
    case Operation::widen:
      return a[0];
    case Operation::narrow:
      return "(float)" + a[0];
    case Operation::add:
      return a[0] + " + " + a[1];
    case Operation::subtract:
      return a[0] + " - " + a[1];
    case Operation::multiply:
      return a[0] + " * " + a[1];
    case Operation::divide:
      return a[0] + " / " + a[1];
    case Operation::minimum:
      return chosen("<");
    case Operation::maximum:
      return chosen(">");
    case Operation::exponential:
      return call("exp");
    case Operation::logarithm:
      return call("log");
    case Operation::square_root:
      return call("sqrt");
    case Operation::hyperbolic_tangent:
      return call("tanh");
    case Operation::absolute:
      return call("fabs");
    case Operation::sine:
      return call("sin");
    case Operation::cosine:
      return call("cos");
    case Operation::where_greater:
      return fmt::format("{} > {} ? {} : {}", a[0], a[1], a[2], a[3]);
    case Operation::where_missing:
      return fmt::format("{0} != {0} ? {1} : {2}", a[0], a[1], a[2]);
    default:
      throw Error("internal error: no operator on single values");
  }
}

}  // namespace semblance
