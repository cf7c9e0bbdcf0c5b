// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "conformance/sample_set.hpp"
#include "conformance/subject.hpp"
#include "damaged_state.hpp"
#include "registry/plugin_library.hpp"

namespace semblance::fuzzing {

/// A component of a plugin, its state learned from small samples, and the samples.
struct Trained {
  std::unique_ptr<conformance::Subject> subject;
  conformance::SampleSet samples;
  DamagedState state;  ///< complete; empty: the component has none
};

/// The components of all plugins that learn something: normalizers, similarities, solvers. Each is
/// trained when it is asked for first.
class TrainedComponents {
 public:
  explicit TrainedComponents(const std::filesystem::path& plugins);

  /// Finds it by id or, if there is none with that id, by a number derived from the text.
  const Trained& operator[](std::string_view id);

  const std::vector<std::string>& ids() const { return ids_; }

 private:
  void train(std::size_t which);

  Catalogue catalogue_;
  std::vector<std::unique_ptr<PluginLibrary>> libraries_;
  std::vector<std::string> ids_;
  std::vector<const ComponentEntry*> entries_;
  std::vector<std::unique_ptr<Trained>> trained_;
};

}  // namespace semblance::fuzzing
