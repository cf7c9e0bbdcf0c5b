// SPDX-License-Identifier: MIT
#include "runtime/artifact_store.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <fstream>

#include "report/atomic_file.hpp"
#include "runtime/state_files.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

struct Store {
  Store() {
    std::string name = (fs::temp_directory_path() / "semblance_store_XXXXXX").string();
    folder = ::mkdtemp(name.data());
    store = std::make_unique<ArtifactStore>(folder);
    const auto draft = store->draft("key");
    write_file_atomically(draft->folder() / "a.txt", "content");
    draft->commit({{"error_rate", 0.25}});
  }
  ~Store() { fs::remove_all(folder); }

  fs::path index() const { return folder / "artifacts/key/artifact.json"; }

  /// What find() says about the artifact with this index; empty: it believes it.
  std::string damage(const std::string& index_text) const {
    std::ofstream(index(), std::ios::binary) << index_text;
    std::string said;
    const auto found = store->find("key", [&](const std::string& what) { said = what; });
    CHECK(found.has_value() == said.empty());
    CHECK(found.has_value() == fs::exists(index()));
    return said;
  }

  fs::path folder;
  std::unique_ptr<ArtifactStore> store;
};

TEST_CASE("an artifact is found with its note") {
  const Store store;
  const auto found = store.store->find("key", [](const std::string& what) { FAIL(what); });
  REQUIRE(found);
  CHECK(found->note.at("error_rate") == 0.25);
}

TEST_CASE("a figure that was changed in an index is noticed") {
  const Store store;
  std::string text = read_whole_file(store.index());
  text.replace(text.find("0.25"), 4, "0.24");
  CHECK(store.damage(text).find("artifact.json has another checksum") != std::string::npos);
}

TEST_CASE("an index that is none is damaged, never believed") {
  for (const char* text : {"", "{}", "[]", "1", "{\"files\":{}}", "{\"files\":{},\"xxh3\":1}",
                           "{\"files\":[{\"bytes\":1}],\"note\":{},\"xxh3\":\"0\"}"}) {
    CAPTURE(text);
    CHECK_FALSE(Store().damage(text).empty());
  }
  const std::string said = Store().damage(std::string(1000000, '['));
  CHECK(said.find("nested 1000000 levels deep, at most 64 are read") != std::string::npos);
}

}  // namespace
}  // namespace semblance
