// SPDX-License-Identifier: MIT
// The door to Graphviz: loaded when a graph is drawn, so that other commands do not load its
// libraries.
#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>

#include <memory>
#include <mutex>
#include <string>

#include "semblance/error.hpp"

namespace semblance {
namespace {

struct FreeContext {
  void operator()(GVC_t* context) const { gvFreeContext(context); }
};
struct FreeGraph {
  void operator()(Agraph_t* graph) const { agclose(graph); }
};

/// Collects Graphviz's complaints instead of letting it print them.
std::string& complaints() {
  static std::string text;
  return text;
}

int collect(char* message) {
  complaints() += message;
  return 0;
}

std::string svg_of_dot(const std::string& dot) {
  static std::mutex one_at_a_time;  // Graphviz has its state in globals
  const std::lock_guard lock(one_at_a_time);
  complaints().clear();
  agseterrf(collect);
  agseterr(AGERR);
  const auto fail = [](const std::string& what) {
    throw Error("the graph cannot be drawn: Graphviz " + what +
                (complaints().empty() ? "" : ": " + complaints()));
  };

  // One context for all drawings: Graphviz 2.42 stores a font of the first context in a global, and
  // reads it after that context has been freed.
  static const std::unique_ptr<GVC_t, FreeContext> context(gvContext());
  const std::unique_ptr<Agraph_t, FreeGraph> graph(agmemread(dot.c_str()));
  if (!graph) fail("cannot read it");
  if (gvLayout(context.get(), graph.get(), "dot") != 0) fail("cannot lay it out");
  char* data = nullptr;
  unsigned length = 0;
  const int status = gvRenderData(context.get(), graph.get(), "svg", &data, &length);
  std::string svg(data ? data : "", data ? length : 0);
  gvFreeRenderData(data);
  gvFreeLayout(context.get(), graph.get());
  if (status != 0 || svg.empty()) fail("cannot write SVG");
  return svg;
}

}  // namespace
}  // namespace semblance

/// A complete SVG document for a graph in the DOT language. Throws Error.
extern "C" __attribute__((visibility("default"))) std::string semblance_svg_of_dot(
    const std::string& dot) {
  return semblance::svg_of_dot(dot);
}
