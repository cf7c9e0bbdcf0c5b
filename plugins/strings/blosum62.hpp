// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace semblance::strings {

/// The rows of BLOSUM62 (Henikoff & Henikoff 1992).
inline constexpr std::size_t blosum62_rows = 24;

/// The scores in half bits, of row a with row b at a * blosum62_rows + b.
std::vector<std::int8_t> blosum62();

/// The row of a symbol. Lower case counts as upper case; J, O and U, which the matrix lacks, and
/// whatever is no amino acid, as X, any residue.
std::size_t blosum62_row(char32_t symbol) noexcept;

/// Throws Error naming a symbol that is no amino acid.
void check_amino_acids(const std::vector<std::string>& symbols);

}  // namespace semblance::strings
