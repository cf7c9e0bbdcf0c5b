// SPDX-License-Identifier: MIT
#include "settings.hpp"

#include <pybind11/stl.h>

#include <cmath>

#include "call_context.hpp"
#include "catalogue.hpp"
#include "registry/places.hpp"
#include "support/number_text.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;

/// Bytes that the store may keep, as on the command line.
constexpr std::uintmax_t store_limit = std::uintmax_t{20} << 30;

/// The value as T; TypeError where it is none.
template <class T>
T as(const py::object& said, const char* name, const char* what) {
  try {
    return py::cast<T>(said);
  } catch (const py::cast_error&) {
    throw py::type_error(std::string(name) + " must be " + what + ", got " +
                         py::cast<std::string>(py::repr(said)));
  }
}

std::size_t threads_from(const py::object& said) {
  if (said.is_none()) return available_threads();
  const auto threads = as<std::int64_t>(said, "threads", "a whole number");
  if (threads < 1 || threads > 4096)
    throw py::value_error("threads must be between 1 and 4096, or None for all cores; got " +
                          std::to_string(threads));
  return static_cast<std::size_t>(threads);
}

std::size_t memory_from(const py::object& said, std::size_t threads) {
  if (said.is_none()) return memory_of_calls(threads);
  const auto text = py::cast<std::string>(py::str(said));
  const auto bytes = bytes_from_text(text);
  if (!bytes || *bytes == 0)
    throw py::value_error("memory must be a number of bytes, or a text such as '4G'; got '" + text +
                          "'");
  const std::size_t most = memory_within_limits(threads);
  if (*bytes > most)
    throw py::value_error("memory is " + text + ", more than the " + std::to_string(most >> 20) +
                          " MiB that a limit of this process (ulimit -v or -d) leaves for data");
  return *bytes;
}

std::optional<double> deadline_from(const py::object& said) {
  if (said.is_none()) return std::nullopt;
  const auto seconds = as<double>(said, "deadline", "a number of seconds");
  if (!(seconds > 0) || !std::isfinite(seconds))
    throw py::value_error("deadline must be a positive number of seconds, or None");
  return seconds;
}

void set_store(const py::object& said, RunOptions& options) {
  options.use_cache = !said.is_none() && !said.is(py::bool_(false));
  const bool named = options.use_cache && !said.is(py::bool_(true));
  // Matrices that do not fit into memory go to this folder with or without a store.
  options.cache = cache_folder(named ? py::cast<std::string>(py::str(said)) : "");
  if (options.use_cache) options.cache_limit = store_limit;
}

}  // namespace

Settings settings_from(const py::dict& options) {
  const py::dict left(options);
  const auto take = [&](const char* name) {
    return left.contains(name) ? py::object(left.attr("pop")(name)) : py::object(py::none());
  };
  Settings settings;
  RunOptions& run = settings.run;
  run.threads = threads_from(take("threads"));
  run.memory = memory_from(take("memory"), run.threads);
  run.deadline = deadline_from(take("deadline"));
  run.quiet = true;
  set_store(take("cache"), run);
  if (const py::object command = take("command"); !command.is_none())
    run.command = py::cast<std::string>(command);
  if (const py::object seed = take("seed"); !seed.is_none())
    settings.check.seed = as<std::uint64_t>(seed, "seed", "a whole number that is not negative");
  const py::object data = take("data_folder");
  settings.check.data = data_folder(data.is_none() ? "" : py::cast<std::string>(py::str(data)));
  const py::object stay = take("return_on_interrupt");
  settings.return_on_interrupt = !stay.is_none() && py::cast<bool>(stay);
  if (const py::object paths = take("plugin_paths"); !paths.is_none())
    add_plugins(py::cast<std::vector<std::string>>(paths));
  for (const auto& [name, value] : left)
    throw py::type_error("there is no option '" + py::cast<std::string>(py::str(name)) + "'");
  return settings;
}

void attach(Interruptible& call, Settings& settings, const py::object& progress) {
  call.callback = progress;
  call.return_on_interrupt = settings.return_on_interrupt;
  settings.run.cancel = &call.cancel;
  settings.run.on_progress = [&call](const std::string& node, double done, double total) {
    call.advance(node, done, total);
  };
  // Warnings are in the record of the run; nothing goes to the terminal.
  settings.run.on_log = [](LogLevel, const std::string&) {};
}

}  // namespace semblance::python
