// SPDX-License-Identifier: MIT
// A library with an object that throws while the library is loaded.
#include <stdexcept>

#include "semblance/plugin.hpp"

namespace {

struct Table {
  Table() { throw std::runtime_error("the table of codons is empty"); }
};

const Table table;

}  // namespace

SEMBLANCE_EXPORT const semblance::PluginDescriptor* semblance_plugin() { return nullptr; }
