// SPDX-License-Identifier: MIT
// kernel_svr against LIBSVM's epsilon-SVR on the same generated data in one run, Gaussian kernel,
// tolerance 1e-3 of the targets' mean absolute deviation for both:
//
//     kernel_svr_bench [rows] [columns] [C] [epsilon] [threads] [libsvm: yes|no]
//
// C and epsilon are multiples of that deviation. LIBSVM runs on one thread, with a cache of 100
// MiB, its default. CPU seconds are printed in addition to wall seconds, for shared machines.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "function_testing.hpp"
#include "semblance/regressor.hpp"
#include "timed.hpp"

using namespace semblance;
using namespace semblance::kernel::testing;
using bench::Seconds;
using bench::timed;

namespace {

struct Setting {
  double gamma, cost, epsilon, tolerance;
};

double mean_deviation(const std::vector<double>& y) {
  double mean = 0, sum = 0;
  for (const double value : y) mean += value / static_cast<double>(y.size());
  for (const double value : y) sum += std::abs(value - mean) / static_cast<double>(y.size());
  return sum;
}

void print(const char* name, const Seconds& seconds, double objective, std::size_t vectors) {
  std::printf("%s: train %.2f s wall %.2f s CPU, objective %.9g, %zu support vectors\n", name,
              seconds.wall, seconds.cpu, objective, vectors);
  std::fflush(stdout);
}

Seconds ours(const Sampled& data, const Setting& setting, std::size_t threads) {
  const auto svr = machine_of<Regressor>(
      "solver/kernel_svr", "similarity/rbf",
      {{"C", setting.cost}, {"epsilon", setting.epsilon}, {"tolerance", 1e-3}},
      {{"gamma", setting.gamma}});
  TestContext context(threads);
  context.budget = std::size_t{4} << 30;
  MemoryReport report;
  const Seconds seconds = timed([&] { report = train(*svr, data, context); });
  std::printf("kernel_svr, %zu threads: %s, gap %.2g, %ld pair steps, %ld working sets\n", threads,
              report.texts.at("certificate").c_str(), report.numbers.at("duality_gap"),
              static_cast<long>(report.integers.at("iterations")),
              static_cast<long>(report.integers.at("working_sets")));
  print("kernel_svr", seconds, report.numbers.at("objective"),
        static_cast<std::size_t>(report.integers.at("support_vectors")));
  return seconds;
}

Seconds libsvm(const Sampled& data, const Setting& setting) {
  const std::size_t cols = data.values.cols;
  std::vector<svm_node> nodes;
  std::vector<svm_node*> rows;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    for (std::size_t j = 0; j < cols; ++j)
      nodes.push_back({static_cast<int>(j + 1), data.values.view().row(i)[j]});
    nodes.push_back({-1, 0});
  }
  for (std::size_t i = 0; i < data.rows(); ++i) rows.push_back(nodes.data() + i * (cols + 1));
  std::vector<double> y = data.targets;
  const svm_problem problem{static_cast<int>(y.size()), y.data(), rows.data()};
  svm_parameter settings{};
  settings.svm_type = EPSILON_SVR;
  settings.kernel_type = RBF;
  settings.gamma = setting.gamma;
  settings.cache_size = 100;
  settings.eps = setting.tolerance;
  settings.C = setting.cost;
  settings.p = setting.epsilon;
  settings.shrinking = 1;
  library_text().clear();
  svm_set_print_string_function([](const char* text) { library_text() += text; });
  svm_model* model = nullptr;
  const Seconds seconds = timed([&] { model = svm_train(&problem, &settings); });
  const std::size_t at = library_text().find("obj = ");
  print("LIBSVM", seconds, std::atof(library_text().c_str() + at + 6),
        static_cast<std::size_t>(model->l));
  svm_free_and_destroy_model(&model);
  return seconds;
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int at, double otherwise) {
    return argc > at ? std::atof(argv[at]) : otherwise;
  };
  const auto rows = static_cast<std::size_t>(number(1, 20000));
  const auto cols = static_cast<std::size_t>(number(2, 10));
  const Sampled data = bumpy(rows, cols);
  const double deviation = mean_deviation(data.targets);
  const Setting setting{1 / static_cast<double>(cols), number(3, 1) * deviation,
                        number(4, 0.1) * deviation, 1e-3 * deviation};
  std::printf("%zu rows, %zu columns, gamma %.4g, C = %.4g, epsilon %.4g\n", rows, cols,
              setting.gamma, setting.cost, setting.epsilon);
  const Seconds one = ours(data, setting, static_cast<std::size_t>(number(5, 1)));
  if (argc > 6 && std::strcmp(argv[6], "no") == 0) return 0;
  const Seconds other = libsvm(data, setting);
  std::printf("kernel_svr is faster: %.1f times (CPU), %.1f (wall)\n", other.cpu / one.cpu,
              other.wall / one.wall);
  return 0;
}
