// SPDX-License-Identifier: MIT
#include "runtime/store/folder.hpp"

#include <doctest/doctest.h>

#include "runtime/store/state_files.hpp"
#include "semblance/error.hpp"
#include "support/files/hash.hpp"
#include "support/test_folder.hpp"

namespace folder_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

void fill(const Folder& folder) {
  const Folder inside = folder / "nodes" / "svm";
  inside.make();
  inside.write("b.npy", "two");
  inside.write("a.npy", "one");
  folder.write("model.json", "{}");
}

}  // namespace

TEST_CASE("a folder in memory has what one on disk has") {
  const TestFolder place;
  const auto contents = std::make_shared<Folder::Contents>();
  for (const Folder& folder : {Folder(place.path / "model"), Folder(contents, "model")}) {
    fill(folder);
    CHECK(folder.files() ==
          std::vector<std::string>{"model.json", "nodes/svm/a.npy", "nodes/svm/b.npy"});
    CHECK((folder / "nodes").files() == std::vector<std::string>{"svm/a.npy", "svm/b.npy"});
    CHECK((folder / "nodes" / "svm").read("b.npy") == "two");
    CHECK(folder.has("nodes/svm/a.npy"));
    CHECK_FALSE(folder.has("a.npy"));
    std::error_code failure;
    CHECK(folder.size("nodes/svm/a.npy", failure) == 3);
    CHECK_FALSE(failure);
    folder.size("nothing", failure);
    CHECK(failure == std::errc::no_such_file_or_directory);
    CHECK(folder.hash("model.json") == hash_of("{}"));
    CHECK_THROWS_AS(folder.read("nothing"), Error);
    folder.write("model.json", "[]");
    CHECK(folder.read("model.json") == "[]");
  }
  CHECK(contents->size() == 3);
}

TEST_CASE("a state in memory is read as it was written") {
  const auto contents = std::make_shared<Folder::Contents>();
  const std::vector<std::size_t> sizes = {2, 0, 1};
  FloatMatrix rows = FloatMatrix::sparse(4, sizes);
  rows.values = {1, 2, 3};
  rows.columns = {0, 3, 2};
  StateFolderWriter writer(Folder(contents, "state"));
  writer.integer("count", 3);
  writer.floats("rows", std::as_const(rows).view());
  writer.doubles("values", std::vector<double>{0.5});
  writer.finish();
  const StateFolderReader reader(Folder(contents, "state"));
  CHECK(reader.integer("count") == 3);
  CHECK(reader.doubles("values") == std::vector<double>{0.5});
  const FloatMatrix read = reader.floats("rows");
  CHECK(read.is_sparse);
  CHECK(read.columns == rows.columns);
  CHECK(read.values == rows.values);
  contents->erase("rows.columns.npy");
  CHECK_THROWS_WITH_AS(reader.floats("rows"),
                       "cannot read 'state/rows.columns.npy': No such file or directory", Error);
}

}  // namespace folder_test
