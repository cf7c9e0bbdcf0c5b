// SPDX-License-Identifier: MIT
#include "fuzzing.hpp"

#include <stdlib.h>

#include <cstdio>
#include <cstring>
#include <fstream>

#include "semblance/error.hpp"

namespace semblance::fuzzing {
namespace {

namespace fs = std::filesystem;

class ScratchFolder {
 public:
  ScratchFolder() {
    const fs::path memory_folder = "/dev/shm";
    const fs::path base =
        fs::is_directory(memory_folder) ? memory_folder : fs::temp_directory_path();
    std::string name = (base / "semblance_fuzz_XXXXXX").string();
    require(mkdtemp(name.data()) != nullptr, "no scratch folder can be made");
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

std::map<std::string, Target, std::less<>>& targets() {
  static std::map<std::string, Target, std::less<>> all;
  return all;
}

const fs::path& scratch_folder() {
  static const ScratchFolder folder;
  return folder.path();
}

std::string scratch_file(const std::string& name, std::string_view content) {
  const fs::path file = scratch_folder() / name;
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  require(static_cast<bool>(out.write(content.data(), std::streamsize(content.size())).flush()),
          "a scratch file cannot be written");
  return file.string();
}

std::uint8_t Input::byte() {
  if (rest_.empty()) return 0;
  const auto first = static_cast<std::uint8_t>(rest_.front());
  rest_.remove_prefix(1);
  return first;
}

std::uint64_t Input::number() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 8) value |= std::uint64_t{byte()} << shift;
  return value;
}

std::string_view Input::until(char separator) {
  const std::string_view part = rest_.substr(0, rest_.find(separator));
  rest_.remove_prefix(std::min(rest_.size(), part.size() + 1));
  return part;
}

void require(bool condition, const std::string& otherwise) {
  if (condition) return;
  std::fprintf(stderr, "fuzz target: %s\n", otherwise.c_str());
  std::abort();
}

void expect_result_or_error(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    const std::string_view text = error.what();
    require(!text.empty(), "an error without a word");
    for (const char c : text)
      require(static_cast<unsigned char>(c) >= 0x20,
              "an error of several lines: " + std::string(text));
  }
}

}  // namespace semblance::fuzzing
