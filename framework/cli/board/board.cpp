// SPDX-License-Identifier: MIT
#include "cli/board/board.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "cli/models/http_server.hpp"
#include "cli/verb.hpp"
#include "runtime/services/run_context.hpp"

namespace semblance::cli {

int board_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("board");
  options::options_description described(
      "Each FOLDER is the folder of a run or study, or has such folders at most two levels below;\n"
      "runs/ without one. The page shows what is in them and in their histories, and follows runs\n"
      "in progress. It answers this machine only, and loads nothing from a network.\n\n"
      "options",
      100);
  described.add_options()("port", takes<int>("N")->default_value(8090),
                          "where to listen; 0: any free port, which is printed")(
      "open", "also open the page in the browser");
  const auto values = parse(verb, arguments, described, any_arguments());
  if (!values) return done;
  auto named = option_texts(*values, "argument");
  if (named.empty()) named.emplace_back("runs");
  std::vector<std::filesystem::path> folders;
  for (const std::string& folder : named) {
    if (!std::filesystem::is_directory(folder))
      throw UsageError("there is no folder '" + folder + "'; name folders of runs and studies");
    folders.emplace_back(folder);
  }
  serving::HttpOptions http;
  http.host = "127.0.0.1";
  http.port = (*values)["port"].as<int>();
  if (http.port < 0 || http.port > 65535)
    throw UsageError(fmt::format("--port must be between 0 and 65535, got {}", http.port));
  http.most_body = std::size_t{1} << 20U;
  http.most_bodies = 8 * http.most_body;
  const sigset_t interrupts = block_interrupts();
  board::BoardIndex index(std::move(folders));
  board::BoardService service(index);
  const auto server = start_server(http, service);
  const std::string url = address(http.host, server->port());
  fmt::print("the board is at {} (stop with Ctrl-C)\n", url);
  std::fflush(stdout);
  if (values->count("open") &&
      std::system(("xdg-open '" + url + "' >/dev/null 2>&1 &").c_str()) != 0)
    fmt::print(stderr, "note: no browser was opened; open {} yourself\n", url);
  int signal = 0;
  ::sigwait(&interrupts, &signal);
  // A second signal ends the program at once.
  ::pthread_sigmask(SIG_UNBLOCK, &interrupts, nullptr);
  server->stop();
  fmt::print("stopped by {}\n", StopSwitch::name_of(signal));
  return done;
}

}  // namespace semblance::cli
