// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace semblance::strings {

/// The scores of BLOSUM62 (Henikoff & Henikoff 1992) in half bits, of symbol a with symbol b at a *
/// symbols.size() + b. Lower case counts as upper case; J, O and U, which the matrix lacks, as X,
/// any residue. Throws Error naming a symbol that is not an amino acid.
std::vector<std::int8_t> blosum62(const std::vector<std::string>& symbols);

}  // namespace semblance::strings
