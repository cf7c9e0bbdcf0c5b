// SPDX-License-Identifier: MIT
#include "runtime/rows/row_tags.hpp"

#include <doctest/doctest.h>

#include "semblance/error.hpp"
#include "semblance/testing.hpp"

namespace row_tags_test {

using namespace semblance;

namespace {

class Photos final : public Dataset {
 public:
  const Outline& outline() const noexcept override { return outline_; }
  std::span<const std::int32_t> labels() const noexcept override { return {}; }
  void read(std::size_t, MutableMatrixView) const override {}
  std::size_t bytes() const noexcept override { return 0; }
  std::int64_t number(std::size_t row) const override { return 7 * std::int64_t(row) + 2; }
  std::string name(std::size_t row) const override {
    return row == 0 ? "" : row == 1 ? "cats/a,\"b\".png" : "\xff.png";
  }

 private:
  Outline outline_{Layout::vector(1), 0, 3, {}};
};

/// Several tags as text: numbers, then names.
std::string text_of(const RowTags& tags) {
  std::string text;
  for (std::size_t i = 0; i < tags.rows(); ++i)
    text += std::to_string(tags.number(i)) + (tags.named() ? " " + tags.name(i) : "") + "\n";
  return text;
}

}  // namespace

TEST_CASE("rows are known again by number and name, whether they were stored or not") {
  const Photos photos;
  const RowTags all(photos, 0, 3), one(photos, 0, 1);
  CHECK(text_of(all) == "2 \n9 cats/a,\"b\".png\n16 \xef\xbf\xbd.png\n");
  CHECK(text_of(one) == "2\n");
  for (const RowTags& tags : {all, one, RowTags(photos, 1, 2), RowTags()}) {
    testing::MemoryState state;
    tags.save(state);
    CHECK(text_of(RowTags::load(state)) == text_of(tags));
  }
}

TEST_CASE("names and numbers that do not belong to the rows are refused") {
  const auto loaded = [](std::int64_t rows, std::vector<std::int64_t> numbers, const char* names) {
    testing::MemoryState state;
    state.integer("row_count", rows);
    state.integer("row_first", 0);
    state.integers("row_numbers", numbers);
    state.text("row_names", names);
    return RowTags::load(state);
  };
  CHECK(loaded(2, {5, 3}, R"(["a", "b"])").number(1) == 3);
  CHECK_THROWS_AS(loaded(3, {5, 3}, "[]"), Error);
  CHECK_THROWS_AS(loaded(2, {5, 3}, R"(["a"])"), Error);
  CHECK_THROWS_AS(loaded(2, {5, 3}, R"({"a": 1})"), Error);
  CHECK_THROWS_AS(loaded(2, {5, 3}, "["), Error);
  CHECK_THROWS_AS(loaded(-1, {}, "[]"), Error);
}

}  // namespace row_tags_test
