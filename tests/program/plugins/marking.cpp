// SPDX-License-Identifier: MIT
// A library that leaves a file named by $SEMBLANCE_TEST_MARK as soon as it is loaded.
#include <cstdlib>
#include <fstream>

namespace {

const bool marked = [] {
  const char* file = std::getenv("SEMBLANCE_TEST_MARK");
  if (file) std::ofstream(file) << "loaded";
  return file != nullptr;
}();

}  // namespace

extern "C" int not_a_plugin() { return marked ? 1 : 0; }
