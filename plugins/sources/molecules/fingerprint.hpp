// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace semblance::sources {

/// The text form of a molecule.
enum class MoleculeNotation { smiles, mol_block };

/// Which fingerprint RDKit makes of a molecule.
struct FingerprintForm {
  enum class Kind {
    morgan,  ///< circular environments up to a radius, hashed
    maccs,   ///< 166 keys; bit 0 is never set
    path,    ///< RDKit's: paths and branched subgraphs of 1 to 7 bonds, hashed
  };
  Kind kind = Kind::morgan;
  unsigned radius = 2;  ///< of morgan
  unsigned bits = 2048;
  bool counts = false;     ///< of morgan: how often an environment occurs
  bool chirality = false;  ///< of morgan: tells mirror images apart

  std::size_t columns() const noexcept { return kind == Kind::maccs ? 167 : bits; }
};

/// The entries of a fingerprint other than 0, by ascending columns.
struct Fingerprint {
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  /// If RDKit refuses the molecule: why, which completes "the SMILES 'CC(' "; else empty.
  std::string problem;
};

/// RDKit's fingerprint, bit for bit that of its Python interface. Thread-safe.
Fingerprint make_fingerprint(const std::string& molecule, MoleculeNotation notation,
                             const FingerprintForm& form);

/// The atoms and bonds of a molecule as it is written: hydrogens only where they are atoms of their
/// own, such as [2H].
struct MoleculeGraph {
  struct Bond {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::string kind;  ///< RDKit's name in lower case: single, double, triple, aromatic, dative...
  };
  std::vector<std::string> atoms;  ///< element and formal charge: C, N+, O-, Ca+2
  std::vector<Bond> bonds;
  std::string problem;  ///< as that of a fingerprint
};

/// RDKit's molecule. Thread-safe.
MoleculeGraph make_molecule_graph(const std::string& molecule, MoleculeNotation notation);

/// During its lifetime RDKit writes nothing to the terminal.
class QuietRdkit {
 public:
  QuietRdkit();
  ~QuietRdkit();
  QuietRdkit(const QuietRdkit&) = delete;
  QuietRdkit& operator=(const QuietRdkit&) = delete;
};

/// "rdkit: 2022.09.3", for `semblance doctor`.
const char* rdkit_version();

}  // namespace semblance::sources
