// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "registry/catalogue.hpp"
#include "runtime/results/model.hpp"

namespace model_reading_test {

using namespace semblance;

TEST_CASE("a model with a component of the previous version says what to use instead") {
  Model model;
  model.folder = std::filesystem::path("out/model");
  model.plugins = {{"mine", "1.2", "mine.so", {"solver/mine"}},
                   {"semblance_calibrators", "0.2.0", "x.so", {"calibrator/platt"}}};
  const Catalogue nothing;
  CHECK(missing_plugins(model, nothing) ==
        "the model 'out/model' needs calibrator/platt, which is gone; train it again: write is: "
        "calibrator/probabilities, method: sigmoid");
  model.plugins.pop_back();
  CHECK(missing_plugins(model, nothing) ==
        "the model 'out/model' needs the plugin 'mine' 1.2 (mine.so), which is not among those "
        "found; give the file or its folder with --plugin-path");
}

}  // namespace model_reading_test
