// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "report/page/html_testing.hpp"
#include "report/page/report_sections.hpp"

namespace semblance::timing_tree_test {
namespace {

using testing::contains;
using testing::count;
using testing::nesting_fault;

NodeRecord node(const std::string& name, const std::string& component, double seconds,
                std::size_t bytes = 0) {
  NodeRecord node;
  node.name = name;
  node.component = component;
  node.seconds = seconds;
  node.bytes = bytes;
  return node;
}

TEST_CASE("time is a tree of kinds and nodes, the slowest first, closed") {
  RunRecord run;
  run.threads = 2;
  run.nodes = {node("table", "source/csv", 1), node("x", "normalizer/zscore", 0.5, 1024),
               node("svm", "solver/kernel_svm", 6, 3072), node("other", "solver/linear_svm", 2.5)};
  run.nodes[2].parameters = {{"C", 10}};
  const std::string tree = timing_tree_html(run);
  CHECK(nesting_fault(tree) == "");
  CHECK(count(tree, "<details>") == 3);
  CHECK(count(tree, "<details open") == 0);
  CHECK(tree.find(">solver<") < tree.find(">svm<"));
  CHECK(tree.find(">svm<") < tree.find(">other<"));
  CHECK(tree.find(">other<") < tree.find(">source<"));
  CHECK(tree.find(">source<") < tree.find(">normalizer<"));
  CHECK(contains(tree, R"(<i style="width:85.0%"></i></span><span class="number">8.5 s</span>)"
                       R"(<span class="number share">85%</span>)"
                       R"(<span class="number kept">3.0 KiB</span>)"
                       R"(<span class="number kept share">75%</span>)"));
  CHECK(contains(tree, "C 10"));
  CHECK(contains(tree, "4 nodes were busy for 10 s in total, summed over 2 threads"));
  CHECK_FALSE(contains(tree, "choosing"));
  run.wall_seconds = 90;
  run.choosing_seconds = 80;
  CHECK(contains(timing_tree_html(run),
                 "the run took 90 s, of which choosing parameters took 80 s."));
}

TEST_CASE("a study's nodes are merged over its variants") {
  RunRecord run;
  for (int variant = 0; variant < 600; ++variant)
    run.nodes.push_back(node("svm[" + std::to_string(variant) + ",seed=1]",
                             variant % 3 == 0 ? "solver/kernel_svm" : "solver/linear_svm",
                             variant == 7 ? 2 : 0.01, 10));
  run.nodes[3].cached = true;
  run.nodes.front().parameters = {{"C", 10}};
  const std::string tree = timing_tree_html(run);
  CHECK(nesting_fault(tree) == "");
  CHECK(count(tree, R"(<div class="row)") == 2);  // the heads of the columns, and svm
  CHECK(contains(tree, R"(<span class="name">svm</span> <code title="">solver/linear_svm</code>)"
                       R"( <code title="">solver/kernel_svm</code>)"));
  CHECK(contains(tree, "600 nodes; the slowest, svm[7,seed=1], took 2.0 s"));
  CHECK(contains(tree, R"(<span class="pill">1 cached</span>)"));
  CHECK_FALSE(contains(tree, "C 10"));
}

TEST_CASE("times that are not known or zero have no share") {
  RunRecord run;
  CHECK(timing_tree_html(run) == "");
  run.nodes = {node("a", "source/csv", std::nan("")), node("b", "source/csv", 0)};
  const std::string tree = timing_tree_html(run);
  CHECK(nesting_fault(tree) == "");
  CHECK_FALSE(contains(tree, "nan"));
  CHECK(contains(tree, R"(<span class="number share">–</span>)"));
}

}  // namespace
}  // namespace semblance::timing_tree_test
