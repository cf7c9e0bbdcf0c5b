// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <fstream>
#include <random>

#include "killing.hpp"
#include "leftovers.hpp"
#include "pipelines.hpp"

namespace damaged_files_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& item : fs::recursive_directory_iterator(folder))
    if (item.is_regular_file()) files.push_back(item.path());
  std::ranges::sort(files);
  return files;
}

/// One of: a flipped bit somewhere, cut off, emptied, gone, longer.
std::string damage(const fs::path& file, std::mt19937& random) {
  const auto size = fs::file_size(file);
  switch (size == 0 ? 3 : random() % 6) {
    case 0:
      fs::resize_file(file, random() % size);
      return "cut off";
    case 1:
      fs::resize_file(file, 0);
      return "emptied";
    case 2:
      fs::resize_file(file, size + 1 + random() % 100);
      return "made longer";
    case 3:
      fs::remove(file);
      return "removed";
    default: {
      const auto at = static_cast<std::streamoff>(random() % size);
      std::fstream io(file, std::ios::in | std::ios::out | std::ios::binary);
      io.seekg(at);
      const int byte = io.get();
      io.seekp(at);
      io.put(static_cast<char>(byte ^ (1 << random() % 8)));
      return "byte " + std::to_string(at) + " changed";
    }
  }
}

}  // namespace

TEST_CASE("any damage to any file of the store is noticed or does not matter") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --quiet --out whole");
  const std::string expected = results_of(work, "whole");
  const int rounds = repetitions("SEMBLANCE_TEST_DAMAGES", 12);
  std::mt19937 random(3);
  for (int round = 0; round < rounds; ++round) {
    const auto files = files_below(work.path / "cache");
    std::string done;
    for (int i = 0; i < 3; ++i) {
      const auto& file = files[random() % files.size()];
      if (fs::exists(file)) done += file.string() + " " + damage(file, random) + "\n";
    }
    const auto outcome = work("run p.yaml --quiet --out again");
    INFO(done << outcome.output);
    REQUIRE(outcome.exit == 0);
    REQUIRE(results_of(work, "again") == expected);
  }
  CHECK_MESSAGE(leftovers(work.path).empty(), leftovers(work.path));
}

TEST_CASE("a figure that was changed in the store is not believed") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --quiet --out whole");
  bool changed = false;
  for (const auto& file : files_below(work.path / "cache/artifacts")) {
    if (file.filename() != "artifact.json") continue;
    std::ifstream in(file);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto at = text.find("\"accuracy\": 0.");
    if (at == std::string::npos) continue;
    text[at + 14] = text[at + 14] == '1' ? '2' : '1';
    std::ofstream(file) << text;
    changed = true;
  }
  REQUIRE(changed);
  work.expect("run p.yaml --out again", 0, "artifact.json has the wrong checksum");
  CHECK(results_of(work, "again") == results_of(work, "whole"));
}

TEST_CASE("a damaged model predicts nothing, whatever is damaged") {
  const Workplace work;
  work.file("p.yaml", small_pipeline);
  work.succeed("run p.yaml --quiet --out out");
  fs::rename(work.path / "out/model", work.path / "good");
  work.succeed("predict good --out right");
  const int rounds = repetitions("SEMBLANCE_TEST_DAMAGES", 20);
  std::mt19937 random(5);
  for (int round = 0; round < rounds; ++round) {
    fs::remove_all(work.path / "model");
    fs::copy(work.path / "good", work.path / "model", fs::copy_options::recursive);
    auto files = files_below(work.path / "model");
    std::erase_if(files, [](const auto& f) { return f.filename() == "pipeline.yaml"; });
    const auto& file = files[random() % files.size()];
    const std::string done = file.string() + " " + damage(file, random);
    const auto outcome = work("predict model --out predictions");
    INFO(done << "\n" << outcome.output);
    CHECK(outcome.exit == 1);
    CHECK((outcome.output.find("damaged") != std::string::npos ||
           outcome.output.find("is not a usable model") != std::string::npos));
    CHECK_FALSE(fs::exists(work.path / "predictions"));
  }
}

TEST_CASE("missing and cut-off data files are reported with their path") {
  const Workplace work;
  work.file("p.yaml", R"(name: table
nodes:
  t:   {is: source/csv, path: t.csv, test_fraction: 0.25}
  svm: {is: solver/linear_svm, from: t}
  e:   {is: evaluator/classification, from: svm}
)");
  work.expect("run p.yaml --data . --out out", 2, "t.csv");
  std::string table = "a,b,class\n";
  for (int i = 0; i < 4000; ++i)
    table += std::to_string(i * 7919 % 1000) + "," + std::to_string(i % 7) +
             (i % 3 ? ",low\n" : ",high\n");
  work.file("t.csv", table);
  REQUIRE(work.shell("gzip t.csv").exit == 0);
  CHECK(work("run p.yaml --data . --out out --quiet").exit == 0);
  fs::resize_file(work.path / "t.csv.gz", fs::file_size(work.path / "t.csv.gz") / 2);
  const auto cut = work("run p.yaml --data . --out out --quiet");
  INFO(cut.output);
  CHECK((cut.exit == 1 || cut.exit == 2));
  CHECK(cut.output.find("t.csv.gz") != std::string::npos);
}

}  // namespace damaged_files_test
