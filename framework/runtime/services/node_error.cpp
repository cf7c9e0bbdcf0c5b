// SPDX-License-Identifier: MIT
#include "runtime/services/node_error.hpp"

#include <new>

#include "runtime/services/crash_report.hpp"
#include "semblance/transport.hpp"

namespace semblance {
namespace {

std::string place(const Pipeline& pipeline, const PipelineNode& node) {
  std::string text = pipeline.file.string();
  if (node.position.line > 0)
    text += ":" + std::to_string(node.position.line) + ":" + std::to_string(node.position.column);
  return text;
}

}  // namespace

NodeError::NodeError(const Pipeline& pipeline, const PipelineNode& node, const std::string& phase,
                     const std::string& what, Cause cause)
    : Error(place(pipeline, node) + ": error: node '" + node.name + "' (" + node.component.id +
            "), while " + phase + ": " + what),
      problem_(what),
      node_(static_cast<std::size_t>(&node - pipeline.nodes.data())),
      cause_(cause) {}

void in_node(const Pipeline& pipeline, const PipelineNode& node, const std::string& phase,
             const std::function<void()>& body) {
  const AtWork at_work(node, phase);
  try {
    body();
  } catch (const Cancelled&) {
    throw;
  } catch (const NodeError&) {
    throw;
  } catch (const RankFailure&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw NodeError(pipeline, node, phase,
                    "out of memory; use less data, or a smaller --memory so that more is kept "
                    "on disk",
                    NodeError::Cause::memory);
  } catch (const MemoryError& problem) {
    throw NodeError(pipeline, node, phase, problem.what(), NodeError::Cause::memory);
  } catch (const DataError& problem) {
    throw NodeError(pipeline, node, phase, problem.what(), NodeError::Cause::data);
  } catch (const std::exception& problem) {
    throw NodeError(pipeline, node, phase, problem.what());
  } catch (...) {
    throw NodeError(pipeline, node, phase, "it threw an object that is not a std::exception");
  }
}

}  // namespace semblance
