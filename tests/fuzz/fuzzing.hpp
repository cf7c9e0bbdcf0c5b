// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "semblance/component_testing.hpp"

/// Helpers for fuzz targets. A target is one function, FUZZ_TARGET(name) { ... }. For any bytes of
/// its `input` the code under test must return a result or throw semblance::Error with one line of
/// text. Anything else ends the process, which is a finding.
namespace semblance::fuzzing {

/// Working memory that code under test is allowed; libFuzzer's limits are set above it.
inline constexpr std::size_t memory = std::size_t{16} << 20;

/// A folder for this process only, in memory if the system supports it; deleted at the end of the
/// process.
const std::filesystem::path& scratch_folder();

/// Writes a file and its folders there, and returns its path.
std::string scratch_file(const std::string& name, std::string_view content);

/// Takes the bytes of an input from the front; returns zeros after its end.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size)
      : rest_(reinterpret_cast<const char*>(data), size) {}

  bool empty() const noexcept { return rest_.empty(); }
  std::uint8_t byte();
  std::uint64_t number();                  ///< of 8 bytes
  std::string_view until(char separator);  ///< which is taken too
  std::string_view rest() { return std::exchange(rest_, {}); }

 private:
  std::string_view rest_;
};

/// Ends the process with these words unless the condition holds.
void require(bool condition, const std::string& otherwise);

/// Runs `body`, which may throw Error with one printable line.
void expect_result_or_error(const std::function<void()>& body);

using testing::Parameters;

/// Without libFuzzer a program has several targets, each known by its name.
using Target = void (*)(Input input);
std::map<std::string, Target, std::less<>>& targets();

}  // namespace semblance::fuzzing

#ifdef SEMBLANCE_LIBFUZZER
#define FUZZ_TARGET(name)                                                             \
  static void name##_fuzz(semblance::fuzzing::Input input);                           \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    name##_fuzz({data, size});                                                        \
    return 0;                                                                         \
  }                                                                                   \
  static void name##_fuzz(semblance::fuzzing::Input input)
#else
#define FUZZ_TARGET(name)                                               \
  static void name##_fuzz(semblance::fuzzing::Input input);             \
  static const bool name##_known =                                      \
      semblance::fuzzing::targets().emplace(#name, name##_fuzz).second; \
  static void name##_fuzz([[maybe_unused]] semblance::fuzzing::Input input)
#endif
