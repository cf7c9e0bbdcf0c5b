// SPDX-License-Identifier: MIT
// The shells' completion scripts.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "program.hpp"

namespace completion_test {

using namespace semblance::testing;

TEST_CASE("bash completes commands and options, and leaves other words to files") {
  const Workplace work;
  std::filesystem::create_directory(work.path / "bin");
  std::filesystem::create_symlink(SEMBLANCE_PROGRAM, work.path / "bin/semblance");
  const std::string file = work.file("drive", R"(set -u
source "$1/semblance.bash"
try() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _semblance semblance "${@: -1}"
  echo "$* | ${COMPREPLY[*]}"
}
try semblance compar
try semblance no_such
try semblance run --thr
try semblance history --he
try semblance run p.y
)");
  const auto outcome =
      work.shell("PATH=$PWD/bin:$PATH bash " + file + " " SEMBLANCE_COMPLETIONS " 2>&1");
  INFO(outcome.output);
  CHECK(outcome.exit == 0);
  CHECK(outcome.output ==
        "semblance compar | compare\n"
        "semblance no_such | \n"
        "semblance run --thr | --threads\n"
        "semblance history --he | --help\n"
        "semblance run p.y | \n");
}

}  // namespace completion_test
