// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <malloc.h>
#include <signal.h>

#include <cmath>
#include <memory>

#include "cli/models/applied_model.hpp"
#include "cli/models/http_server.hpp"
#include "cli/models/pair_options.hpp"
#include "cli/pipeline_options.hpp"
#include "runtime/services/crash_report.hpp"
#include "runtime/services/run_context.hpp"
#include "serve/service.hpp"
#include "support/number_text.hpp"
#include "support/safe_text.hpp"

namespace semblance::cli {
namespace {

using namespace serving;

std::size_t count_option(const options::variables_map& values, const char* option, int least,
                         int most) {
  const int given = values[option].as<int>();
  if (given < least || given > most)
    throw UsageError(
        fmt::format("--{} must be between {} and {}, got {}", option, least, most, given));
  return static_cast<std::size_t>(given);
}

std::size_t bytes_option(const options::variables_map& values) {
  constexpr std::size_t most = std::size_t{1} << 30;
  const std::string text = option_text(values, "max-bytes");
  const auto bytes = bytes_from_text(text);
  if (!bytes || *bytes > most)
    throw UsageError("'" + text +
                     "' is not a size for --max-bytes; write bytes, or a number with "
                     "K or M, such as 16M, up to 1G");
  return *bytes;
}

std::chrono::milliseconds timeout_option(const options::variables_map& values) {
  const double seconds = values["timeout"].as<double>();
  if (!(seconds >= 0.1 && seconds <= 3600))
    throw UsageError("--timeout must be a number of seconds from 0.1 to 3600");
  return std::chrono::milliseconds(std::llround(1000 * seconds));
}

options::options_description serve_options() {
  options::options_description described(model_help + "\n\noptions", 100);
  described.add_options()("port", takes<int>("N")->default_value(8080),
                          "where to listen; 0: any free port, which is printed")(
      "host", takes("ADDRESS")->default_value("127.0.0.1"),
      "the address to listen on; the default can be reached from this machine only")(
      "node", takes("NODE"), "the node whose scores to serve, if several nodes score rows")(
      "threads", takes<int>("N"), "threads that compute scores (default: all cores)")(
      "max-rows", takes<int>("N")->default_value(10'000), "largest number of rows in a request")(
      "max-bytes", takes("SIZE")->default_value("16M"), "largest size of a request's body")(
      "timeout", takes<double>("SECONDS")->default_value(10),
      "longest time from a request's first byte to its answer")(
      "queue", takes<int>("N")->default_value(128),
      "requests that may wait; the server asks further clients to try again later")(
      "data", takes("DIR"),
      "for a model of pairs: where relative paths of the tables of samples start (default: "
      "$SEMBLANCE_DATA, "
      "else the user's data folder)")("set", takes<Texts>("PATH=VALUE"),
                                      "for a model of pairs: change the sources of the samples: "
                                      "nodes.pairs.first.path=FILE; may be repeated");
  add_plugin_option(described);
  return described;
}

RunOptions model_options(const options::variables_map& values) {
  RunOptions settings;
  settings.threads =
      values.count("threads") ? count_option(values, "threads", 1, 4096) : available_threads();
  settings.memory = default_memory(settings.threads);
  settings.use_cache = false;
  settings.quiet = true;
  return settings;
}

/// Lets threads reuse memory that another has freed, and returns the memory of large bodies to the
/// system.
void share_memory_among_threads() {
  ::mallopt(M_ARENA_MAX, 4);
  ::mallopt(M_MMAP_THRESHOLD, 1 << 18);
}

void say(const std::string& line) {
  fmt::print("{}\n", safe_text(line));
  std::fflush(stdout);
}

}  // namespace

int serve_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("serve");
  options::options_description described = serve_options();
  const auto values = parse(verb, arguments, described, one_argument());
  if (!values) return done;
  report_crashes();
  const std::string folder = required_argument(*values, verb);
  HttpOptions http;
  http.host = option_text(*values, "host");
  http.port = static_cast<int>(count_option(*values, "port", 0, 65535));
  http.timeout = timeout_option(*values);
  http.most_body = bytes_option(*values);
  http.most_bodies = 8 * http.most_body;
  ServiceLimits limits;
  limits.rows = count_option(*values, "max-rows", 1, 100'000'000);
  limits.bytes = http.most_body;
  limits.waiting = count_option(*values, "queue", 1, 4096);
  // Each waiting request has a connection; so have requests that are still being sent.
  http.connections = limits.waiting + 32;
  const RunOptions settings = model_options(*values);

  share_memory_among_threads();
  const sigset_t interrupts = block_interrupts();
  const auto catalogue = std::make_shared<const Catalogue>(discover(*values).catalogue);
  const ServedModel model(folder, catalogue, settings, option_text(*values, "node"),
                          check_options(*values));
  check_pair_options(*values, model);
  Service service(model, limits, is_loopback(http.host));
  const std::unique_ptr<HttpServer> server = start_server(http, service);
  if (!is_loopback(http.host))
    fmt::print(stderr,
               "warning: others can reach this server, which asks for no password and encrypts "
               "nothing; put a proxy that does both in front of it\n");
  say(fmt::format("serving {} at {} (stop with Ctrl-C)", model.name(),
                  address(http.host, server->port())));
  int signal = 0;
  ::sigwait(&interrupts, &signal);
  // A second signal ends the program at once.
  ::pthread_sigmask(SIG_UNBLOCK, &interrupts, nullptr);
  server->stop();
  for (const std::string& warning : model.warnings())
    fmt::print(stderr, "warning: {}\n", safe_text(warning));
  say(fmt::format("stopped by {}: {}", StopSwitch::name_of(signal), service.summary()));
  return done;
}

}  // namespace semblance::cli
