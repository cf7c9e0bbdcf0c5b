// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>

#include "program.hpp"

namespace replaced_files_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

// A file that is replaced while a run reads it: whichever parts the run has read, nothing of one
// version is stored as belonging to the other.

namespace {

/// Two adjacent classes; `other` swaps the labels of the training samples.
std::string table(std::size_t rows, bool other) {
  std::string text = "a,b,class\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const bool low = i % 2 == 0;
    text += std::to_string((low ? 1000 : 5000) + i * 37 % 1999) + "," +
            std::to_string(1000 + i * 101 % 997) +
            (low != (other && i < rows * 3 / 4) ? ",low\n" : ",big\n");
  }
  return text;
}

constexpr const char* pipeline = R"(name: replaced
nodes:
  t:   {is: source/csv, path: t.csv, test_path: u.csv}
  x:   {is: normalizer/zscore, from: t}
  svm: {is: solver/linear_svm, from: x}
  e:   {is: evaluator/classification, from: svm}
)";

/// The program with a file replaced before it is opened for the `at`-th time.
Workplace::Outcome replaced(Workplace& work, const fs::path& old, const fs::path& by, int at,
                            const std::string& arguments) {
  work.environment = "LD_PRELOAD=" SEMBLANCE_REPLACING_FILE " SEMBLANCE_TEST_OLD=" + old.string() +
                     " SEMBLANCE_TEST_NEW=" + by.string() +
                     " SEMBLANCE_TEST_AT=" + std::to_string(at) + " ";
  const auto outcome = work(arguments);
  work.environment.clear();
  return outcome;
}

void check_store_stays_right(std::size_t rows) {
  Workplace work;
  const std::string good = table(rows, false), other = table(rows, true);
  REQUIRE(good.size() == other.size());
  work.file("p.yaml", pipeline);
  work.file("t.csv", good);
  work.file("u.csv", table(40, false));
  const std::string run = "run p.yaml --quiet --data " + work.path.string();
  work.succeed(run + " --no-cache --out right");
  const double right = work.metrics("right").at("nodes").at("e").at("accuracy");
  REQUIRE(right > 0.9);
  int refused = 0;
  bool was_replaced = true;
  for (int at = 1; was_replaced; ++at) {
    fs::remove_all(work.path / "cache");
    work.file("t.csv", good);
    work.file("other.csv", other);
    const auto outcome =
        replaced(work, work.path / "t.csv", work.path / "other.csv", at, run + " --out first");
    INFO("replaced before it is opened for the " << at << "th time\n" << outcome.output);
    was_replaced = !fs::exists(work.path / "other.csv");
    if (outcome.exit != 0) {
      ++refused;
      CHECK(contains(outcome,
                     "/t.csv' was changed while the run read it; start again when its "
                     "files stay as they are"));
    }
    work.file("t.csv", good);
    work.succeed(run + " --out second");
    CHECK(work.metrics("second").at("nodes").at("e").at("accuracy") == right);
  }
  CHECK(refused > 0);
}

}  // namespace

// A sanitizer accepts no library that is loaded before it.
TEST_CASE("what a run computed from a replaced file is not stored under the former file's key" *
          doctest::skip(sanitized)) {
  check_store_stays_right(400);
}

TEST_CASE("nor is what it read of a large table" * doctest::skip(sanitized)) {
  check_store_stays_right(70000);
}

TEST_CASE("a file that is only touched or linked by others while a run reads it is no other") {
  const Workplace work;
  work.file("p.yaml", pipeline);
  work.file("t.csv", table(20000, false));
  work.file("u.csv", table(40, false));
  const pid_t process =
      work.start("run p.yaml --quiet --data " + work.path.string() + " --out out");
  for (int i = 0; i < 50; ++i) {
    const fs::path link = work.path / ("link" + std::to_string(i));
    fs::create_hard_link(work.path / "t.csv", link);
    ::usleep(4000);
  }
  CHECK(wait_for(process) == 0);
}

TEST_CASE("a model that is replaced while it is read is refused" * doctest::skip(sanitized)) {
  Workplace work;
  work.file("p.yaml", pipeline);
  work.file("u.csv", table(40, false));
  const std::string run = "run p.yaml --quiet --no-cache --data " + work.path.string();
  work.file("t.csv", table(400, true));
  work.succeed(run + " --out other");
  work.file("t.csv", table(400, false));
  work.succeed(run + " --out good");
  const fs::path state = work.path / "good/model/nodes/svm/part_0";
  fs::path weights;
  for (const auto& item : fs::directory_iterator(state))
    if (item.path().extension() == ".npy") weights = item.path();
  REQUIRE(!weights.empty());
  const fs::path others = work.path / "other/model/nodes/svm/part_0" / weights.filename();
  const fs::path kept = work.path / "kept.npy", fresh = work.path / "fresh.npy";
  fs::copy_file(weights, kept);
  const std::string predict =
      "predict " + (work.path / "good/model").string() + " u.csv --quiet --out p";
  work.succeed(predict);
  const std::string right = work.content("p/svm.csv");
  int refused = 0;
  bool was_replaced = true;
  for (int at = 1; was_replaced; ++at) {
    fs::copy_file(kept, weights, fs::copy_options::overwrite_existing);
    fs::copy_file(others, fresh, fs::copy_options::overwrite_existing);
    const auto outcome = replaced(work, weights, fresh, at, predict);
    INFO("replaced before it is opened for the " << at << "th time\n" << outcome.output);
    was_replaced = !fs::exists(fresh);
    refused += outcome.exit != 0;
    if (outcome.exit == 0) CHECK(work.content("p/svm.csv") == right);
  }
  CHECK(refused > 0);
}

}  // namespace replaced_files_test
