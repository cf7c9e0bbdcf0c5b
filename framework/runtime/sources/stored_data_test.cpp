// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "runtime/sources/slow_data.hpp"
#include "runtime/trained/borrowed_rows.hpp"
#include "semblance/error.hpp"
#include "semblance/testing.hpp"

namespace stored_data_test {

using namespace semblance;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path = fs::temp_directory_path() / ("stored_data_test_" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Two rows to learn from and one to test on, with two targets each.
BorrowedData priced(FloatMatrix& train, FloatMatrix& test) {
  train = FloatMatrix(2, 1);
  test = FloatMatrix(1, 1);
  BorrowedData data;
  data.layout = Layout::vector(1);
  data.train = train.view();
  data.test = test.view();
  data.labels = {-1, -1, -1};
  data.targets = {0.1, -1e300, 2, 1e-300, unknown, 7};
  data.target_names = {"price", "age"};
  return data;
}

bool same(std::span<const double> a, std::span<const double> b) {
  return std::ranges::equal(std::as_bytes(a), std::as_bytes(b));
}

}  // namespace

TEST_CASE("stored data give back their targets bit by bit, with their names") {
  const Folder folder;
  FloatMatrix train, test;
  const BorrowedRows data(priced(train, test));
  testing::TestContext context;
  const auto facts = StoredData::write(data, folder.path, context);
  const StoredData stored(folder.path, facts);
  CHECK(stored.outline().targets == std::vector<std::string>{"price", "age"});
  CHECK(stored.outline().classes.empty());
  CHECK(same(stored.targets(), data.targets()));
  CHECK(stored.bytes() >= stored.targets().size_bytes());
  auto other = facts;
  other["targets"] = {"price"};
  CHECK_THROWS_WITH_AS(StoredData(folder.path, other),
                       doctest::Contains("does not hold as many labels and targets as rows"),
                       Error);
}

TEST_CASE("data stored before there were targets are read as data without") {
  const Folder folder;
  FloatMatrix train, test;
  BorrowedData data = priced(train, test);
  data.targets.clear();
  data.target_names.clear();
  data.classes = {"a"};
  data.labels = {0, 0, 0};
  testing::TestContext context;
  auto facts = StoredData::write(BorrowedRows(data), folder.path, context);
  facts.erase("targets");
  const StoredData stored(folder.path, facts);
  CHECK(stored.targets().empty());
  CHECK(stored.outline().targets.empty());
  CHECK(std::ranges::equal(stored.labels(), data.labels));
}

TEST_CASE("a program gives each row as many targets as there are names") {
  FloatMatrix train, test;
  BorrowedData data = priced(train, test);
  const BorrowedRows rows(data);
  CHECK(rows.outline().targets == data.target_names);
  CHECK(same(rows.targets(), data.targets));
  data.targets.pop_back();
  CHECK_THROWS_WITH_AS(BorrowedRows{data},
                       "there are 5 targets for 3 rows, each of which has 2; give each row as many "
                       "targets as there are names of them",
                       Error);
}

}  // namespace stored_data_test
