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

#include <exception>
#include <memory>
#include <mutex>

#include "text_values.hpp"

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

}  // namespace

Fingerprint make_fingerprint(const std::string& text, MoleculeNotation notation,
                             const FingerprintForm& form) {
  Fingerprint print;
  try {
    const Molecule molecule = parsed(text, notation);
    if (!molecule)
      print.problem = "is not understood by RDKit";
    else if (molecule->getNumAtoms() == 0)
      print.problem = "has no atoms";
    else
      take_fingerprint(*molecule, form, print);
  } catch (const std::exception& error) {
    print.problem = "is refused by RDKit: " + printable(trimmed(error.what()));
  }
  return print;
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
