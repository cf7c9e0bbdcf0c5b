// SPDX-License-Identifier: MIT
#include "blosum62.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "semblance/error.hpp"

namespace semblance::strings {
namespace {

constexpr std::string_view letters = "ARNDCQEGHILKMFPSTWYVBZX*";

/// On and below the diagonal, in the order of the letters; in half bits. B is aspartic acid or
/// asparagine, Z glutamic acid or glutamine, X any residue, * a stop.
// clang-format off
constexpr std::array<std::int8_t, 300> lower_triangle = {
     4,
    -1,  5,
    -2,  0,  6,
    -2, -2,  1,  6,
     0, -3, -3, -3,  9,
    -1,  1,  0,  0, -3,  5,
    -1,  0,  0,  2, -4,  2,  5,
     0, -2,  0, -1, -3, -2, -2,  6,
    -2,  0,  1, -1, -3,  0,  0, -2,  8,
    -1, -3, -3, -3, -1, -3, -3, -4, -3,  4,
    -1, -2, -3, -4, -1, -2, -3, -4, -3,  2,  4,
    -1,  2,  0, -1, -3,  1,  1, -2, -1, -3, -2,  5,
    -1, -1, -2, -3, -1,  0, -2, -3, -2,  1,  2, -1,  5,
    -2, -3, -3, -3, -2, -3, -3, -3, -1,  0,  0, -3,  0,  6,
    -1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4,  7,
     1, -1,  1,  0, -1,  0,  0,  0, -1, -2, -2,  0, -1, -2, -1,  4,
     0, -1,  0, -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1,  1,  5,
    -3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1,  1, -4, -3, -2, 11,
    -2, -2, -2, -3, -2, -1, -2, -3,  2, -1, -1, -2, -1,  3, -3, -2, -2,  2,  7,
     0, -3, -3, -3, -1, -2, -2, -3, -3,  3,  1, -2,  1, -1, -2, -2,  0, -3, -1,  4,
    -2, -1,  3,  4, -3,  0,  1, -1,  0, -3, -4,  0, -3, -3, -2,  0, -1, -4, -3, -3,  4,
    -1,  0,  0,  1, -3,  3,  4, -2,  0, -3, -3,  1, -1, -3, -1,  0, -1, -3, -2, -2,  1,  4,
     0, -1, -1, -1, -2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -2,  0,  0, -2, -1, -1, -1, -1, -1,
    -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4,  1};
// clang-format on

/// The index of a symbol's row; letters.size() if it has none.
std::size_t place_of(const std::string& symbol) {
  if (symbol.size() != 1) return letters.size();
  char letter = symbol.front();
  if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  if (letter == 'J' || letter == 'O' || letter == 'U') letter = 'X';
  const std::size_t place = letters.find(letter);
  return place == std::string_view::npos ? letters.size() : place;
}

}  // namespace

std::vector<std::int8_t> blosum62(const std::vector<std::string>& symbols) {
  std::vector<std::size_t> places;
  places.reserve(symbols.size());
  for (const std::string& symbol : symbols) {
    places.push_back(place_of(symbol));
    if (places.back() == letters.size())
      throw Error("the alphabet has the symbol '" + symbol +
                  "', which is no amino acid, so that BLOSUM62 has no scores for it; use matrix: "
                  "plain, or clean the strings");
  }
  std::vector<std::int8_t> scores;
  scores.reserve(places.size() * places.size());
  for (const std::size_t a : places)
    for (const std::size_t b : places) {
      const std::size_t row = std::max(a, b), column = std::min(a, b);
      scores.push_back(lower_triangle[row * (row + 1) / 2 + column]);
    }
  return scores;
}

}  // namespace semblance::strings
