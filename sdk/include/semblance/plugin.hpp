// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "semblance/declaration.hpp"

namespace semblance {

/// The version of these headers; plugin and host must agree.
inline constexpr std::uint32_t sdk_api = 18;

/// Describes everything that must agree before C++ objects may cross the plugin boundary: the C++
/// standard library, its ABI and debug mode, the compiler's C++ ABI, and the data model. Alignment
/// need not agree: no vector type and no matrix class crosses, so a plugin may be built with -mavx2
/// or any other -m option that preserves these.
const char* host_fingerprint() noexcept;

#define SEMBLANCE_TEXT_(x) #x
#define SEMBLANCE_TEXT(x) SEMBLANCE_TEXT_(x)
#if defined(_GLIBCXX_DEBUG)
#define SEMBLANCE_DEBUG_STL " glibcxx-debug"
#else
#define SEMBLANCE_DEBUG_STL ""
#endif
#if defined(__GLIBCXX__)
#define SEMBLANCE_STL "libstdc++ abi " SEMBLANCE_TEXT(_GLIBCXX_USE_CXX11_ABI)
#else
#define SEMBLANCE_STL "other standard library"
#endif
// g++ numbers its corrections of the Itanium C++ ABI; none since 12 (g++ 8) concerns these headers.
// clang++ has them all, and always reports 1002.
#if defined(__clang__) || __GXX_ABI_VERSION >= 1012
#define SEMBLANCE_CXX_ABI "Itanium"
#else
#define SEMBLANCE_CXX_ABI SEMBLANCE_TEXT(__GXX_ABI_VERSION)
#endif
#define SEMBLANCE_FINGERPRINT                                      \
  SEMBLANCE_STL SEMBLANCE_DEBUG_STL ", C++ abi " SEMBLANCE_CXX_ABI \
                                    ", pointer " SEMBLANCE_TEXT(__SIZEOF_POINTER__)

/// The list of a plugin's components; accessed only after api and fingerprint agree.
struct ComponentTable {
  std::vector<ComponentEntry> entries;
};

/// A plugin's export, through the C function `semblance_plugin`. Plain data only.
struct PluginDescriptor {
  std::uint32_t api;
  const char* fingerprint;
  const char* name;
  const char* version;
  const char* licence;
  /// Fills the table; may throw.
  void (*components)(ComponentTable&);
};

/// Adds the declarations of all given classes.
template <class... Classes>
void declare_all(ComponentTable& table) {
  (table.entries.push_back(Classes::declare().entry()), ...);
}

/// Adds the declarations that these functions return.
template <ComponentEntry (*... declarations)()>
void declare_all(ComponentTable& table) {
  (table.entries.push_back(declarations()), ...);
}

}  // namespace semblance

#define SEMBLANCE_EXPORT extern "C" __attribute__((visibility("default")))

/// Exactly once per plugin: its name, version, licence, and its components: their classes, or for
/// classes that are known to their own files only, functions that return their declarations.
#define SEMBLANCE_PLUGIN(NAME, VERSION, LICENCE, ...)                                          \
  SEMBLANCE_EXPORT const semblance::PluginDescriptor* semblance_plugin() {                     \
    static const semblance::PluginDescriptor descriptor = {                                    \
        semblance::sdk_api,                                                                    \
        SEMBLANCE_FINGERPRINT,                                                                 \
        NAME,                                                                                  \
        VERSION,                                                                               \
        LICENCE,                                                                               \
        [](semblance::ComponentTable& table) { semblance::declare_all<__VA_ARGS__>(table); }}; \
    return &descriptor;                                                                        \
  }
