// SPDX-License-Identifier: MIT
#include "molecules/fingerprint.hpp"

#include <DataStructs/ExplicitBitVect.h>
#include <DataStructs/SparseIntVect.h>
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/Fingerprints/Fingerprints.h>
#include <GraphMol/Fingerprints/MACCS.h>
#include <GraphMol/Fingerprints/MorganFingerprints.h>
#include <GraphMol/GraphMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <RDGeneral/RDLog.h>
#include <RDGeneral/versions.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>

#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

using Molecule = std::unique_ptr<RDKit::ROMol>;

/// Null if the text is no molecule; throws if the molecule is impossible.
Molecule parsed(const std::string& text, MoleculeNotation notation) {
  if (notation == MoleculeNotation::smiles) return Molecule(RDKit::SmilesToMol(text));
  return Molecule(RDKit::MolBlockToMol(text));
}

void take_bits(const ExplicitBitVect& bits, Fingerprint& print) {
  IntVect on;
  bits.getOnBits(on);
  print.columns.assign(on.begin(), on.end());
  print.values.assign(on.size(), 1.0F);
}

void take_counts(const RDKit::SparseIntVect<std::uint32_t>& counts, Fingerprint& print) {
  for (const auto& [column, count] : counts.getNonzeroElements()) {
    print.columns.push_back(column);
    print.values.push_back(static_cast<float>(count));
  }
}

void take_fingerprint(const RDKit::ROMol& molecule, const FingerprintForm& form,
                      Fingerprint& print) {
  using Bits = std::unique_ptr<ExplicitBitVect>;
  switch (form.kind) {
    case FingerprintForm::Kind::maccs:
      return take_bits(*Bits(RDKit::MACCSFingerprints::getFingerprintAsBitVect(molecule)), print);
    case FingerprintForm::Kind::path:
      return take_bits(*Bits(RDKit::RDKFingerprintMol(molecule, 1, 7, form.bits)), print);
    case FingerprintForm::Kind::morgan:
      break;
  }
  if (form.counts)
    return take_counts(*std::unique_ptr<RDKit::SparseIntVect<std::uint32_t>>(
                           RDKit::MorganFingerprints::getHashedFingerprint(
                               molecule, form.radius, form.bits, nullptr, nullptr, form.chirality)),
                       print);
  take_bits(*Bits(RDKit::MorganFingerprints::getFingerprintAsBitVect(
                molecule, form.radius, form.bits, nullptr, nullptr, form.chirality)),
            print);
}

/// RDKit's name of the kind of bond, which its C++ library does not know.
const char* bond_label(const RDKit::Bond& bond) {
  static constexpr std::array names = {
      "unspecified", "single",      "double",      "triple",        "quadruple",    "quintuple",
      "hextuple",    "oneandahalf", "twoandahalf", "threeandahalf", "fourandahalf", "fiveandahalf",
      "aromatic",    "ionic",       "hydrogen",    "threecenter",   "dativeone",    "dative",
      "dativel",     "dativer",     "other",       "zero"};
  static_assert(names.size() == RDKit::Bond::ZERO + 1);
  return names[static_cast<std::size_t>(bond.getBondType())];
}

std::string atom_label(const RDKit::Atom& atom) {
  const int charge = atom.getFormalCharge();
  std::string label = atom.getSymbol();
  if (charge != 0) label += charge > 0 ? '+' : '-';
  if (std::abs(charge) > 1) label += std::to_string(std::abs(charge));
  return label;
}

void take_graph(const RDKit::ROMol& molecule, MoleculeGraph& graph) {
  for (const RDKit::Atom* atom : molecule.atoms()) graph.atoms.push_back(atom_label(*atom));
  for (const RDKit::Bond* bond : molecule.bonds())
    graph.bonds.push_back({bond->getBeginAtomIdx(), bond->getEndAtomIdx(), bond_label(*bond)});
}

/// Calls take(molecule), and returns the problem if there is one.
bool is_ascii(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return c > 0; });
}

template <class Take>
std::string with_molecule(const std::string& text, MoleculeNotation notation, const Take& take) {
  try {
    // RDKit ends there without a word.
    if (notation == MoleculeNotation::smiles && !is_ascii(text))
      return "has a character that is not ASCII";
    const Molecule molecule = parsed(text, notation);
    if (!molecule) return "is not understood by RDKit";
    if (molecule->getNumAtoms() == 0) return "has no atoms";
    take(*molecule);
  } catch (const std::exception& error) {
    return "is refused by RDKit: " + printable(trimmed(error.what()));
  }
  return "";
}

}  // namespace

Fingerprint make_fingerprint(const std::string& text, MoleculeNotation notation,
                             const FingerprintForm& form) {
  Fingerprint print;
  print.problem = with_molecule(text, notation, [&](const RDKit::ROMol& molecule) {
    take_fingerprint(molecule, form, print);
  });
  return print;
}

MoleculeGraph make_molecule_graph(const std::string& text, MoleculeNotation notation) {
  MoleculeGraph graph;
  graph.problem = with_molecule(text, notation,
                                [&](const RDKit::ROMol& molecule) { take_graph(molecule, graph); });
  return graph;
}

namespace {

/// RDKit's logs belong to the process: the first to be quiet disables them, the last restores them.
std::mutex quiet_mutex;
std::size_t quiet_count = 0;
std::unique_ptr<RDLog::LogStateSetter> quiet_state;

}  // namespace

QuietRdkit::QuietRdkit() {
  const std::lock_guard lock(quiet_mutex);
  if (quiet_count++ == 0) quiet_state = std::make_unique<RDLog::LogStateSetter>();
}

QuietRdkit::~QuietRdkit() {
  const std::lock_guard lock(quiet_mutex);
  if (--quiet_count == 0) quiet_state.reset();
}

const char* rdkit_version() {
  static const std::string line = std::string("rdkit: ") + RDKit::rdkitVersion;
  return line.c_str();
}

}  // namespace semblance::sources
