// SPDX-License-Identifier: MIT
// Nearest neighbours whose training samples are spread over several ranks have the same bits as on
// one.
#include <doctest/doctest.h>

#include <atomic>
#include <numeric>

#include "semblance/collectives_testing.hpp"
#include "solver_testing.hpp"

namespace ranks_test {

using namespace semblance;
using namespace semblance::common::testing;

namespace {

/// Rows that must not be read: the solver declares that it reads none.
class NoRows final : public Rows {
 public:
  explicit NoRows(std::size_t rows) : rows_(rows) {}
  std::size_t rows() const noexcept override { return rows_; }
  std::size_t cols() const noexcept override { return rows_; }
  MatrixView view(std::size_t, std::size_t) const override { throw Error("it looks at a row"); }
  void release(std::size_t, std::size_t) const override {}

 private:
  std::size_t rows_;
};

std::string learned(std::size_t rows, Context& context) {
  auto solver = make_component<Solver>("solver/nearest_neighbour", {{"k", std::int64_t{3}}});
  const Data data = clouds(rows, 1, 4);
  std::vector<std::int64_t> bases(rows);
  std::iota(bases.rbegin(), bases.rend(), 0);
  const Layout layout = Layout::vector(rows);
  const NoRows none(rows);
  TrainingSet training{none, layout, data.labels, data.classes};
  training.bases = bases;
  MemoryReport report;
  solver->bind(layout);
  solver->train(training, report, context);
  return saved_bits(*solver) + std::to_string(report.integers.at("bases"));
}

}  // namespace

TEST_CASE("ranks: all have the same nearest neighbours, few rows or many") {
  for (const std::size_t rows : {300U, 2601U}) {
    TestContext alone;
    const std::string expected = learned(rows, alone);
    for (const std::size_t ranks : {2U, 3U, 4U, 8U})
      for (const std::size_t threads : {1U, 2U}) {
        std::atomic<std::size_t> same = 0;
        on_ranks(
            ranks, [&](RankContext& context) { same += learned(rows, context) == expected; },
            threads);
        CHECK(same == ranks);
      }
  }
  CHECK(make_component<Solver>("solver/nearest_neighbour")->distributes());
  CHECK(declaration_of("solver/nearest_neighbour").info.distributed);
}

}  // namespace ranks_test
