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

/// letters.size() if it has no row.
std::size_t place_of(char32_t symbol) noexcept {
  if (symbol >= U'a' && symbol <= U'z') symbol = symbol - U'a' + U'A';
  if (symbol == U'J' || symbol == U'O' || symbol == U'U') symbol = U'X';
  const std::size_t place =
      symbol < 0x80 ? letters.find(static_cast<char>(symbol)) : std::string_view::npos;
  return std::min(place, letters.size());
}

static_assert(letters.size() == blosum62_rows);

}  // namespace

std::size_t blosum62_row(char32_t symbol) noexcept {
  const std::size_t place = place_of(symbol);
  return place < letters.size() ? place : letters.find('X');
}

void check_amino_acids(const std::vector<std::string>& symbols) {
  for (const std::string& symbol : symbols)
    if (symbol.size() != 1 ||
        place_of(static_cast<unsigned char>(symbol.front())) == letters.size())
      throw Error("the alphabet has the symbol '" + symbol +
                  "', which is no amino acid, so that BLOSUM62 has no scores for it; use matrix: "
                  "plain, or clean the strings");
}

std::vector<std::int8_t> blosum62() {
  std::vector<std::int8_t> scores;
  scores.reserve(blosum62_rows * blosum62_rows);
  for (std::size_t a = 0; a < blosum62_rows; ++a)
    for (std::size_t b = 0; b < blosum62_rows; ++b) {
      const std::size_t row = std::max(a, b), column = std::min(a, b);
      scores.push_back(lower_triangle[row * (row + 1) / 2 + column]);
    }
  return scores;
}

}  // namespace semblance::strings
