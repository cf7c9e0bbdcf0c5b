#include <doctest/doctest.h>

#include "semblance/plugin_testing.hpp"
#include "semblance/regressor.hpp"

using namespace semblance;

TEST_CASE("an estimate is the mean of the nearest samples' numbers") {
  testing::TestContext context;
  const auto solver =
      testing::make_component<Regressor>("solver/template_name", {{"neighbours", std::int64_t{2}}});
  FloatMatrix values(4, 1);
  values.values = {0, 2, 10, 12};
  const testing::MemoryRows rows(values);
  const std::int32_t labels[] = {-1, -1, -1, -1};
  const double targets[] = {1, 100, 3, 300, 50, -1, 70, -3};  // two numbers for each sample
  const std::string names[] = {"height", "weight"};
  TrainingSet training{rows, Layout::vector(1), labels, {}};
  training.targets = targets;
  training.target_names = names;
  testing::MemoryReport report;
  solver->bind(Layout::vector(1));
  solver->train(training, report, context);
  CHECK(solver->bind(Layout::vector(1)) == Layout::vector(2));
  CHECK(report.texts.at("certificate") == "converged");

  const float samples[] = {5, 8};
  float estimates[4];
  solver->apply({samples, 2, 1, 1}, {estimates, 2, 2, 2}, context);
  CHECK(estimates[0] == 2);
  CHECK(estimates[1] == 200);
  CHECK(estimates[2] == 60);
  CHECK(estimates[3] == -2);
}
