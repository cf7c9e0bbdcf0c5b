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
  Catalogue catalogue;
  ComponentInfo probabilities;
  probabilities.id = "calibrator/probabilities";
  probabilities.former = {
      {.written = "calibrator/platt", .since = "1.0", .advice = "write is: ...", .gone = true}};
  catalogue.add({probabilities, std::make_shared<PluginOrigin>()}, nullptr);
  CHECK(missing_plugins(model, catalogue) ==
        "the model 'out/model' needs calibrator/platt, which is gone; train it again: write is: "
        "...");
  model.plugins.pop_back();
  CHECK(missing_plugins(model, catalogue) ==
        "the model 'out/model' needs the plugin 'mine' 1.2 (mine.so), which is not among those "
        "found; give the file or its folder with --plugin-path");
}

}  // namespace model_reading_test
