// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string_view>

#include "semblance/random.hpp"

namespace semblance {

enum class LogLevel { debug, info, warning };

class Collectives;
class Device;

/// Why a component is asked to stop.
enum class StopReason { none, cancelled, deadline };

/// Passed to every call that can take long. All members may be called from any thread.
class Context {
 public:
  virtual ~Context();

  /// One line for the run's log; warnings are shown to the user as well.
  virtual void log(LogLevel level, std::string_view message) = 0;

  /// A random stream that depends only on the node's seed and the component's id: the same at every
  /// call. The node's seed is the pipeline's unless the node has its own; with `seed: by_name` the
  /// node's name counts as well, so that equal nodes differ.
  virtual Random random() const = 0;

  /// Not `none` once the user pressed Ctrl-C or the deadline passed. Poll it at least ten times per
  /// second: solvers then return their best model, everything else throws Cancelled.
  virtual StopReason stop_requested() const noexcept = 0;

  /// `done` of `total` units of work, for the progress display.
  virtual void progress(double done, double total) = 0;

  /// Bytes of working memory the call may allocate for itself.
  virtual std::size_t memory_budget() const noexcept = 0;

  /// Threads that parallel_for uses; results must not depend on it.
  virtual std::size_t threads() const noexcept = 0;

  /// Calls body(i) once for every i in [0, count), on all threads of the run, in any order; an
  /// exception of a body is rethrown here. May be nested.
  virtual void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) = 0;

  /// Throws Cancelled when a stop is requested.
  void check_stop() const;

  /// The folder for unnamed temporary files of the call, which may be large. By default it is the
  /// system's folder for temporary files. Throws Error if it cannot be created.
  virtual std::filesystem::path scratch_folder();

  /// The processes that learn together with this one. It is the only one unless the component is
  /// declared distributed() and learns from rows spread over several processes.
  virtual Collectives& collectives() noexcept;

  /// The GPU that the user chose (--device); null: the CPU computes everything. A component that
  /// computes on it declares uses_device(), and decides by its parameters and bases alone what it
  /// computes there, not by the rows of a call: else results would depend on how rows are divided.
  virtual Device* device() noexcept;
};

}  // namespace semblance
