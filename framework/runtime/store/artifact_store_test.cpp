// SPDX-License-Identifier: MIT
#include "runtime/store/artifact_store.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <thread>

#include "runtime/store/state_files.hpp"
#include "semblance/error.hpp"
#include "support/files/atomic_file.hpp"
#include "support/files/hash.hpp"
#include "support/test_folder.hpp"

namespace semblance::artifact_store_test {
namespace {

namespace fs = std::filesystem;
using testing::content;
using testing::TestFolder;

void put(ArtifactStore& store, const std::string& key, const std::string& text) {
  const auto draft = store.draft(key);
  std::ofstream(draft->folder() / "data") << text;
  draft->commit({{"figure", 0.5}});
}

void silent(const std::string&) {}

/// A store with one artifact, whose index is then damaged.
struct Damaged {
  Damaged() { put(store, "key", "content"); }

  fs::path index() const { return folder.path / "artifacts/key/artifact.json"; }

  /// The damage that find() reports for this index; empty: none.
  std::string damage(const std::string& index_text) {
    std::ofstream(index(), std::ios::binary) << index_text;
    std::string said;
    const auto found = store.find("key", [&](const std::string& what) { said = what; });
    CHECK(found.has_value() == said.empty());
    CHECK(found.has_value() == fs::exists(index()));
    return said;
  }

  const TestFolder folder;
  ArtifactStore store{folder.path};
};

}  // namespace

TEST_CASE("an artifact is found as it was committed, and the first of two stays") {
  const TestFolder folder;
  ArtifactStore store(folder.path), other(folder.path);
  CHECK_FALSE(store.find("a", silent));
  put(store, "a", "one");
  put(other, "a", "two");
  const auto found = other.find("a", silent);
  REQUIRE(found);
  CHECK(content(found->folder / "data") == "one");
  CHECK(found->note.at("figure") == 0.5);
}

TEST_CASE("checksums of a file's pieces, which several have written, are verified as well") {
  const TestFolder folder;
  ArtifactStore store(folder.path);
  const KnownChecksums known = {{"data", {{3, hash_of("one")}, {5, hash_of("three")}}}};
  const auto find = [&](const std::string& data) {
    const auto draft = store.draft("a");
    std::ofstream(draft->folder() / "data") << data;
    draft->commit({}, false, known);
    return store.find("a", silent).has_value();
  };
  // Anything that differs from what its writer stored is rejected, no matter what has changed it.
  CHECK_FALSE(find("onetwo34"));
  CHECK_FALSE(find("ONEthree"));
  CHECK_FALSE(find("onethreefour"));
  CHECK_FALSE(find("onethre"));
  CHECK(find("onethree"));
}

TEST_CASE("a damaged artifact is reported once and made again") {
  const TestFolder folder;
  ArtifactStore store(folder.path);
  for (const char* file : {"data", "artifact.json"}) {
    put(store, "a", "one");
    std::ofstream(folder.path / "artifacts/a" / file, std::ios::app) << " ";
    std::string told;
    CHECK_FALSE(store.find("a", [&](const std::string& what) { told += what; }));
    CHECK(told.find("is damaged") != std::string::npos);
  }
  put(store, "a", "one");
  fs::remove(folder.path / "artifacts/a/artifact.json");
  std::string told;
  CHECK_FALSE(store.find("a", [&](const std::string& what) { told += what; }));
  CHECK(told.find("artifact.json") != std::string::npos);
  CHECK_FALSE(fs::exists(folder.path / "artifacts/a"));
}

TEST_CASE("what an older program left half-removed gives way") {
  const TestFolder folder;
  ArtifactStore store(folder.path);
  fs::create_directories(folder.path / "artifacts/a/part_0");
  std::ofstream(folder.path / "artifacts/a/part_0/state.json") << "{}";
  put(store, "a", "one");
  CHECK(store.find("a", silent));
}

TEST_CASE("nothing is trimmed while a run holds the store") {
  const TestFolder folder;
  ArtifactStore store(folder.path), other(folder.path);
  put(store, "a", std::string(1000, 'x'));
  {
    const auto held = other.hold();
    store.trim(1);
    CHECK(store.contains("a"));
  }
  store.trim(1);
  CHECK_FALSE(store.contains("a"));
}

TEST_CASE("a mark of another machine holds the store as well, until nobody touched it for a day") {
  const TestFolder folder;
  ArtifactStore store(folder.path);
  put(store, "a", std::string(1000, 'x'));
  const fs::path mark = folder.path / "drafts/0123456789abcdef-1-7-9-0-unlocked.hold";
  std::ofstream(mark) << "";
  store.trim(1);
  CHECK(store.contains("a"));
  fs::last_write_time(mark, fs::last_write_time(mark) - std::chrono::hours(25));
  store.trim(1);
  CHECK_FALSE(store.contains("a"));
}

TEST_CASE("what was found can be read when others have removed it, and is gone afterwards") {
  const TestFolder folder;
  const ArtifactStore other(folder.path);
  {
    ArtifactStore store(folder.path);
    put(store, "a", "one");
    const auto found = store.find("a", silent);
    REQUIRE(found);
    other.trim(1);
    CHECK_FALSE(store.contains("a"));
    CHECK(content(found->folder / "data") == "one");
    CHECK(store.open("a").note.at("figure") == 0.5);
    put(store, "a", "one");
  }
  CHECK(testing::files_in(folder.path / "drafts") == 2);  // those of `other`: its lock and its
                                                          // folder
}

TEST_CASE("an artifact that vanished without having been found is named, with what to do") {
  const TestFolder folder;
  const ArtifactStore store(folder.path);
  const std::string message = "the artifact 'a' has vanished from the store '" +
                              folder.path.string() +
                              "' while this run used it; run it again, and it is computed again";
  CHECK_THROWS_WITH_AS(store.open("a"), message.c_str(), Error);
}

TEST_CASE("what is found counts as used: the least recently used goes first") {
  const TestFolder folder;
  ArtifactStore store(folder.path);
  for (const char* key : {"a", "b"}) put(store, key, std::string(1000, 'x'));
  for (const char* key : {"a", "b"}) {
    const fs::path index = folder.path / "artifacts" / key / "artifact.json";
    fs::last_write_time(index, fs::file_time_type::clock::now() - std::chrono::hours(9));
  }
  CHECK(store.find("a", silent));
  store.trim(1500);
  CHECK(store.contains("a"));
  CHECK_FALSE(store.contains("b"));
}

TEST_CASE("what is left has a tenth of the limit to spare") {
  const TestFolder folder;
  ArtifactStore store(folder.path);
  for (int i = 0; i < 20; ++i) put(store, std::to_string(i), std::string(10000, 'x'));
  const auto left = [&] {
    return std::distance(fs::directory_iterator(folder.path / "artifacts"), {});
  };
  store.trim(1'000'000);
  CHECK(left() == 20);
  store.trim(200'000);  // each is somewhat more than its 10,000 bytes
  CHECK(left() == 17);
}

TEST_CASE("a store that is known to be within its limit is not looked through") {
  const TestFolder folder;
  ArtifactStore store(folder.path);
  put(store, "a", std::string(1000, 'x'));
  store.trim(100'000);
  // Files that came into it in another way are not known ...
  fs::create_directories(folder.path / "artifacts/b");
  std::ofstream(folder.path / "artifacts/b/data") << std::string(200'000, 'x');
  store.trim(100'000);
  CHECK(fs::exists(folder.path / "artifacts/b"));
  // ... until the known size is useless, or is too large with what is added.
  SUBCASE("gone") { fs::remove(folder.path / "size"); }
  SUBCASE("damaged") { std::ofstream(folder.path / "size", std::ios::app) << "12"; }
  SUBCASE("too much") { put(store, "c", std::string(99'500, 'x')); }
  store.trim(100'000);
  CHECK_FALSE(fs::exists(folder.path / "artifacts/b"));
}

TEST_CASE("drafts go with their owner, and only with it") {
  const TestFolder folder;
  const auto drafts = folder.path / "drafts";
  ArtifactStore store(folder.path);
  {
    ArtifactStore other(folder.path);
    const auto draft = other.draft("a");
    const ArtifactStore third(folder.path);
    CHECK(fs::exists(draft->folder()));
  }
  fs::create_directories(drafts / "1-0");
  std::ofstream(drafts / "1-0.lock") << "";
  fs::create_directories(drafts / "77-3-key.rows");
  { const ArtifactStore clearing(folder.path); }
  CHECK(testing::files_in(drafts) == 1);  // the lock of `store`
}

TEST_CASE("threads and stores that commit, find, damage and trim at once never see a wrong one") {
  const TestFolder folder;
  const auto work = [&](int seed) {
    ArtifactStore store(folder.path);
    for (int i = 0; i < 60; ++i) {
      const std::string key = "k" + std::to_string((i * 7 + seed) % 5);
      {
        const auto held = store.hold();
        if (const auto found = store.find(key, silent))
          CHECK(content(found->folder / "data") == key);
        else
          put(store, key, key);
      }
      // Only while no process reads: damage after verification is another matter.
      if (i % 10 == seed)
        if (FileLock::attempt(folder.path / "in_use.lock", FileLock::Kind::exclusive))
          std::ofstream(folder.path / "artifacts" / key / "data") << "damage";
      if (i % 7 == seed) store.trim(4);
    }
  };
  std::vector<std::thread> threads;
  for (int seed = 0; seed < 4; ++seed) threads.emplace_back(work, seed);
  for (auto& thread : threads) thread.join();
  CHECK(testing::files_in(folder.path / "drafts") == 0);
}

TEST_CASE("a figure that was changed in an index is noticed") {
  Damaged store;
  std::string text = read_whole_file(store.index());
  text.replace(text.find("0.5"), 3, "0.4");
  CHECK(store.damage(text).find("artifact.json has the wrong checksum") != std::string::npos);
}

TEST_CASE("an index that is none is damaged, never believed") {
  for (const char* text : {"", "{}", "[]", "1", "{\"files\":{}}", "{\"files\":{},\"xxh3\":1}",
                           "{\"files\":[{\"bytes\":1}],\"note\":{},\"xxh3\":\"0\"}"}) {
    CAPTURE(text);
    CHECK_FALSE(Damaged().damage(text).empty());
  }
  const std::string said = Damaged().damage(std::string(1000000, '['));
  CHECK(said.find("nested 1000000 levels deep, but the limit is 64") != std::string::npos);
}

}  // namespace semblance::artifact_store_test
