// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "pipeline/pipeline.hpp"
#include "semblance/error.hpp"

namespace semblance {

/// An error of a component, with the place where it happened, as the user sees it.
class NodeError : public Error {
 public:
  /// The cause, where it makes a difference.
  enum class Cause {
    data,    ///< a file: only another one helps
    memory,  ///< more is needed than is free
    other
  };
  NodeError(const Pipeline& pipeline, const PipelineNode& node, const std::string& phase,
            const std::string& what, Cause cause = Cause::other);
  const std::string& problem() const noexcept { return problem_; }  ///< without the node
  std::size_t node() const noexcept { return node_; }               ///< its index in the pipeline
  Cause cause() const noexcept { return cause_; }

 private:
  std::string problem_;
  std::size_t node_;
  Cause cause_;
};

/// Runs `body`; an exception of it gains node, component, position and phase on its way. Cancelled
/// passes unchanged.
void in_node(const Pipeline& pipeline, const PipelineNode& node, const std::string& phase,
             const std::function<void()>& body);

}  // namespace semblance
