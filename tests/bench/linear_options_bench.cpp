// SPDX-License-Identifier: MIT
// The l1-regularized and Crammer and Singer's machine of linear_svm against LIBLINEAR's -s 5 and
// -s 4 on a similarity map, on one thread each, in one run:
//
//     linear_options_bench l1|crammer_singer [rows] [columns] [C] [tolerance] [eps] [classes]
//
// tolerance is linear_svm's, eps LIBLINEAR's. LIBLINEAR -s 5 solves the given number of classes;
// its time is scaled up to all classes and marked. The objective of each side shows the accuracy
// reached.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string>

#include "crammer_singer/crammer_singer.hpp"
#include "liblinear_bench.hpp"
#include "newton/l1_newton.hpp"
#include "semblance/testing.hpp"

using namespace semblance;
using bench::Nodes;
using bench::OneThread;
using bench::Problem;
using bench::Seconds;
using bench::timed;

namespace {

constexpr std::size_t classes = 10;

struct Setting {
  double cost;
  double tolerance;
  double eps;
};

double decision(const Problem& p, std::size_t i, const double* w) {
  const std::size_t cols = p.values.cols;
  double f = w[cols];
  for (std::size_t j = 0; j < cols; ++j) f += w[j] * p.values.values[i * cols + j];
  return f;
}

double l1_objective(const Problem& p, const double* w, std::int32_t positive, double cost) {
  double value = 0;
  for (std::size_t j = 0; j <= p.values.cols; ++j) value += std::abs(w[j]);
  for (std::size_t i = 0; i < p.labels.size(); ++i) {
    const double f = decision(p, i, w);
    const double slack = std::max(0.0, 1 - (p.labels[i] == positive ? f : -f));
    value += cost * slack * slack;
  }
  return value;
}

double joint_objective(const Problem& p, const std::vector<const double*>& w, double cost) {
  double value = 0;
  for (const double* v : w)
    for (std::size_t j = 0; j <= p.values.cols; ++j) value += v[j] * v[j] / 2;
  for (std::size_t i = 0; i < p.labels.size(); ++i) {
    double own = 0, rival = -std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < classes; ++c)
      if (static_cast<std::size_t>(p.labels[i]) == c)
        own = decision(p, i, w[c]);
      else
        rival = std::max(rival, decision(p, i, w[c]));
    value += cost * std::max(0.0, 1 + rival - own);
  }
  return value;
}

/// One vector of LIBLINEAR per class, in the order of class numbers.
std::vector<std::vector<double>> liblinear(const Problem& p, Nodes& nodes,
                                           const std::vector<double>& labels, int type,
                                           const Setting& setting, Seconds& seconds) {
  const int features = static_cast<int>(p.values.cols + 1);
  std::vector<double> copy = labels;
  const problem data{static_cast<int>(labels.size()), features, copy.data(), nodes.rows(), 1};
  const parameter settings{type, setting.eps, setting.cost, 0, nullptr, nullptr, 0.1, nullptr};
  set_print_string_function([](const char*) {});
  model* trained = nullptr;
  const Seconds taken = timed([&] { trained = train(&data, &settings); });
  seconds.wall += taken.wall;
  seconds.cpu += taken.cpu;
  const std::size_t stored = type == MCSVM_CS ? classes : 1;
  std::vector<std::vector<double>> weights(stored);
  for (std::size_t s = 0; s < stored; ++s) {
    const double sign = stored == 1 && trained->label[0] != 1 ? -1 : 1;
    std::vector<double>& w = weights[stored == 1 ? 0 : static_cast<std::size_t>(trained->label[s])];
    for (std::size_t j = 0; j <= p.values.cols; ++j) w.push_back(sign * trained->w[j * stored + s]);
  }
  free_and_destroy_model(&trained);
  return weights;
}

void print_ours(const char* name, const Setting& setting, const Seconds& seconds, double objective,
                const linear::Solution& solution) {
  double primal = 0, dual = 0;
  for (const linear::Outcome& o : solution.outcomes) primal += o.primal, dual += o.dual;
  std::printf(
      "%s, tolerance %g: %.2f s wall, %.2f s CPU, objective %.8g, %s, relative gap %.2g, %zu "
      "iterations, %.1f sweeps\n",
      name, setting.tolerance, seconds.wall, seconds.cpu, objective,
      semblance::name(solution.certificate), (primal - dual) / primal, solution.iterations,
      solution.sweeps);
  std::fflush(stdout);
}

void print_theirs(const char* name, const Setting& setting, const Seconds& seconds, double scale,
                  double theirs, double ours, double our_cpu) {
  std::printf(
      "LIBLINEAR %s at eps %g: %.1f s CPU%s; objective %.8g, linear_svm's relative to it %+.2g; "
      "linear_svm is %.1f times faster (CPU)\n",
      name, setting.eps, seconds.cpu * scale, scale > 1 ? " (SCALED UP from fewer classes)" : "",
      theirs, ours / theirs - 1, seconds.cpu * scale / our_cpu);
}

void compare_l1(const Problem& p, const Setting& setting, std::size_t count) {
  OneThread context;
  const testing::MemoryRows rows(p.values);
  std::vector<std::int32_t> positives(classes);
  std::iota(positives.begin(), positives.end(), 0);
  linear::Solution ours;
  const Seconds seconds = timed([&] {
    linear::SquaredHinge hinge({rows, p.labels, positives, setting.cost, 1}, context);
    const double costs[] = {setting.cost};
    const linear::L1Options options{setting.tolerance};
    ours = std::move(linear::minimise(hinge, costs, options, context).front());
  });
  std::vector<double> objectives;
  for (std::size_t c = 0; c < classes; ++c)
    objectives.push_back(
        l1_objective(p, ours.weights.row(c), static_cast<std::int32_t>(c), setting.cost));
  print_ours("l1", setting, seconds, std::accumulate(objectives.begin(), objectives.end(), 0.0),
             ours);
  if (count == 0) return;
  Nodes nodes(p);
  Seconds total;
  double theirs = 0;
  for (std::size_t c = 0; c < count; ++c) {
    std::vector<double> labels;
    for (const std::int32_t label : p.labels)
      labels.push_back(static_cast<std::size_t>(label) == c ? 1 : -1);
    const auto w = liblinear(p, nodes, labels, L1R_L2LOSS_SVC, setting, total);
    theirs += l1_objective(p, w[0].data(), static_cast<std::int32_t>(c), setting.cost);
  }
  const double own = std::accumulate(objectives.begin(),
                                     objectives.begin() + static_cast<std::ptrdiff_t>(count), 0.0);
  print_theirs("-s 5", setting, total, static_cast<double>(classes) / static_cast<double>(count),
               theirs, own, seconds.cpu);
}

void compare_joint(const Problem& p, const Setting& setting, bool with_liblinear) {
  OneThread context;
  const testing::MemoryRows rows(p.values);
  const Layout layout = Layout::vector(p.values.cols);
  const std::vector<std::string> names(classes);
  const TrainingSet training{rows, layout, p.labels, names};
  linear::LinearTask task{training, {setting.cost}, {}, 1, setting.tolerance, 100000};
  linear::Solution ours;
  const Seconds seconds =
      timed([&] { ours = std::move(linear::train_crammer_singer(task, context).front()); });
  std::vector<const double*> w;
  for (std::size_t c = 0; c < classes; ++c) w.push_back(ours.weights.row(c));
  const double own = joint_objective(p, w, setting.cost);
  print_ours("crammer_singer", setting, seconds, own, ours);
  if (!with_liblinear) return;
  Nodes nodes(p);
  Seconds total;
  const std::vector<double> labels(p.labels.begin(), p.labels.end());
  const auto theirs = liblinear(p, nodes, labels, MCSVM_CS, setting, total);
  for (std::size_t c = 0; c < classes; ++c) w[c] = theirs[c].data();
  print_theirs("-s 4", setting, total, 1, joint_objective(p, w, setting.cost), own, seconds.cpu);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what != "l1" && what != "crammer_singer") {
    std::fputs(
        "usage: linear_options_bench l1|crammer_singer [rows] [columns] [C] [tolerance] [eps] "
        "[classes for LIBLINEAR]\n",
        stderr);
    return 2;
  }
  const auto given = [&](int i, double fallback) {
    return argc > i ? std::atof(argv[i]) : fallback;
  };
  const Setting setting{given(4, 1), given(5, what == "l1" ? 1e-5 : 1e-3),
                        given(6, what == "l1" ? 1e-4 : 0.01)};
  const Problem p = bench::similarity_map(static_cast<std::size_t>(given(2, 20000)),
                                          static_cast<std::size_t>(given(3, 1000)), classes);
  std::printf("%s: %zu rows, %zu columns, %zu classes, C = %g, bias 1\n", what.c_str(),
              p.values.rows, p.values.cols, classes, setting.cost);
  const auto count = std::min(classes, static_cast<std::size_t>(given(7, classes)));
  if (what == "l1")
    compare_l1(p, setting, count);
  else
    compare_joint(p, setting, count > 0);
  return 0;
}
