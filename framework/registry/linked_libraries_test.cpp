// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <algorithm>

#include "registry/loaded_library.hpp"
#include "semblance/component_info.hpp"
#include "semblance/error.hpp"
#include "semblance/kind.hpp"

namespace semblance::linked_libraries_test {
namespace {

/// The SDK's library as loaded by this program.
std::string sdk_library() {
  Dl_info info = {};
  REQUIRE(::dladdr(reinterpret_cast<const void*>(&kinds), &info) != 0);
  return info.dli_fname;
}

}  // namespace

TEST_CASE("the libraries that a library is linked with are known by their content") {
  const auto linked = linked_libraries(sdk_library());
  for (const char* needed : {"libstdc++.so.6", "libc.so.6"}) {
    const auto found = std::ranges::find(linked, needed, &LinkedLibrary::name);
    REQUIRE_MESSAGE(found != linked.end(), needed);
    CHECK(found->content.size() >= 32);
  }
  // Only through the standard library.
  CHECK(std::ranges::find(linked, "libm.so.6", &LinkedLibrary::name) != linked.end());
  CHECK(std::ranges::is_sorted(linked, {}, &LinkedLibrary::name));
}

TEST_CASE("a library that is not loaded is named") {
  CHECK_THROWS_WITH_AS(linked_libraries("/nowhere/libnone.so"),
                       "'/nowhere/libnone.so' is not loaded", Error);
}

}  // namespace semblance::linked_libraries_test
