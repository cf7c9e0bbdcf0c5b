// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>

#include "pipelines.hpp"
#include "program.hpp"

namespace store_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

bool cached(const Workplace& work, const std::string& out, const char* node) {
  return work.metrics(out).at("nodes").at(node).at("cached").get<bool>();
}

std::vector<fs::path> stored_files(const Workplace& work) {
  std::vector<fs::path> files;
  for (const auto& item : fs::recursive_directory_iterator(work.path / "cache/artifacts"))
    if (item.is_regular_file()) files.push_back(item.path());
  return files;
}

void flip_byte(const fs::path& file) {
  std::fstream io(file, std::ios::in | std::ios::out | std::ios::binary);
  io.seekg(-1, std::ios::end);
  const int last = io.get();
  io.seekp(-1, std::ios::end);
  io.put(static_cast<char>(last ^ 0x40));
}

}  // namespace

TEST_CASE("every damaged file that a run uses is noticed and made again") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --out first");
  std::vector<fs::path> states;
  for (const auto& file : stored_files(work))
    if (file.string().find(".state") != std::string::npos) states.push_back(file);
  REQUIRE(states.size() > 15);
  for (std::size_t i = 0; i < states.size(); i += 4) {
    flip_byte(states[i]);
    const auto outcome = work("run p.yaml --out again");
    INFO(states[i].string() << "\n" << outcome.output);
    REQUIRE(outcome.exit == 0);
    CHECK(outcome.output.find("is damaged") != std::string::npos);
    CHECK(predictions(work, "first") == predictions(work, "again"));
  }
}

TEST_CASE("after kill -9 finished nodes are not computed again, and the result has the same bits") {
  const Workplace work;
  work.file("p.yaml", wide_pipeline);
  const pid_t process = work.start("run p.yaml --out killed --set nodes.svm.tolerance=1e-6");
  // Killed after the map is stored: during normalization or in the solver.
  const auto map_is_stored = [&] {
    std::error_code none;
    for (const auto& item : fs::directory_iterator(work.path / "cache/artifacts", none))
      if (item.path().extension() == ".rows") return true;
    return false;
  };
  while (!map_is_stored()) ::usleep(2000);
  ::kill(process, SIGKILL);
  REQUIRE(wait_for(process) == -SIGKILL);
  work.succeed("run p.yaml --out resumed --set nodes.svm.tolerance=1e-6");
  CHECK(cached(work, "resumed", "rbf"));
  CHECK(cached(work, "resumed", "bases"));
  work.succeed("run p.yaml --out whole --no-cache --set nodes.svm.tolerance=1e-6");
  CHECK(predictions(work, "resumed") == predictions(work, "whole"));
  SUBCASE("and nothing half-written is left in the store") {
    CHECK(fs::is_empty(work.path / "cache/drafts"));
  }
}

}  // namespace store_test
