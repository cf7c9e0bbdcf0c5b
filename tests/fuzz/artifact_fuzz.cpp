// SPDX-License-Identifier: MIT
#include "fuzzing.hpp"
#include "runtime/store/artifact_store.hpp"
#include "runtime/store/state_files.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

namespace {

/// Reads like a component, and more.
void read_state(const std::filesystem::path& folder) {
  const StateFolderReader reader(folder);
  for (const char* name : {"a", "b", "c", "nothing"}) {
    expect_result_or_error([&] { reader.integer(name); });
    expect_result_or_error([&] { reader.number(name); });
    expect_result_or_error([&] { reader.text(name); });
    expect_result_or_error([&] { reader.floats(name); });
    expect_result_or_error([&] { reader.doubles(name); });
    expect_result_or_error([&] { reader.integers(name); });
  }
}

}  // namespace

// The files of an artifact, separated by a byte 0xff, which is in no JSON: its index, its state, an
// array.
FUZZ_TARGET(artifact) {
  static ArtifactStore store(scratch_folder() / "store");
  scratch_file("store/artifacts/key/artifact.json", input.until('\xff'));
  scratch_file("store/artifacts/key/part_0/state.json", input.until('\xff'));
  scratch_file("store/artifacts/key/part_0/a.npy", input.rest());
  const auto folder = store.folder() / "artifacts/key/part_0";
  expect_result_or_error([&] { read_state(folder); });
  std::string damage;
  const auto found = store.find("key", [&](const std::string& what) { damage = what; });
  require(found.has_value() == damage.empty(), "neither believed nor damaged, or both");
  require(found.has_value() == std::filesystem::exists(folder), "a damaged artifact is left");
  for (const char c : damage) require(static_cast<unsigned char>(c) >= 0x20, "not one line");
}
