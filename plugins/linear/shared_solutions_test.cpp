// SPDX-License-Identifier: MIT
#include "shared_solutions.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <thread>

#include "linear_testing.hpp"
#include "semblance/shared_work.hpp"
#include "semblance/sparse_testing.hpp"

namespace semblance::linear::shared_solutions_test {
namespace {

using namespace testing;

constexpr const char* svm = "solver/linear_svm";

struct Machine {
  const char* name;
  Data data;
  Parameters parameters;
};

Data sparse_clouds() {
  Data data = clouds(120, 30, 3);
  for (std::size_t k = 0; k < data.values.values.size(); ++k)
    if (k % 7 > 1) data.values.values[k] = 0;
  data.values = sparse_of(data.values.view());
  return data;
}

std::vector<Machine> machines() {
  return {{"many rows", clouds(150, 5, 3), {}},
          {"exact steps", stiff(200, 10, 3), {}},
          {"in the rows' span", clouds(60, 300, 3), {}},
          {"sparse", sparse_clouds(), {}},
          {"l1", clouds(90, 6, 2), {{"regularizer", std::string("l1")}}},
          {"crammer_singer",
           clouds(90, 5, 3),
           {{"multiclass", std::string("crammer_singer")}, {"tolerance", 1e-3}}}};
}

/// The costs of trials that are solved in turn, in the order in which they train.
const std::vector<std::vector<double>> trials = {{0.1, 1}, {0.1, 1, 10, 100}, {0.1}, {0.1, 1, 10}};

Parameters with_costs(const Parameters& more, std::vector<double> costs) {
  Parameters all = more;
  all.emplace_back("C", costs.back());
  costs.pop_back();
  all.emplace_back("solved_before", costs);
  return all;
}

std::unique_ptr<Solver> machine(const Parameters& more, const std::vector<double>& costs) {
  return make_component<Solver>(svm, with_costs(more, costs));
}

SharesWork& sharing(Solver& solver) { return dynamic_cast<SharesWork&>(solver); }

std::shared_ptr<SharedWork> announced(const Parameters& more, std::size_t bytes) {
  auto work = sharing(*machine(more, trials[0])).make_shared_work(100, bytes);
  for (const auto& costs : trials) sharing(*machine(more, costs)).announce(*work);
  return work;
}

std::string learned(const Machine& of, const std::vector<double>& costs, Context& context,
                    const std::shared_ptr<SharedWork>& work) {
  const auto solver = machine(of.parameters, costs);
  sharing(*solver).use_shared_work(work);
  const MemoryRows rows(of.data.values);
  const Layout layout = layout_of(of.data.values);
  solver->bind(layout);
  MemoryReport report;
  solver->train(training_set(rows, layout, of.data), report, context);
  return saved_bits(*solver) + semblance::testing::bits_of(report);
}

TEST_CASE("trainings that share solutions have the bits of trainings that do not") {
  for (const Machine& of : machines())
    for (const std::size_t threads : {1U, 3U}) {
      CAPTURE(of.name);
      TestContext context(threads);
      const auto work = announced(of.parameters, std::size_t{1} << 20);
      for (const auto& costs : trials)
        CHECK(learned(of, costs, context, work) == learned(of, costs, context, nullptr));
      // Other costs than were announced.
      const std::vector<double> other = {0.1, 2};
      CHECK(learned(of, other, context, work) == learned(of, other, context, nullptr));
    }
}

TEST_CASE("solutions that do not fit into the memory are not shared") {
  const Machine of = machines().front();
  TestContext context;
  const auto work = announced(of.parameters, 100);
  for (const auto& costs : trials)
    CHECK(learned(of, costs, context, work) == learned(of, costs, context, nullptr));
}

TEST_CASE("a cost that cannot be solved does not keep others from it") {
  const Machine of = machines().front();
  TestContext context;
  auto work = announced({}, std::size_t{1} << 20);
  const std::vector<double> huge = {0.1, 1, 10, 100, 1e38};
  sharing(*machine({}, huge)).announce(*work);
  CHECK(learned(of, trials[0], context, work) == learned(of, trials[0], context, nullptr));
  CHECK_THROWS_AS(learned(of, huge, context, work), Error);
}

TEST_CASE("trainings on several threads wait for the one that solves for all") {
  const Machine of = machines().front();
  TestContext alone;
  const auto work = announced(of.parameters, std::size_t{1} << 20);
  std::vector<std::string> found(trials.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < trials.size(); ++t)
      threads.emplace_back([&, t] {
        TestContext context;
        found[t] = learned(of, trials[t], context, work);
      });
  }
  for (std::size_t t = 0; t < trials.size(); ++t)
    CHECK(found[t] == learned(of, trials[t], alone, nullptr));
}

TEST_CASE("costs that are solved before have no report, and must increase to a C that is given") {
  const Machine of = machines().front();
  TestContext context;
  const auto report = [&](const char* list) {
    return train(svm, of.data, context, {{"C", 1.0}, {list, std::vector<double>{0.1}}}).report;
  };
  CHECK(report("path").curves.contains("objective_by_cost"));
  CHECK_FALSE(report("solved_before").curves.contains("objective_by_cost"));
  const auto made = [](const Parameters& parameters) { make_component<Solver>(svm, parameters); };
  const std::pair before{"solved_before", std::vector<double>{0.1, 1}};
  CHECK_THROWS_WITH(made({before, {"C", 1.0}}), "'solved_before' must increase, and end below C");
  for (const Parameters& wrong :
       {Parameters{before, {"C", std::string("automatic")}},
        Parameters{before, {"C", 10.0}, {"path", std::vector<double>{2}}}})
    CHECK_THROWS_WITH(made(wrong),
                      "'solved_before' is for a C that is a number, without 'path'; omit it");
}

TEST_CASE("machines that begin with another cost share nothing") {
  const auto condition = [](const std::vector<double>& costs) {
    return sharing(*machine({}, costs)).condition_of_shared_work();
  };
  CHECK(condition({0.1, 1}) == condition({0.1}));
  CHECK(condition({1}) != condition({0.1}));
}

}  // namespace
}  // namespace semblance::linear::shared_solutions_test
