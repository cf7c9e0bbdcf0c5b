// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include "pipelines.hpp"
#include "program.hpp"

namespace run_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

TEST_CASE("Ctrl-C, SIGTERM and SIGHUP stop the run within a second, and are distinguished") {
  for (const auto& [signal, name] : {std::pair{SIGINT, "Ctrl-C"}, std::pair{SIGTERM, "SIGTERM"},
                                     std::pair{SIGHUP, "SIGHUP (its terminal was closed)"}}) {
    const Workplace work;
    work.file("p.yaml", wide_pipeline);
    const pid_t process = work.start("run p.yaml --out out --set nodes.svm.tolerance=1e-9");
    while (!fs::exists(work.path / "out/pipeline.yaml")) ::usleep(2000);
    ::kill(process, signal);
    CHECK(wait_for(process) == 1);
    CHECK(work.content("background.log").find(std::string("stopped by ") + name) !=
          std::string::npos);
  }
}

}  // namespace run_test
