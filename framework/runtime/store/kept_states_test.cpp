// SPDX-License-Identifier: MIT
#include "runtime/store/kept_states.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "runtime/store/artifact_store.hpp"
#include "runtime/store/state_files.hpp"
#include "semblance/error.hpp"
#include "support/test_folder.hpp"

namespace semblance::kept_states_test {
namespace {

namespace fs = std::filesystem;
using testing::TestFolder;

void silent(const std::string&) {}

void put(const ArtifactStore& store, const std::string& key, std::int64_t step) {
  store.kept().put(key, {{"step", step}}, [&](StateWriter& state) {
    state.integer("step", step);
    state.doubles("values", std::vector<double>(100, static_cast<double>(step)));
  });
}

/// The step of the checkpoint; 0 where there is none.
std::int64_t step_of(const ArtifactStore& store, const std::string& key) {
  const auto found = store.kept().find(key, silent);
  if (!found) return 0;
  const StateFolderReader state(found->folder);
  const std::int64_t step = state.integer("step");
  CHECK(found->note.at("step") == step);
  CHECK(state.doubles("values") == std::vector<double>(100, static_cast<double>(step)));
  return step;
}

std::size_t files_in(const fs::path& folder) {
  std::size_t count = 0;
  std::error_code gone;
  for (fs::recursive_directory_iterator item(folder, gone), end; !gone && item != end;
       item.increment(gone))
    count += item->is_regular_file() ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("what was kept last is found, by any process, and nothing else stays") {
  const TestFolder folder;
  const ArtifactStore store(folder.path), other(folder.path);
  CHECK(step_of(store, "a") == 0);
  put(store, "a", 1);
  const std::size_t files = files_in(folder.path / "kept");
  put(store, "a", 2);
  put(other, "a", 3);
  CHECK(step_of(store, "a") == 3);
  CHECK(step_of(other, "b") == 0);
  CHECK(files_in(folder.path / "kept") == files);
  store.kept().remove("a");
  CHECK(step_of(other, "a") == 0);
  CHECK(fs::is_empty(folder.path / "kept"));
}

TEST_CASE("what was found can be read when others have kept something new, or removed it") {
  const TestFolder folder;
  const ArtifactStore store(folder.path), other(folder.path);
  put(store, "a", 1);
  const auto found = store.kept().find("a", silent);
  REQUIRE(found);
  put(other, "a", 2);
  other.kept().remove("a");
  CHECK(StateFolderReader(found->folder).integer("step") == 1);
}

TEST_CASE("what is damaged is told of once, and the one before it counts") {
  const TestFolder folder;
  const ArtifactStore store(folder.path);
  for (const char* file : {"values.npy", "state.json", "artifact.json"}) {
    put(store, "a", 1);
    const fs::path older = folder.path / "kept/a";
    // As if the process had been killed after writing the new one and before removing the old one.
    fs::copy(older / "1", older / "0", fs::copy_options::recursive);
    std::ofstream(older / "1" / file, std::ios::app) << " ";
    std::string told;
    const auto found = store.kept().find("a", [&](const std::string& what) { told += what; });
    REQUIRE(found);
    CHECK(found->note.at("step") == 1);
    CHECK(told.find("is damaged") != std::string::npos);
    CHECK_FALSE(fs::exists(older / "1"));
    store.kept().remove("a");
  }
}

TEST_CASE("what cannot be written leaves the old one as it is") {
  const TestFolder folder;
  const ArtifactStore store(folder.path);
  put(store, "a", 1);
  CHECK_THROWS_WITH(store.kept().put("a", {},
                                     [](StateWriter& state) {
                                       state.integer("step", 2);
                                       throw Error("no more");
                                     }),
                    "no more");
  CHECK(step_of(store, "a") == 1);
}

TEST_CASE("several that keep, look and remove at once always find one that is whole") {
  const TestFolder folder;
  const ArtifactStore ours(folder.path), theirs(folder.path);
  std::atomic<bool> over = false;
  std::atomic<int> found = 0;
  {
    std::vector<std::jthread> threads;
    for (const ArtifactStore* store : {&ours, &theirs})
      threads.emplace_back([store] {
        for (std::int64_t step = 1; step < 150; ++step) {
          put(*store, "a", step);
          if (step % 40 == 0) store->kept().remove("a");
        }
      });
    threads.emplace_back([&] {
      while (!over) {
        const auto state = theirs.kept().find("a", [](const std::string& what) { FAIL(what); });
        if (!state) continue;
        ++found;
        CHECK(StateFolderReader(state->folder).integer("step") == state->note.at("step"));
        fs::remove_all(state->folder);
      }
    });
    threads[0].join();
    threads[1].join();
    over = true;
  }
  CHECK(found > 0);
  CHECK(step_of(ours, "a") == 149);
}

TEST_CASE("what is kept goes with the store's limit, once its training is through first of all") {
  const TestFolder folder;
  ArtifactStore store(folder.path);
  const auto commit = [&](const char* key) {
    const auto draft = store.draft(key);
    std::ofstream(draft->folder() / "data") << std::string(4000, 'x');
    draft->commit({});
  };
  commit("old");
  put(store, "through", 1);
  put(store, "open", 1);
  commit("through");
  store.trim(std::uintmax_t{1} << 30);
  CHECK(step_of(store, "through") == 1);
  store.trim(10800);
  CHECK(step_of(store, "through") == 0);
  CHECK(step_of(store, "open") == 1);
  CHECK(store.contains("old"));
  store.trim(1);
  CHECK(fs::is_empty(folder.path / "kept"));
  CHECK_FALSE(store.contains("old"));
}

}  // namespace semblance::kept_states_test
