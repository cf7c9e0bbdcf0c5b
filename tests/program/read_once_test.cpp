// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program.hpp"

namespace read_once_test {

using namespace semblance::testing;

// Text that is read once, and rows that do not fit into memory.

namespace {

namespace fs = std::filesystem;

/// The same numbers on every machine.
class Numbers {
 public:
  std::uint32_t below(std::uint32_t end) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>(state_ >> 33U) % end;
  }

 private:
  std::uint64_t state_ = 1;
};

/// Sparse rows of two classes, which differ in how large the values of every tenth column are.
void write_sparse_rows(const fs::path& file, int rows, int values, std::uint32_t columns) {
  std::ofstream out(file);
  Numbers numbers;
  std::string line;
  for (int i = 0; i < rows; ++i) {
    const bool positive = numbers.below(2) == 1;
    line = positive ? "up" : "down";
    const std::uint32_t gap = columns / static_cast<std::uint32_t>(values);
    for (int k = 0; k < values; ++k) {
      const std::uint32_t column = static_cast<std::uint32_t>(k) * gap + numbers.below(gap) + 1;
      const std::uint32_t more = positive && column % 10 == 0 ? 2 : 0;
      line += ' ' + std::to_string(column) + ':' + std::to_string(1 + numbers.below(7) + more);
    }
    out << line << '\n';
  }
}

/// A table with names, words and numbers, of more than a mebibyte. A column starts at `base`.
std::string table(const std::string& first_value = "1.5", std::uint32_t base = 0) {
  Numbers numbers;
  std::string text = "id,colour,a,b,c,kind\n";
  for (int i = 0; i < 40000; ++i) {
    const std::uint32_t a = numbers.below(1000), b = numbers.below(1000);
    const char* const colour = i % 3 == 0 ? "red" : i % 3 == 1 ? "green" : "blue";
    text += "row " + std::to_string(i) + ',' + colour + ',' +
            (i == 0 ? first_value : std::to_string(a)) + ',' + std::to_string(base + b) + ',' +
            std::to_string(numbers.below(50)) + ',' +
            (a + numbers.below(400) > b + 200 ? "yes" : "no") + '\n';
  }
  return text;
}

const std::string on_table =
    "name: once\nnodes:\n"
    "  table: {is: source/csv, path: t.csv, label: kind, id: id, categorical: [colour], "
    "test_fraction: 0.2}\n"
    "  x:     {is: normalizer/zscore, from: table}\n"
    "  svm:   {is: solver/linear_svm, from: x}\n"
    "  test:  {is: evaluator/classification, from: svm}\n";

/// The artifacts with data read by sources.
std::vector<fs::path> stored_data(const Workplace& work) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(work.path / "cache"))
    if (entry.is_directory() && entry.path().string().ends_with(".data"))
      found.push_back(entry.path());
  return found;
}

}  // namespace

TEST_CASE("sparse rows of ten times the memory train with the bits of those that fit") {
  if (sanitized) return;
  const Workplace work;
  // 8 MiB are left for data; the rows take 80.
  write_sparse_rows(work.path / "rows.svm", 10500, 1000, 5000);
  work.file("p.yaml",
            "name: large\nnodes:\n"
            "  rows: {is: source/libsvm, rows: sparse, path: rows.svm, test_fraction: 0.1}\n"
            "  x:    {is: normalizer/unit_length, from: rows}\n"
            "  svm:  {is: solver/linear_svm, tolerance: 0.01, from: x}\n"
            "  test: {is: evaluator/classification, from: svm}\n");
  work.succeed("run p.yaml --data . --out roomy --no-cache");
  constexpr std::size_t budget = std::size_t{106} << 20;
  const auto tight = [&](const std::string& out) {
    work.succeed("run p.yaml --data . --memory 106M --out " + out);
    CHECK(work.metrics(out).at("peak_memory_bytes").get<std::size_t>() <= budget);
    CHECK(predictions(work, out) == predictions(work, "roomy"));
    CHECK(results_of(work, out) == results_of(work, "roomy"));
  };
  tight("first");
  REQUIRE(stored_data(work).size() == 1);
  CHECK(fs::file_size(stored_data(work)[0] / "rows.npy") +
            fs::file_size(stored_data(work)[0] / "columns.npy") >
        10 * (std::size_t{8} << 20));
  // Everything except the data read is recomputed.
  for (const auto& entry : fs::directory_iterator(stored_data(work)[0].parent_path()))
    if (entry.path() != stored_data(work)[0]) fs::remove_all(entry.path());
  tight("again");
}

TEST_CASE("what was read of a table is taken from the store, with its names and warnings") {
  const Workplace work;
  work.file("t.csv", table("1.5", 20000000));
  work.file("p.yaml", on_table);
  const auto plain = work.succeed("run p.yaml --data . --out plain --no-cache");
  CHECK(contains(plain, "are rounded by up to"));
  const auto first = work.succeed("run p.yaml --data . --out first");
  REQUIRE(stored_data(work).size() == 1);
  const auto second = work.succeed("run p.yaml --data . --out second --set nodes.svm.C=2");
  for (const auto& outcome : {first, second}) CHECK(contains(outcome, "are rounded by up to"));
  CHECK(predictions(work, "first") == predictions(work, "plain"));
  CHECK(results_of(work, "first") == results_of(work, "plain"));
  work.succeed("run p.yaml --data . --out other --no-cache --set nodes.svm.C=2");
  CHECK(predictions(work, "second") == predictions(work, "other"));
  CHECK(contains(work.content("second/predictions/svm.csv"), "row "));
  // A model trained on stored rows accepts the table like any other model.
  work.succeed("predict second/model t.csv --data . --out p");
  work.succeed("predict other/model t.csv --data . --out q");
  CHECK(work.content("p/svm.csv") == work.content("q/svm.csv"));
}

TEST_CASE("stored rows of another seed, of another file or damaged ones are not taken") {
  const Workplace work;
  work.file("t.csv", table());
  work.file("p.yaml", on_table);
  work.succeed("run p.yaml --data . --out first");
  REQUIRE(stored_data(work).size() == 1);
  const fs::path stored = stored_data(work)[0];
  work.succeed("run p.yaml --data . --out seed --seed 2");
  CHECK(stored_data(work).size() == 2);
  CHECK(work.content("seed/predictions/svm.csv") != work.content("first/predictions/svm.csv"));

  work.file("t.csv", table("999999"));
  work.succeed("run p.yaml --data . --out changed");
  CHECK(stored_data(work).size() == 3);

  work.file("t.csv", table());
  {
    std::fstream rows(stored / "rows.npy", std::ios::in | std::ios::out | std::ios::binary);
    rows.seekp(5000);
    rows.put('\x7f');
  }
  const auto damaged = work.succeed("run p.yaml --data . --out damaged --set nodes.svm.C=3");
  CHECK(contains(damaged, "rows.npy"));
  work.succeed("run p.yaml --data . --out plain --no-cache --set nodes.svm.C=3");
  CHECK(predictions(work, "damaged") == predictions(work, "plain"));
}

TEST_CASE("folds of a table are folds of what is stored") {
  const Workplace work;
  work.file("t.csv", table());
  work.file("p.yaml", on_table +
                          "select:\n  metric: test.error_rate\n  folds: 3\n  parameters:\n    "
                          "C: {path: nodes.svm.C, values: [0.01, 1]}\n");
  work.succeed("run p.yaml --data . --out plain --no-cache");
  work.succeed("run p.yaml --data . --out stored");
  CHECK(stored_data(work).size() == 1);
  CHECK(results_of(work, "stored") == results_of(work, "plain"));
  CHECK(predictions(work, "stored") == predictions(work, "plain"));
}

TEST_CASE("a compressed file counts as the text that it holds") {
  const Workplace work;
  work.file("t.csv", table());
  REQUIRE(work.shell("xz -9 t.csv && test $(stat -c %s t.csv.xz) -lt 900000").exit == 0);
  work.file("p.yaml", on_table);
  work.succeed("run p.yaml --data . --out plain --no-cache --set nodes.table.path=t.csv.xz");
  work.succeed("run p.yaml --data . --out stored --set nodes.table.path=t.csv.xz");
  CHECK(stored_data(work).size() == 1);
  CHECK(predictions(work, "stored") == predictions(work, "plain"));
}

TEST_CASE("without a store, what is read for the sizes gives the rows as well") {
  const Workplace work;
  work.file("t.csv", table());
  work.file("u.csv", table("2.5"));
  work.file("p.yaml",
            "name: once\nnodes:\n"
            "  table: {is: source/csv, path: t.csv, test_path: u.csv, label: kind, id: id, "
            "categorical: [colour]}\n"
            "  x:     {is: normalizer/zscore, from: table}\n"
            "  svm:   {is: solver/linear_svm, from: x}\n"
            "  test:  {is: evaluator/classification, from: svm}\n");
  work.succeed("run p.yaml --data . --out plain --no-cache");
  // The reader reports how it matches the second file whenever it reads it.
  const std::string log = work.content("plain/run.log"), report = "columns are matched by name";
  const std::size_t first = log.find(report);
  REQUIRE(first != log.npos);
  CHECK(log.find(report, first + 1) == log.npos);
  work.succeed("run p.yaml --data . --out stored");
  CHECK(predictions(work, "stored") == predictions(work, "plain"));
}

TEST_CASE("small files are read again") {
  const Workplace work;
  const std::string text = table().substr(0, 200000);
  work.file("t.csv", text.substr(0, text.rfind('\n') + 1));
  work.file("p.yaml", on_table);
  work.succeed("run p.yaml --data . --out first");
  CHECK(stored_data(work).empty());
}

}  // namespace read_once_test
