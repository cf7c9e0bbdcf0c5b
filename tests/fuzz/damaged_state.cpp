// SPDX-License-Identifier: MIT
#include "damaged_state.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <limits>
#include <utility>

namespace semblance::fuzzing {
namespace {

/// Critical values for sizes and indices; otherwise any value.
std::int64_t integer_from(Input& input) {
  constexpr std::array<std::int64_t, 12> likely = {
      0, 1,  -1, 2,          3,          255,
      7, 20, 21, 2147483647, 2147483648, std::numeric_limits<std::int64_t>::min()};
  const std::uint8_t which = input.byte();
  if (which < likely.size()) return likely[which];
  if (which < 128) return which - 64;
  return static_cast<std::int64_t>(input.number());
}

double number_from(Input& input) {
  constexpr std::array<double, 8> likely = {
      0, 1, -1, 0.5, 1e9, 1e300, -1e-300, std::numeric_limits<double>::infinity()};
  const std::uint8_t which = input.byte();
  if (which < likely.size()) return likely[which];
  if (which < 16) return std::numeric_limits<double>::quiet_NaN();
  return std::bit_cast<double>(input.number());
}

/// Changes a list's size or one of its elements.
template <class T, class Value>
void damage_list(std::vector<T>& list, Input& input, const Value& value) {
  constexpr std::size_t longest = 5000;
  switch (input.byte() % 6) {
    case 0:
      list.clear();
      break;
    case 1:
      if (!list.empty()) list.pop_back();
      break;
    case 2:
      list.resize(std::min<std::size_t>(longest, list.size() + 1 + input.byte()));
      break;
    case 3:
      for (T& element : list) element = static_cast<T>(value());
      break;
    default:
      if (!list.empty()) {
        const std::size_t at = (std::size_t{input.byte()} << 8 | input.byte()) % list.size();
        list[at] = static_cast<T>(value());
      }
  }
}

struct Damage {
  Input& input;

  void operator()(std::int64_t& value) const { value = integer_from(input); }
  void operator()(double& value) const { value = number_from(input); }
  void operator()(std::string& text) const {
    const std::size_t at = text.empty() ? 0 : input.byte() % text.size();
    text = input.byte() % 2 ? text.substr(0, at) : text + static_cast<char>(input.byte());
  }
  void operator()(std::vector<std::int64_t>& list) const {
    damage_list(list, input, [this] { return integer_from(input); });
  }
  void operator()(std::vector<double>& list) const {
    damage_list(list, input, [this] { return number_from(input); });
  }
  void operator()(FloatMatrix& matrix) const {
    switch (input.byte() % 6) {
      case 0:
        return resize(matrix, matrix.cols, matrix.rows);
      case 1:
        return resize(matrix, 0, matrix.cols);
      case 2:
        return resize(matrix, matrix.rows, 0);
      case 3:
        return resize(matrix, matrix.rows + 1, matrix.cols);
      case 4:
        return resize(matrix, matrix.rows,
                      std::max<std::size_t>(matrix.cols + 1, 2) - input.byte() % 3);
      default:
        if (matrix.values.empty()) return;
        const std::size_t at =
            (std::size_t{input.byte()} << 8 | input.byte()) % matrix.values.size();
        matrix.values[at] = static_cast<float>(number_from(input));
    }
  }

  /// Rows that differ in size keep their values, as far as there are rows: a state's reader checks
  /// where they begin.
  static void resize(FloatMatrix& matrix, std::size_t rows, std::size_t cols) {
    const bool ragged = std::as_const(matrix).view().ragged();
    matrix.rows = rows;
    matrix.cols = cols;
    if (ragged) matrix.offsets.resize(rows + 1, matrix.values.size());
    matrix.values.resize(ragged ? matrix.offsets.back() : rows * cols, 1.0f);
    if (!matrix.columns.empty()) matrix.columns.resize(matrix.values.size());
  }
};

}  // namespace

void DamagedState::damage(Input& input) {
  if (entries_.empty()) return;
  const auto at = std::next(entries_.begin(), input.byte() % std::ptrdiff_t(entries_.size()));
  if (input.byte() % 16 == 0)
    entries_.erase(at);
  else
    std::visit(Damage{input}, at->second);
}

}  // namespace semblance::fuzzing
