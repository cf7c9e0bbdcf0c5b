// SPDX-License-Identifier: MIT
// Without libFuzzer: runs a target on all files of its corpus and a fixed number of mutations of
// each, the same in every run. Usage: PROGRAM TARGET CORPUS_FOLDER [VERSIONS_A_FILE]
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>

#include "fuzzing.hpp"
#include "semblance/random.hpp"

namespace {

namespace fs = std::filesystem;
using semblance::Random;

std::string current;  ///< the target's input; written to a file if it ends the process

/// Not strictly async-signal-safe, but the process is lost anyway.
void keep_finding() {
  const char* name = "finding";
  std::ofstream(name, std::ios::binary) << current;
  std::fprintf(stderr, "the input is kept in '%s/%s'; add it to the corpus\n",
               fs::current_path().c_str(), name);
}

void on_signal(int number) {
  std::signal(number, SIG_DFL);
  keep_finding();
  std::raise(number);
}

void give(semblance::fuzzing::Target target, std::string content) {
  current = std::move(content);
  // A copy of exact size: reading past its end is seen by the address sanitizer.
  const std::vector<std::uint8_t> bytes(current.begin(), current.end());
  target({bytes.data(), bytes.size()});
}

char any_byte(Random& random) {
  constexpr char likely[] = {'\0', '\x01', '\x7f', char(0x80), char(0xff), '0', '9', '-', '\n'};
  return random.below(2) ? likely[random.below(sizeof likely)] : char(random.below(256));
}

std::string changed(std::string content, const std::string& other, Random& random) {
  for (std::uint64_t n = 1 + random.below(4); n > 0; --n) {
    if (content.empty()) content = other;
    if (content.empty()) return std::string(1, any_byte(random));
    const std::size_t at = random.below(content.size());
    const std::size_t length = 1 + random.below(12);
    switch (random.below(6)) {
      case 0:
        content[at] = any_byte(random);
        break;
      case 1:
        content[at] = char(content[at] ^ 1 << random.below(8));
        break;
      case 2:
        content.insert(at, length, any_byte(random));
        break;
      case 3:
        content.erase(at, length);
        break;
      case 4:
        content.insert(at, content.substr(random.below(content.size()), length));
        break;
      default:
        content = content.substr(0, at) + other.substr(std::min(other.size(), at));
        break;
    }
  }
  return content;
}

}  // namespace

int main(int count, char** arguments) {
  const auto& targets = semblance::fuzzing::targets();
  const auto found = targets.find(count > 1 ? arguments[1] : "");
  if (count < 3 || found == targets.end() || !fs::is_directory(arguments[2])) {
    std::fprintf(stderr, "usage: %s TARGET CORPUS_FOLDER [VERSIONS_A_FILE], for the targets\n",
                 arguments[0]);
    for (const auto& target : targets) std::fprintf(stderr, "  %s\n", target.first.c_str());
    return 2;
  }
  for (const int number : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) std::signal(number, on_signal);
  std::map<fs::path, std::string> corpus;
  for (const auto& file : fs::directory_iterator(arguments[2])) {
    std::ifstream in(file.path(), std::ios::binary);
    corpus[file.path()] = {std::istreambuf_iterator<char>(in), {}};
  }
  const int versions = count > 3 ? std::atoi(arguments[3]) : 0;
  Random random(1);
  std::size_t given = 0;
  give(found->second, "");
  for (const auto& [file, content] : corpus) {
    give(found->second, content);
    for (int i = 0; i < versions; ++i, ++given) {
      const auto other = std::next(corpus.begin(), std::ptrdiff_t(random.below(corpus.size())));
      give(found->second, changed(content, other->second, random));
    }
  }
  std::printf("%zu files and %zu changed versions of them\n", corpus.size(), given);
  return corpus.empty() ? 1 : 0;
}
