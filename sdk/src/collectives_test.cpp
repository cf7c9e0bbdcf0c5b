// SPDX-License-Identifier: MIT
#include "semblance/collectives.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "semblance/collectives_testing.hpp"
#include "semblance/slow_transport_testing.hpp"

namespace collectives_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

FloatMatrix numbered(std::size_t rows, std::size_t cols) {
  FloatMatrix values(rows, cols);
  for (std::size_t i = 0; i < values.values.size(); ++i)
    values.values[i] = std::sin(static_cast<float>(i)) * std::exp(static_cast<float>(i % 17));
  return values;
}

/// The sums of the columns of a rank's rows.
std::vector<double> column_sums(const Rows& rows, Context& context) {
  const RowParts parts(rows.rows());
  std::vector<double> total(rows.cols());
  sum_over_parts(context, parts, total, [&](std::size_t part, std::span<double> sums) {
    const std::size_t first = parts.first_row(part);
    const MatrixView view = rows.view(first, parts.rows_of(part));
    for (std::size_t i = 0; i < view.rows; ++i)
      for (std::size_t j = 0; j < view.cols; ++j) sums[j] += view.row(i)[j];
  });
  return total;
}

}  // namespace

TEST_CASE("parts are consecutive, whole blocks, and hold all rows") {
  for (const std::size_t rows : {0U, 1U, 255U, 256U, 257U, 8191U, 8192U, 60000U, 1000003U}) {
    const RowParts parts(rows);
    CHECK(parts.first_row(0) == 0);
    CHECK(parts.first_row(parts.count()) == rows);
    for (std::size_t p = 0; p < parts.count(); ++p) {
      CHECK(parts.first_row(p) % block_rows == 0);
      CHECK(parts.rows_of(p) > 0);
      CHECK(parts.part_of(parts.first_row(p)) == p);
      CHECK(parts.part_of(parts.first_row(p + 1) - 1) == p);
    }
  }
  CHECK(RowParts(60000).count() == 32);
  CHECK(RowParts(1000).count() == 4);
  CHECK(RowParts(50000000).count() == 1024);
}

TEST_CASE("every part has one owner, in the order of ranks") {
  for (const std::size_t rows : {0U, 300U, 5000U, 60000U})
    for (const std::size_t ranks : {1U, 2U, 3U, 7U, 8U, 40U}) {
      const RowParts parts(rows);
      std::size_t next = 0, row = 0;
      for (std::size_t r = 0; r < ranks; ++r) {
        const OwnParts own = parts_of(parts, r, ranks);
        CHECK(own.first == next);
        CHECK(own.first_row == row);
        next = own.end();
        row = own.end_row();
      }
      CHECK(next == parts.count());
      CHECK(row == rows);
    }
}

TEST_CASE("sums have the same bits for any number of ranks and threads") {
  for (const std::size_t rows : {1U, 700U, 2900U, 20000U, 70001U}) {
    const MemoryRows all(numbered(rows, 3));
    TestContext alone(1);
    const std::vector<double> expected = column_sums(all, alone);
    std::vector<double> straight(3);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < 3; ++j) straight[j] += all.view(i, 1).row(0)[j];
    for (std::size_t j = 0; j < 3; ++j)
      CHECK(expected[j] == doctest::Approx(straight[j]).epsilon(1e-9));
    for (const std::size_t ranks : {2U, 3U, 4U, 7U, 8U, 13U})
      for (const std::size_t threads : {1U, 2U})
        on_ranks(
            ranks,
            [&](RankContext& context) {
              const OwnRows own(all, context.collectives());
              if (column_sums(own, context) != expected) throw Error("other bits");
            },
            threads);
  }
}

TEST_CASE("rows are gathered in the order in which they are asked for") {
  const MemoryRows all(numbered(5000, 4));
  const std::vector<std::int64_t> positions = {4999, 0, 17, 17, 2500, 1};
  on_ranks(5, [&](RankContext& context) {
    const OwnRows own(all, context.collectives());
    const FloatMatrix got = gather_rows(own, positions, context);
    if (got.rows != positions.size() || !got.offsets.empty()) throw Error("another shape");
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const auto row = all.view(static_cast<std::size_t>(positions[i]), 1).row_span(0);
      if (!std::ranges::equal(got.view().row_span(i), row)) throw Error("other rows");
    }
  });
}

TEST_CASE("rows that differ in size are gathered as they are") {
  std::vector<std::size_t> sizes(1000);
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = i % 5;
  FloatMatrix values = FloatMatrix::ragged(4, sizes);
  std::iota(values.values.begin(), values.values.end(), 0.0F);
  const MemoryRows all(values);
  on_ranks(3, [&](RankContext& context) {
    const OwnRows own(all, context.collectives());
    const std::vector<std::int64_t> positions = {999, 4, 5, 501};
    const FloatMatrix got = gather_rows(own, positions, context);
    for (std::size_t i = 0; i < positions.size(); ++i)
      if (!std::ranges::equal(got.view().row_span(i),
                              all.view(static_cast<std::size_t>(positions[i]), 1).row_span(0)))
        throw Error("other rows");
  });
}

TEST_CASE("what one rank throws, all hear of") {
  std::atomic<int> heard = 0;
  CHECK_THROWS_WITH(on_ranks(4,
                             [&](RankContext& context) {
                               if (context.collectives().rank() == 2) throw Error("row 7 is NaN");
                               try {
                                 context.collectives().all(true);
                               } catch (const RankFailure& failure) {
                                 heard +=
                                     std::string(failure.what()) == "rank 2 on here: row 7 is NaN";
                                 throw;
                               }
                             }),
                    "row 7 is NaN");
  CHECK(heard == 3);
}

TEST_CASE("a stop that one rank wants is known to all at the same call") {
  std::atomic<int> stopped = 0;
  on_ranks(3, [&](RankContext& context) {
    if (context.collectives().rank() == 1) context.alone().stop = StopReason::deadline;
    const bool before = context.stop_requested() != StopReason::none;
    context.collectives().all(true);
    stopped += !before && context.stop_requested() == StopReason::deadline;
  });
  CHECK(stopped == 3);
}

TEST_CASE("answers of all ranks") {
  on_ranks(3, [&](RankContext& context) {
    Collectives& ranks = context.collectives();
    const bool last = ranks.rank() == 2;
    if (ranks.all(last) || !ranks.any(last) || ranks.any(false) || !ranks.all(true))
      throw Error("wrong answers");
    double value = last ? 2.5 : 0;
    ranks.broadcast(2, std::as_writable_bytes(std::span(&value, 1)));
    if (value != 2.5) throw Error("wrong value");
    std::vector<int> mine(ranks.rank(), static_cast<int>(ranks.rank()));
    if (ranks.gather(mine) != std::vector<int>{1, 2, 2}) throw Error("wrong values");
  });
}

TEST_CASE("what is gathered comes by rank, however short or long: in one message up to 16 bytes") {
  for (const std::size_t longest : {0U, 1U, 15U, 16U, 17U, 5000U})
    on_transports(4, [&](Transport& quick) {
      SlowTransport transport(quick, 0);
      RankedCollectives ranks(transport, [] { return StopReason::none; });
      // The last rank has most, the second nothing.
      const std::size_t rank = ranks.rank();
      const std::size_t own = rank == 3   ? longest
                              : rank == 1 ? 0
                                          : std::min<std::size_t>(longest, 3);
      std::vector<char> expected;
      for (const char r : {0, 2, 3})
        expected.insert(expected.end(), r == 3 ? longest : std::min<std::size_t>(longest, 3),
                        static_cast<char>('a' + r));
      const auto letter = static_cast<char>('a' + rank);
      if (ranks.gather(std::vector<char>(own, letter)) != expected) throw Error("other bytes");
      if (transport.calls() != (longest > 16 ? 2 : 1)) throw Error("other calls");
      if (ranks.sent() != own) throw Error("another count of bytes");
    });
}

TEST_CASE("of ranks that fail while others give bytes, all messages are heard, and no bytes") {
  std::atomic<int> heard = 0;
  on_transports(3, [&](Transport& transport) {
    RankedCollectives ranks(transport, [] { return StopReason::deadline; });
    if (ranks.rank() > 0) return ranks.fail(ranks.rank() == 1 ? "no" : std::string(100, '!'));
    try {
      ranks.gather(std::vector<char>(1000, 'x'));
    } catch (const RankFailure& failure) {
      heard += failure.what() == "rank 1 on here: norank 2 on here: " + std::string(100, '!');
    }
  });
  CHECK(heard == 1);
}

}  // namespace collectives_test
