// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "pipeline/pipeline.hpp"
#include "semblance/error.hpp"

namespace semblance {

/// An error of a component, with where it happened: what the user sees.
class NodeError : public Error {
 public:
  /// What it comes from, where that makes a difference.
  enum class Cause {
    data,    ///< a file: nothing helps but another one
    memory,  ///< more of it is needed than is free
    other
  };
  NodeError(const Pipeline& pipeline, const PipelineNode& node, const std::string& phase,
            const std::string& what, Cause cause = Cause::other);
  std::size_t node() const noexcept { return node_; }  ///< its index in the pipeline
  Cause cause() const noexcept { return cause_; }

 private:
  std::size_t node_;
  Cause cause_;
};

/// Runs `body`; whatever it throws gains node, component, position and phase on its way.
/// Cancelled passes unchanged.
void in_node(const Pipeline& pipeline, const PipelineNode& node, const std::string& phase,
             const std::function<void()>& body);

}  // namespace semblance
