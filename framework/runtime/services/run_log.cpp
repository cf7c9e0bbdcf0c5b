// SPDX-License-Identifier: MIT
#include "runtime/services/run_log.hpp"

#include <fmt/format.h>
#include <spdlog/formatter.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>

#include <chrono>
#include <limits>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "report/page/warning_kinds.hpp"
#include "semblance/error.hpp"
#include "support/safe_text.hpp"

namespace semblance {
namespace {

using LogClock = spdlog::log_clock;

constexpr std::size_t shown_of_a_kind = 3;

spdlog::level::level_enum severity(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      break;
  }
  return spdlog::level::warn;
}

std::string message_of(const spdlog::details::log_msg& message) {
  return {message.payload.data(), message.payload.size()};
}

std::string level_of(const spdlog::details::log_msg& message) {
  const auto name = spdlog::level::to_string_view(message.level);
  return {name.data(), name.size()};
}

/// The formatter determines the complete line.
class LineFormatter final : public spdlog::formatter {
 public:
  using Line = std::function<std::string(const spdlog::details::log_msg&)>;
  explicit LineFormatter(Line line) : line_(std::move(line)) {}

  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override {
    const std::string line = line_(message) + "\n";
    out.append(line.data(), line.data() + line.size());
  }
  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<LineFormatter>(line_);
  }

 private:
  Line line_;
};

LineFormatter::Line json_line(LogClock::time_point start) {
  return [start](const spdlog::details::log_msg& message) {
    const std::chrono::duration<double> time = message.time - start;
    const nlohmann::ordered_json line = {
        {"seconds", time.count()}, {"level", level_of(message)}, {"message", message_of(message)}};
    return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
}

LineFormatter::Line timed_line(LogClock::time_point start) {
  return [start](const spdlog::details::log_msg& message) {
    const std::chrono::duration<double> time = message.time - start;
    return fmt::format("{:10.3f} {:7} {}", time.count(), level_of(message), message_of(message));
  };
}

std::string console_line(const spdlog::details::log_msg& message) {
  return level_of(message) + ": " + message_of(message);
}

spdlog::sink_ptr file_sink(const std::filesystem::path& file) {
  try {
    return std::make_shared<spdlog::sinks::basic_file_sink_mt>(file.string());
  } catch (const spdlog::spdlog_ex& failure) {
    const std::string text = failure.what();  // ends with the system's message
    const std::size_t colon = text.rfind(": ");
    throw Error(file.string() + ": cannot create it" +
                (colon == text.npos ? "" : text.substr(colon)) +
                "; choose another folder with --out DIR");
  }
}

}  // namespace

bool ShownWarnings::add(const std::string& warning) {
  const std::lock_guard lock(mutex_);
  return shown_.insert(warning).second;
}

/// The console belongs to the progress display, which gets the lines.
class RunLog::ConsoleSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  /// `most`: how many warnings of a kind.
  ConsoleSink(std::function<void(const std::string&)> show, std::size_t most,
              std::shared_ptr<ShownWarnings> shown)
      : show_(std::move(show)), most_(most), shown_(std::move(shown)) {}

  struct Kind {
    std::string first;
    std::size_t number = 0;
    std::size_t hidden = 0;
  };
  void count(std::function<bool(const std::string&)> matters) {
    const std::lock_guard lock(mutex_);
    matters_ = std::move(matters);
    most_ = 0;
  }
  /// The kinds with hidden warnings, which do not count as hidden afterwards.
  std::vector<Kind> hidden() {
    const std::lock_guard lock(mutex_);
    std::vector<Kind> found;
    for (auto& [kind, warnings] : kinds_)
      if (warnings.hidden > 0) {
        found.push_back(warnings);
        warnings.hidden = 0;
      }
    return found;
  }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (message.level == spdlog::level::warn) {
      const std::string text = message_of(message);
      if (matters_ && !matters_(text)) return;
      if (!shown_->add(text)) return;
      Kind& kind = kinds_[kind_of_warning(text)];
      if (kind.number == 0) kind.first = text;
      if (++kind.number > most_) {
        ++kind.hidden;
        return;
      }
    }
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    show_(safe_text({line.data(), line.size() - 1}));
  }
  void flush_() override {}

  std::function<void(const std::string&)> show_;
  std::size_t most_;
  std::shared_ptr<ShownWarnings> shown_;
  std::function<bool(const std::string&)> matters_;
  std::map<std::string, Kind> kinds_;
};

RunLog::RunLog(const std::filesystem::path& folder, const LogOptions& options,
               std::function<void(const std::string&)> console)
    : file_(folder.empty() ? folder : folder / "run.log"),
      text_(options.format == LogFormat::text) {
  const auto start = LogClock::now();
  const bool json = !text_;
  std::vector<spdlog::sink_ptr> sinks;
  const auto add = [&](spdlog::sink_ptr sink, LogLevel least, LineFormatter::Line line) {
    sink->set_level(severity(least));
    sink->set_formatter(std::make_unique<LineFormatter>(std::move(line)));
    sinks.push_back(std::move(sink));
  };
  if (console && !options.silent) {
    console_ = std::make_shared<ConsoleSink>(
        console, json ? std::numeric_limits<std::size_t>::max() : shown_of_a_kind, options.shown);
    add(console_, options.console, json ? json_line(start) : LineFormatter::Line(console_line));
  }
  if (!file_.empty())
    add(file_sink(file_), std::min(options.console, LogLevel::info),
        json ? json_line(start) : timed_line(start));
  logger_ = std::make_unique<spdlog::logger>("run", sinks.begin(), sinks.end());
  logger_->set_level(spdlog::level::debug);
  // A killed run's log must show how far it got.
  logger_->flush_on(spdlog::level::debug);
  logger_->set_error_handler(
      [console, told = std::make_shared<std::once_flag>()](const std::string& problem) {
        if (console)
          std::call_once(*told, [&] { console("warning: cannot write run.log: " + problem); });
      });
}

RunLog::~RunLog() = default;

std::vector<std::string> RunLog::not_shown() {
  std::vector<std::string> lines;
  if (!console_) return lines;
  // Without the folder's name, which changes when the run is done.
  for (const auto& kind : console_->hidden())
    lines.push_back(safe_text(fmt::format("warning: {} {} '{}'{}", kind.hidden,
                                          kind.hidden < kind.number ? "more like"
                                          : kind.hidden == 1        ? "in the inner folds:"
                                                                    : "in the inner folds, such as",
                                          kind.first,
                                          file_.empty()      ? ""
                                          : kind.hidden == 1 ? "; it is in run.log"
                                                             : "; they are in run.log")));
  return lines;
}

void RunLog::count_warnings(std::function<bool(const std::string&)> matters) {
  if (console_ && text_) console_->count(std::move(matters));
}

void RunLog::write(LogLevel level, const std::string& message) {
  logger_->log(severity(level), spdlog::string_view_t(message));
}

}  // namespace semblance
