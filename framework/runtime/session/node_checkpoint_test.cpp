// SPDX-License-Identifier: MIT
#include "runtime/session/node_checkpoint.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <fstream>
#include <mutex>
#include <thread>

#include "runtime/store/artifact_store.hpp"
#include "semblance/collectives_testing.hpp"
#include "support/test_folder.hpp"

namespace semblance::node_checkpoint_test {
namespace {

namespace fs = std::filesystem;
using testing::TestFolder;

/// The log lines of all ranks.
class Lines {
 public:
  NodeCheckpoint::Log log() {
    return [this](LogLevel, const std::string& line) {
      const std::lock_guard lock(mutex_);
      lines_.push_back(line);
    };
  }
  std::size_t with(const std::string& part) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        lines_, [&](const std::string& line) { return line.find(part) != std::string::npos; }));
  }
  std::size_t count() const { return lines_.size(); }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

void keep(NodeCheckpoint& checkpoint, std::int64_t step) {
  checkpoint.keep([&](StateWriter& state) {
    state.integer("step", step);
    state.floats("rows", FloatMatrix(3, 4).view());
  });
}

}  // namespace

TEST_CASE("a checkpoint is due when its time has come, and goes on where the last one was") {
  const TestFolder folder;
  const ArtifactStore store(folder.path);
  Lines lines;
  {
    NodeCheckpoint checkpoint(store.kept(), "key", 1000, lines.log(), [] {});
    CHECK(checkpoint.kept() == nullptr);
    CHECK_FALSE(checkpoint.due());
  }
  {
    NodeCheckpoint checkpoint(store.kept(), "key", 1e-6, lines.log(), [] {});
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(checkpoint.due());
    keep(checkpoint, 7);
    // Saving must not take most of the time.
    CHECK_FALSE(checkpoint.due());
  }
  CHECK(lines.count() == 0);
  NodeCheckpoint next(store.kept(), "key", 60, lines.log(), [] {});
  const StateReader* state = next.kept();
  REQUIRE(state);
  CHECK(state->integer("step") == 7);
  CHECK(next.kept() == state);
  CHECK(lines.with("resumes from the checkpoint of 20") == 1);
  next.forget();
  NodeCheckpoint last(store.kept(), "key", 60, lines.log(), [] {});
  CHECK(last.kept() == nullptr);
}

TEST_CASE("what was kept on another kind of processor, or is damaged, counts as none") {
  const TestFolder folder;
  const ArtifactStore store(folder.path);
  Lines lines;
  const auto write = [](StateWriter& state) { state.integer("step", 1); };
  store.kept().put(
      "key", {{"seconds", 1.5}, {"kept", "2026-01-01T00:00:00Z"}, {"processor", "abacus"}}, write);
  NodeCheckpoint other(store.kept(), "key", 60, lines.log(), [] {});
  CHECK(other.kept() == nullptr);
  CHECK(lines.with("computed on another kind of processor (abacus; this one is ") == 1);
  store.kept().put("key", {{"what", "ever"}}, write);
  NodeCheckpoint strange(store.kept(), "key", 60, lines.log(), [] {});
  CHECK(strange.kept() == nullptr);
  CHECK(lines.with("it starts over") == 2);
  store.kept().put("key", {}, write);
  for (const auto& item : fs::directory_iterator(folder.path / "kept/key"))
    std::ofstream(item.path() / "state.json", std::ios::app) << "x";
  NodeCheckpoint damaged(store.kept(), "key", 60, lines.log(), [] {});
  CHECK(damaged.kept() == nullptr);
  CHECK(lines.with("is damaged") == 1);
}

TEST_CASE("where nothing can be written, that is said once, and the training goes on") {
  const TestFolder folder;
  const ArtifactStore store(folder.path);
  std::ofstream(folder.path / "kept") << "in the way";
  Lines lines;
  NodeCheckpoint checkpoint(store.kept(), "key", 60, lines.log(), [] {});
  CHECK(checkpoint.kept() == nullptr);
  keep(checkpoint, 1);
  keep(checkpoint, 2);
  CHECK(lines.with("its checkpoint cannot be saved") == 1);
}

TEST_CASE("ranks: the first one keeps, its clock counts, and all have what was kept") {
  const TestFolder folder;
  Lines lines;
  std::atomic<std::size_t> due = 0, found = 0;
  for (const bool again : {false, true})
    testing::on_ranks(3, [&](testing::RankContext& context) {
      const std::size_t rank = context.collectives().rank();
      // Other ranks have clocks and stores of their own.
      const ArtifactStore store(rank == 0 ? folder.path : folder.path / std::to_string(rank));
      NodeCheckpoint checkpoint(store.kept(), "key", rank == 0 ? 1e-6 : 1000, lines.log(), [] {});
      checkpoint.learn_with(&context.collectives());
      const StateReader* kept = checkpoint.kept();
      CHECK((kept != nullptr) == again);
      if (kept) found += kept->integer("step") == 5 && kept->floats("rows").rows == 3;
      std::this_thread::sleep_for(std::chrono::milliseconds(rank == 0 ? 2 : 0));
      due += checkpoint.due() ? 1 : 0;
      if (!again) keep(checkpoint, 5);
    });
  CHECK(due == 6);
  CHECK(found == 3);
  CHECK(lines.count() == 1);
  CHECK_FALSE(fs::exists(folder.path / "1/kept"));
}

}  // namespace semblance::node_checkpoint_test
