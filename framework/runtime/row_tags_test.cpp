// SPDX-License-Identifier: MIT
#include "runtime/row_tags.hpp"

#include <doctest/doctest.h>

#include "semblance/error.hpp"
#include "semblance/testing.hpp"

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

}  // namespace

TEST_CASE("rows are known again by number and name, whether they were stored or not") {
  const Photos photos;
  const RowTags tags = RowTags::of(photos, 1, 2);
  CHECK(tags.numbers == std::vector<std::int64_t>{9, 16});
  CHECK(tags.names == std::vector<std::string>{"cats/a,\"b\".png", "\xef\xbf\xbd.png"});
  CHECK(RowTags::of(photos, 0, 1).names.empty());
  testing::MemoryState state;
  tags.save(state);
  const RowTags again = RowTags::load(state);
  CHECK(again.numbers == tags.numbers);
  CHECK(again.names == tags.names);
}

TEST_CASE("names that do not belong to the rows are refused") {
  testing::MemoryState state;
  RowTags{{1, 2}, {"a"}}.save(state);
  CHECK_THROWS_AS(RowTags::load(state), Error);
}
