// SPDX-License-Identifier: MIT
// linear_svm against LIBLINEAR on the same data, on one thread each, in one run:
//
//     linear_svm_bench map|mnist [classes that LIBLINEAR solves, default all] [tolerance]
//
// LIBLINEAR -s 2 runs at eps 1e-7 and -s 1 at its default. With fewer classes, its time is scaled
// up to all classes and marked. CPU seconds are printed in addition to wall seconds, for shared
// machines.
#include "linear_svm_bench.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "liblinear_bench.hpp"
#include "newton/newton.hpp"
#include "semblance/testing.hpp"

using namespace semblance;
using bench::Nodes;
using bench::OneThread;
using bench::Problem;
using bench::Seconds;
using bench::timed;

namespace {

constexpr std::size_t classes = 10;
constexpr double cost = 1;

double objective(const Problem& p, const double* w, std::int32_t positive) {
  const std::size_t cols = p.values.cols;
  double value = 0;
  for (std::size_t j = 0; j <= cols; ++j) value += w[j] * w[j] / 2;
  for (std::size_t i = 0; i < p.labels.size(); ++i) {
    double f = w[cols];
    for (std::size_t j = 0; j < cols; ++j) f += w[j] * p.values.values[i * cols + j];
    const double slack = std::max(0.0, 1 - (p.labels[i] == positive ? f : -f));
    value += cost * slack * slack;
  }
  return value;
}

struct Solved {
  Seconds seconds;
  double objective = 0;
};

Solved liblinear(const Problem& p, Nodes& nodes, int type, double eps, std::int32_t positive) {
  std::vector<double> labels;
  for (const std::int32_t label : p.labels) labels.push_back(label == positive ? 1 : -1);
  const int features = static_cast<int>(p.values.cols + 1);
  const problem data{static_cast<int>(labels.size()), features, labels.data(), nodes.rows(), 1};
  const parameter settings{type, eps, cost, 0, nullptr, nullptr, 0.1, nullptr};
  set_print_string_function([](const char*) {});
  model* trained = nullptr;
  Solved solved;
  solved.seconds = timed([&] { trained = train(&data, &settings); });
  std::vector<double> w(trained->w, trained->w + features);
  if (trained->label[0] != 1)
    for (double& x : w) x = -x;
  solved.objective = objective(p, w.data(), positive);
  free_and_destroy_model(&trained);
  return solved;
}

struct Ours {
  Seconds seconds;
  std::vector<double> objectives;
};

Ours linear_svm(const Problem& p, double tolerance) {
  OneThread context;
  const testing::MemoryRows rows(p.values);
  linear::Solution result;
  Ours ours;
  ours.seconds = timed([&] {
    std::vector<std::int32_t> positives(classes);
    std::iota(positives.begin(), positives.end(), 0);
    linear::SquaredHinge hinge({rows, p.labels, positives, cost, 1}, context);
    linear::NewtonOptions options;
    options.tolerance = tolerance;
    const double costs[] = {cost};
    result = std::move(linear::minimise(hinge, costs, options, context).front());
  });
  double dual = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    ours.objectives.push_back(objective(p, result.weights.row(c), static_cast<std::int32_t>(c)));
    dual += result.outcomes[c].dual;
  }
  const double primal = std::accumulate(ours.objectives.begin(), ours.objectives.end(), 0.0);
  std::printf(
      "linear_svm, tolerance %g: %.2f s wall, %.2f s CPU, objective %.8g, %s, relative gap "
      "%.2g, %zu iterations, %.1f sweeps\n",
      tolerance, ours.seconds.wall, ours.seconds.cpu, primal, name(result.certificate),
      (primal - dual) / primal, result.iterations, result.sweeps);
  return ours;
}

/// One Hessian product of all classes with all rows active, against the machine's limits.
void hessian_product(const Problem& p) {
  OneThread context;
  const testing::MemoryRows rows(p.values);
  std::vector<std::int32_t> positives(classes);
  std::iota(positives.begin(), positives.end(), 0);
  linear::SquaredHinge hinge({rows, p.labels, positives, cost, 1}, context);
  linear::Vectors<double> v(classes, hinge.dimension()), out(classes, hinge.dimension());
  Random random(3);
  for (std::size_t c = 0; c < classes; ++c)
    for (std::size_t j = 0; j < hinge.dimension(); ++j) v.row(c)[j] = random.normal();
  std::vector<std::size_t> live(classes);
  std::iota(live.begin(), live.end(), std::size_t{0});
  double best = 1e9;
  for (int run = 0; run < 7; ++run)
    best = std::min(best, timed([&] { hinge.hessian_product(v, live, out); }).wall);
  const double values = static_cast<double>(p.values.values.size());
  const double flops = 4 * values * classes / best * 1e-9, bytes = 4 * values / best * 1e-9;
  const double peak = bench::multiply_add_peak(), bandwidth = bench::read_bandwidth();
  std::printf(
      "Hessian product of %zu classes: %.1f ms, %.1f GFLOP/s (%.0f %% of the peak %.1f), "
      "%.1f GB/s (%.0f %% of the bandwidth %.1f), one thread\n",
      classes, best * 1e3, flops, 100 * flops / peak, peak, bytes, 100 * bytes / bandwidth,
      bandwidth);
}

void compare(const Problem& p, Nodes& nodes, const Ours& ours, const char* name, int type,
             double eps, std::size_t count) {
  Seconds total;
  double theirs = 0, own = 0, worst = -1;
  for (std::size_t c = 0; c < count; ++c) {
    const Solved solved = liblinear(p, nodes, type, eps, static_cast<std::int32_t>(c));
    total.wall += solved.seconds.wall;
    total.cpu += solved.seconds.cpu;
    theirs += solved.objective;
    own += ours.objectives[c];
    worst = std::max(worst, ours.objectives[c] / solved.objective - 1);
    std::printf("  class %zu: %.1f s CPU, objective %.8g, linear_svm's %.8g\n", c,
                solved.seconds.cpu, solved.objective, ours.objectives[c]);
    std::fflush(stdout);
  }
  const double scale = static_cast<double>(classes) / static_cast<double>(count);
  std::printf(
      "LIBLINEAR %s at eps %g: %.1f s wall, %.1f s CPU%s; objective %.8g, linear_svm's "
      "relative to it %+.2g, in the worst class %+.2g; linear_svm is %.1f times faster "
      "(CPU), %.1f (wall)\n",
      name, eps, total.wall * scale, total.cpu * scale,
      count < classes ? " (SCALED UP from fewer classes)" : "", theirs, own / theirs - 1, worst,
      total.cpu * scale / ours.seconds.cpu, total.wall * scale / ours.seconds.wall);
}

}  // namespace

int main(int argc, char** argv) {
  const bool map = argc > 1 && std::strcmp(argv[1], "map") == 0;
  if (!map && (argc < 2 || std::strcmp(argv[1], "mnist") != 0)) {
    std::fputs("usage: linear_svm_bench map|mnist [classes for LIBLINEAR] [tolerance]\n", stderr);
    return 2;
  }
  const std::size_t count =
      argc > 2 ? std::min<std::size_t>(classes, std::strtoul(argv[2], nullptr, 10)) : classes;
  const double tolerance = argc > 3 ? std::atof(argv[3]) : 1e-5;
  const Problem p = map ? bench::similarity_map(50000, 2500, classes) : bench::mnist();
  std::printf("%s: %zu rows, %zu columns, %zu classes, C = %g, bias 1\n", argv[1], p.values.rows,
              p.values.cols, classes, cost);
  hessian_product(p);
  const Ours ours = linear_svm(p, tolerance);
  std::fflush(stdout);
  if (count == 0) return 0;
  Nodes nodes(p);
  compare(p, nodes, ours, "-s 1", L2R_L2LOSS_SVC_DUAL, 0.1, count);
  compare(p, nodes, ours, "-s 2", L2R_L2LOSS_SVC, 1e-7, count);
  return 0;
}
