// SPDX-License-Identifier: MIT
#include "runtime/store/kept_rows.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "runtime/store/state_files.hpp"
#include "semblance/error.hpp"
#include "support/files/atomic_file.hpp"
#include "support/files/hash.hpp"
#include "support/files/npy.hpp"

namespace kept_rows_test {

using namespace semblance;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path = fs::temp_directory_path() / ("kept_rows_test_" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

RowSizes sizes(std::vector<std::size_t> offsets) {
  return {4, std::make_shared<const std::vector<std::size_t>>(std::move(offsets))};
}

/// Rows of 2, 0, 3 and 1 values: 1, 2, ...
std::shared_ptr<KeptRows> filled(std::shared_ptr<KeptRows> rows) {
  float next = 0;
  const MutableMatrixView all = rows->writable(0, rows->rows());
  for (std::size_t i = 0; i < all.rows; ++i)
    for (float& x : all.row_span(i)) x = ++next;
  return rows;
}

std::vector<float> values(MatrixView rows) {
  std::vector<float> all;
  for (std::size_t i = 0; i < rows.rows; ++i)
    all.insert(all.end(), rows.row_span(i).begin(), rows.row_span(i).end());
  return all;
}

KeptRows::Room any_room(std::size_t) { return {}; }

std::string refusal(const fs::path& folder, std::size_t rows, std::size_t cols) {
  try {
    KeptRows::open(folder, rows, cols, KeptRows::Kind::ragged, any_room);
  } catch (const Error& problem) {
    const std::string text = problem.what();
    return text.substr(text.rfind('\''));
  }
  return "";
}

}  // namespace

TEST_CASE("rows that differ in size take the room of their values, in memory and on disk") {
  const Folder folder;
  const RowSizes own = sizes({0, 2, 2, 5, 6});
  for (const auto& rows :
       {filled(KeptRows::in_memory(4, own, {})), filled(KeptRows::spilled(folder.path, 4, own)),
        filled(KeptRows::in_folder(folder.path, 4, own, {}))}) {
    CHECK(rows->bytes() == 6 * sizeof(float));
    CHECK(rows->cols() == 4);
    CHECK(values(rows->view(2, 2)) == std::vector<float>{3, 4, 5, 6});
    CHECK(rows->view(1, 1).size(0) == 0);
    rows->release(0, 4);
    CHECK(values(rows->view(0, 4)) == std::vector<float>{1, 2, 3, 4, 5, 6});
  }
  const auto again =
      KeptRows::open(folder.path, 4, 4, KeptRows::Kind::ragged, [](std::size_t bytes) {
        CHECK(bytes == 6 * sizeof(float));
        return KeptRows::Room();
      });
  CHECK(values(again->view(0, 4)) == std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK(again->view(2, 1).size(0) == 3);
}

TEST_CASE("sparse rows keep their columns, in memory and on disk") {
  const Folder folder;
  RowSizes own = sizes({0, 2, 2, 5, 6});
  own.sparse = true;
  const std::vector<std::uint32_t> columns = {0, 3, 1, 2, 3, 0};
  for (const auto& rows :
       {filled(KeptRows::in_memory(4, own, {})), filled(KeptRows::spilled(folder.path, 4, own)),
        filled(KeptRows::in_folder(folder.path, 4, own, {}))}) {
    CHECK(rows->bytes() == 12 * sizeof(float));
    std::ranges::copy(columns, rows->writable(0, 4).columns);
    rows->release(0, 4);
    const MatrixView some = rows->view(2, 2);
    CHECK(some.sparse());
    CHECK(values(some) == std::vector<float>{3, 4, 5, 6});
    CHECK(std::ranges::equal(some.columns_of(0), std::vector<std::uint32_t>{1, 2, 3}));
    CHECK(std::ranges::equal(some.columns_of(1), std::vector<std::uint32_t>{0}));
  }
  const auto again = KeptRows::open(folder.path, 4, 4, KeptRows::Kind::sparse, [](std::size_t b) {
    CHECK(b == 12 * sizeof(float));
    return KeptRows::Room();
  });
  CHECK(std::ranges::equal(std::span(again->view(0, 4).columns, 6), columns));
  CHECK(values(again->view(0, 4)) == std::vector<float>{1, 2, 3, 4, 5, 6});
  fs::resize_file(folder.path / "columns.npy", npy::header_bytes + 5 * 4);
  CHECK_THROWS_AS(KeptRows::open(folder.path, 4, 4, KeptRows::Kind::sparse, any_room), Error);
}

TEST_CASE("a state keeps sparse rows, and refuses columns that cannot be") {
  const Folder folder;
  FloatMatrix rows = FloatMatrix::sparse(9, std::vector<std::size_t>{2, 0, 1});
  rows.values = {1, 2, 3};
  rows.columns = {4, 8, 0};
  StateFolderWriter writer(folder.path / "state");
  writer.floats("bases", rows.view());
  writer.floats("empty", FloatMatrix::sparse(9, std::vector<std::size_t>{0, 0}).view());
  writer.finish();
  const StateFolderReader reader(folder.path / "state");
  const FloatMatrix read = reader.floats("bases");
  CHECK(read.is_sparse);
  CHECK(read.offsets == rows.offsets);
  CHECK(read.values == rows.values);
  CHECK(read.columns == rows.columns);
  CHECK(read.cols == 9);
  CHECK(reader.floats("empty").view().sparse());
  CHECK(reader.floats("empty").rows == 2);
  const auto damage = [&](const std::vector<std::int64_t>& columns) {
    write_file_atomically(folder.path / "state" / "bases.columns.npy", npy::to_bytes(columns));
    CHECK_THROWS_AS(reader.floats("bases"), Error);
  };
  damage({4, 9, 0});
  damage({4, 4, 0});
  damage({4, 8});
  damage({-1, 8, 0});
}

TEST_CASE("rows that others have take no room on the disk") {
  const Folder folder;
  constexpr std::size_t cols = 1024, rows = 1000;
  const RowSizes equal{cols, nullptr};
  const auto used = [&](const auto& make) {
    const auto before = std::filesystem::space(folder.path).free;
    const auto kept = make();
    kept->writable(400, 50).row(0)[0] = 3;
    CHECK(kept->view(400, 50).row(0)[0] == 3);
    const auto after = std::filesystem::space(folder.path).free;
    return before > after ? before - after : 0;
  };
  const std::vector<RowSpan> pieces = {{400, 50}, {990, 10}};
  const auto own = used([&] { return KeptRows::spilled(folder.path, rows, equal, pieces); });
  const auto all = used([&] { return KeptRows::spilled(folder.path, rows, equal); });
  MESSAGE("of ", rows * cols * sizeof(float), " bytes: ", all, " and ", own);
  // Other processes may write to the same disk at the same time.
  if (all >= rows * cols * sizeof(float)) CHECK(own < all / 2);
}

TEST_CASE("stored rows of another shape are refused") {
  const Folder folder;
  filled(KeptRows::in_folder(folder.path, 4, sizes({0, 2, 2, 5, 6}), {}));
  CHECK(refusal(folder.path, 4, 4).empty());
  CHECK(refusal(folder.path, 3, 4) == "' has an unexpected shape");
  CHECK(refusal(folder.path, 4, 2) == "' has an unexpected shape");
  const auto damage = [&](const std::vector<std::int64_t>& offsets) {
    write_file_atomically(folder.path / "offsets.npy", npy::to_bytes(offsets));
    return refusal(folder.path, 4, 4);
  };
  CHECK(damage({0, 2, 1, 5, 6}) == "' has an unexpected shape");
  CHECK(damage({1, 2, 2, 5, 6}) == "' has an unexpected shape");
  CHECK(damage({0, 2, 2, 5, 7}) == "' has an unexpected shape");
  CHECK(damage({0, 2, 2, 5, 6}).empty());
}

TEST_CASE("the sizes of some rows") {
  const RowSizes all = sizes({0, 2, 2, 5, 6});
  CHECK(all.values(1, 3) == 4);
  CHECK(*all.of_rows(1, 2).offsets == std::vector<std::size_t>{0, 0, 3});
  CHECK(all.rows(2, 2).values.size() == 4);
  const RowSizes equal{7, nullptr};
  CHECK(equal.values(1, 3) == 21);
  CHECK(equal.rows(0, 2).offsets.empty());
}

TEST_CASE("a state keeps rows that differ in size") {
  const Folder folder;
  FloatMatrix rows = FloatMatrix::ragged(9, std::vector<std::size_t>{2, 0, 1});
  rows.values = {1, 2, 3};
  StateFolderWriter writer(folder.path / "state");
  writer.floats("bases", rows.view());
  writer.finish();
  const FloatMatrix read = StateFolderReader(folder.path / "state").floats("bases");
  CHECK(read.offsets == rows.offsets);
  CHECK(read.values == rows.values);
  CHECK(read.cols == 9);
  const std::vector<std::int64_t> wrong = {0, 2, 1, 3};
  write_file_atomically(folder.path / "state" / "bases.offsets.npy", npy::to_bytes(wrong));
  CHECK_THROWS_AS(StateFolderReader(folder.path / "state").floats("bases"), Error);
}

TEST_CASE("a file that several fill has the rows of all, whatever pages they share") {
  const Folder folder;
  constexpr std::size_t cols = 5, page_rows = 4096 / (cols * sizeof(float));
  const std::vector<RowSpan> spans = {{0, 700},
                                      {700, 1},
                                      {701, page_rows / 3},
                                      {701 + page_rows / 3, 2 * page_rows},
                                      {701 + page_rows / 3 + 2 * page_rows, 900}};
  const std::size_t rows = spans.back().end();
  std::vector<std::shared_ptr<KeptRows>> ranks;
  for (const RowSpan span : spans)
    ranks.push_back(
        KeptRows::in_shared_folder(folder.path, rows, {cols, nullptr}, {}, {span}, ranks.empty()));
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const MutableMatrixView own = ranks[r]->writable(spans[r].first, spans[r].count);
    for (std::size_t i = 0; i < own.rows; ++i)
      for (std::size_t j = 0; j < cols; ++j)
        own.row(i)[j] = static_cast<float>((spans[r].first + i) * cols + j + 1);
    // Rows that are not in the file must not be lost with it.
    for (std::size_t i = 0; i < own.rows; i += 10)
      ranks[r]->release(spans[r].first + i, std::min<std::size_t>(10, own.rows - i));
    ranks[r]->release(0, rows);
    CHECK_THROWS_AS(ranks[r]->view(0, rows), Error);
  }
  const fs::path file = folder.path / "rows.npy";
  const std::string before = read_whole_file(file);
  std::string whole = before.substr(0, npy::header_bytes);
  std::size_t apart = 0;
  for (const auto& rank : ranks)
    for (const auto& piece : rank->written()) {
      CHECK(piece.at == whole.size());
      std::string bytes = before.substr(piece.at, piece.bytes);
      // No process has written to a page that other processes write to as well.
      for (const auto& [at, edge] : {std::pair(std::size_t{0}, piece.head),
                                     {bytes.size() - piece.tail.size(), piece.tail}}) {
        CHECK(bytes.substr(at, edge.size()) == std::string(edge.size(), '\0'));
        bytes.replace(at, edge.size(), edge);
        apart += edge.size();
      }
      CHECK(hash_of(bytes) == piece.checksum);
      whole += bytes;
    }
  CHECK(apart > 0);
  REQUIRE(whole.size() == before.size());
  write_file_atomically(file, whole);
  const auto all = KeptRows::open(folder.path, rows, cols, KeptRows::Kind::equal, any_room);
  const std::vector<float> found = values(all->view(0, rows));
  bool right = found.size() == rows * cols;
  for (std::size_t i = 0; right && i < found.size(); ++i)
    right = found[i] == static_cast<float>(i + 1);
  CHECK(right);
}

TEST_CASE("of stored rows a process may have some: only these take room") {
  const Folder folder;
  std::size_t asked = 0;
  filled(KeptRows::in_folder(folder.path, 4, {4, nullptr}, {}));
  const auto some = KeptRows::open(
      folder.path, 4, 4, KeptRows::Kind::equal,
      [&](std::size_t bytes) { return asked = bytes, KeptRows::Room(); },
      std::vector<RowSpan>{{1, 2}});
  CHECK(asked == 2 * 4 * sizeof(float));
  CHECK(some->bytes_here() == asked);
  CHECK(values(some->view(1, 2)) == std::vector<float>{5, 6, 7, 8, 9, 10, 11, 12});
  CHECK_THROWS_AS(some->view(0, 2), Error);
}

}  // namespace kept_rows_test
