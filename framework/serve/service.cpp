// SPDX-License-Identifier: MIT
#include "serve/service.hpp"

#include <fmt/format.h>
#include <strings.h>

#include <charconv>
#include <new>

#include "semblance_tables/text_lines.hpp"
#include "serve/http/http.hpp"
#include "serve/http/local_host.hpp"
#include "serve/page/served_page.hpp"
#include "serve/rows/json_rows.hpp"
#include "serve/rows/libsvm_rows.hpp"
#include "support/former_names.hpp"
#include "support/json_string.hpp"

namespace semblance::serving {

namespace {

constexpr std::size_t most_nearest = 20, most_explained = 16;

/// Unknown headers and parameters are ignored; a wrong value is an error.
std::optional<std::size_t> whole_number(const std::string& text) {
  std::size_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || problem != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

HttpAnswer json_answer(std::string body) { return {200, "application/json", std::move(body)}; }

/// The parameter `nearest` of the query: the requested number of bases per map.
std::size_t nearest_wanted(const HttpRequest& request) {
  std::size_t wanted = 0;
  for (const auto& [name, value] : request.parameters) {
    if (name != "nearest")
      throw Error("the parameter " + in_quotes(name) + " is unknown; there is only nearest=N");
    const auto number = whole_number(value);
    if (!number || *number > most_nearest)
      throw Error("nearest must be a number from 0 to " + std::to_string(most_nearest) + ", not " +
                  in_quotes(value));
    wanted = *number;
  }
  return wanted;
}

/// An error of the model, not of the request.
class ScoringFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void read_libsvm(std::string_view text, std::size_t first_index, GivenRows& rows) {
  LibsvmLines lines(first_index);
  for (std::size_t number = 1; const auto line = take_line(text); ++number) {
    try {
      lines.read_row(checked_line(*line, number == 1), rows);
    } catch (const TooMuch&) {
      throw;
    } catch (const Error& problem) {
      throw Error("line " + std::to_string(number) + ": " + problem.what());
    }
  }
}

}  // namespace

Service::Service(const ServedModel& model, const ServiceLimits& limits, bool only_local)
    : model_(model),
      limits_(limits),
      only_local_(only_local),
      answers_(model),
      description_(
          model.description().dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"),
      queue_([&model](MatrixView rows, MutableMatrixView scores) { model.score(rows, scores); },
             model.row_layout(), model.values(), limits.waiting) {}

HttpAnswer Service::counted(HttpAnswer answer) {
  ++(answer.status < 400 ? answered_ : refused_);
  return answer;
}

std::optional<HttpAnswer> Service::without_body(const HttpRequest& request) {
  try {
    if (auto answer = looked_at(request)) return counted(*std::move(answer));
    return std::nullopt;
  } catch (const std::exception& problem) {
    return counted(http_error(500, problem.what()));
  }
}

std::optional<HttpAnswer> Service::looked_at(const HttpRequest& request) const {
  if (only_local_)
    if (auto refused = refuse_other_names(request)) return refused;
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (request.path == "/predict") {
    if (request.method != "POST")
      return http_error(405, "rows are sent to /predict with POST", {{"Allow", "POST"}});
    return refuse_body(request);
  }
  const bool known = request.path == "/" || request.path == "/health" || request.path == "/model" ||
                     request.path == "/basis";
  if (!known)
    return http_error(404, "there is no " + in_quotes(request.path) +
                               "; there are GET /, /health, /model and /basis, and POST /predict");
  if (!reads)
    return http_error(405, in_quotes(request.path) + " is read with GET", {{"Allow", "GET, HEAD"}});
  if (request.path == "/health") return health();
  if (request.path == "/model") return json_answer(description_);
  if (request.path == "/basis") return basis(request);
  return served_page("Semblance", assets::style, assets::body, assets::script);
}

/// The error answer to a request to /predict before its body is read, if it has an error.
std::optional<HttpAnswer> Service::refuse_body(const HttpRequest& request) const {
  const std::string* const length = request.header("Content-Length");
  const std::string* const transfer = request.header("Transfer-Encoding");
  if (request.headers_of("Content-Length") + request.headers_of("Transfer-Encoding") > 1)
    return http_error(400,
                      "the request says more than once how long its body is; send either one "
                      "Content-Length or Transfer-Encoding: chunked");
  if (transfer && ::strcasecmp(transfer->c_str(), "chunked") != 0)
    return http_error(501, "the transfer encoding " + in_quotes(*transfer) +
                               " is not known; send Content-Length or chunks");
  if (!length && !transfer)
    return http_error(411, "the request does not say how long its body is; send Content-Length");
  if (const std::string* coding = request.header("Content-Encoding");
      coding && *coding != "identity")
    return http_error(415, "the body is encoded as " + in_quotes(*coding) + "; send it as it is");
  const std::string* const type = request.header("Content-Type");
  if (!type || !body_type(*type)) {
    const auto* former =
        type ? find_former(program_names(), type->substr(0, type->find(';'))) : nullptr;
    return http_error(415, std::string("the body's Content-Type ") +
                               (type ? in_quotes(*type) + " is not read; " : "is missing; ") +
                               (former ? former->remedy()
                                       : "send application/json, text/csv or text/x-libsvm, as "
                                         "UTF-8"));
  }
  if (const std::string* accept = request.header("Accept"); accept && !answer_form(*accept))
    return http_error(406,
                      "none of the types in Accept can be written; there are application/json "
                      "and text/csv");
  return std::nullopt;
}

HttpAnswer Service::with_body(HttpRequest&& request) {
  const HttpFields soon = {{"Retry-After", "1"}};
  try {
    return counted(predicted(std::move(request)));
  } catch (const TooMuch& problem) {
    return counted(http_error(413, problem.what()));
  } catch (const QueueFull& problem) {
    return counted(http_error(429, problem.what(), soon));
  } catch (const TooLate& problem) {
    return counted(http_error(503, problem.what(), soon));
  } catch (const Error& problem) {
    return counted(http_error(400, problem.what()));
  } catch (const std::bad_alloc&) {
    return counted(http_error(503, "there is no memory for the request; send fewer rows", soon));
  } catch (const std::exception& problem) {
    return counted(http_error(500, problem.what()));
  }
}

HttpAnswer Service::predicted(HttpRequest&& request) {
  const std::size_t nearest = nearest_wanted(request);
  const std::string* const accept = request.header("Accept");
  const Form form = accept ? *answer_form(*accept) : Form::json;
  GivenRows rows = rows_of(request);
  request.body = std::string();
  if (rows.rows() == 0) throw Error("there are no rows; send at least one");
  if (nearest > 0 && (form != Form::json || rows.rows() > most_explained))
    throw Error("nearest bases are given for at most " + std::to_string(most_explained) +
                " rows, in JSON");
  const GivenRows kept = nearest > 0 ? rows : GivenRows(model_.row_layout());
  try {
    FloatMatrix judged = queue_.score(std::move(rows), request.end);
    model_.judge(judged.view());
    const FloatMatrix& scores = judged;
    if (nearest == 0) return in_form(form, scores.view());
    return explained(scores.view(), kept, nearest, request.end);
  } catch (const QueueFull&) {
    throw;
  } catch (const TooLate&) {
    throw;
  } catch (const Error& problem) {
    throw ScoringFailed(problem.what());
  }
}

GivenRows Service::rows_of(const HttpRequest& request) const {
  GivenRows rows(model_.row_layout(), {limits_.rows, limits_.bytes});
  const BodyType type = *body_type(*request.header("Content-Type"));
  switch (type.form) {
    case Form::json:
      JsonRows(model_.row(), model_.row_texts()).read(request.body, rows);
      break;
    case Form::csv:
      read_table(request.body, type.header, *model_.csv_lines(), rows);
      break;
    case Form::libsvm:
      if (model_.of_pairs()) refuse_numbers();
      if (!model_.first_index())
        throw Error(
            "the model was trained on files whose indices count from 0 or from 1, so rows "
            "in this format can mean either; send another format");
      read_libsvm(request.body, *model_.first_index(), rows);
      break;
  }
  return rows;
}

HttpAnswer Service::in_form(Form form, MatrixView scores) const {
  std::string text;
  if (form == Form::csv) {
    answers_.append_csv_header(text);
    for (std::size_t i = 0; i < scores.rows; ++i)
      answers_.append_csv(text, scores.row_span(i), true);
    return {200, "text/csv; charset=utf-8; header=present", std::move(text)};
  }
  text = predictions_head();
  for (std::size_t i = 0; i < scores.rows; ++i) {
    text += i > 0 ? ",\n" : "\n";
    answers_.append_json(text, scores.row_span(i), true);
  }
  return json_answer(text + "\n]}\n");
}

HttpAnswer Service::explained(MatrixView scores, const GivenRows& rows, std::size_t nearest,
                              HttpClock::time_point end) {
  const std::unique_lock lock(explaining_, end);
  if (!lock) throw TooLate("other requests ask for nearest bases as well; try again later");
  std::string text = predictions_head();
  for (std::size_t i = 0; i < scores.rows; ++i) {
    text += i > 0 ? ",\n" : "\n";
    answers_.append_json(text, scores.row_span(i), true,
                         nearest_json(model_.nearest(rows.view().rows_range(i, 1), nearest)));
  }
  return json_answer(text + "\n]}\n");
}

std::string Service::predictions_head() const {
  return "{\"model\": " + json_string(model_.name()) + ", \"predictions\": [";
}

/// GET /basis?map=NAME&basis=N
HttpAnswer Service::basis(const HttpRequest& request) const {
  std::string map;
  std::optional<std::size_t> column;
  for (const auto& [name, value] : request.parameters) {
    if (name == "map") map = value;
    if (name == "basis") column = whole_number(value);
  }
  if (map.empty() || !column)
    return http_error(400,
                      "name a similarity map and the number of a basis: /basis?map=NAME&basis=N");
  try {
    return json_answer(
        model_.basis(map, *column).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
        "\n");
  } catch (const Error& problem) {
    return http_error(404, problem.what());
  }
}

std::string Service::summary() const {
  const std::uint64_t answered = answered_.load();
  return std::to_string(answered) + (answered == 1 ? " request" : " requests") + " answered, " +
         std::to_string(refused_.load()) + " refused";
}

HttpAnswer Service::health() const {
  const ScoreQueue::Counts counts = queue_.counts();
  const std::chrono::duration<double> up = HttpClock::now() - started_;
  const nlohmann::ordered_json now = {{"status", "ok"},
                                      {"model", model_.name()},
                                      {"hash", model_.hash()},
                                      {"uptime_seconds", up.count()},
                                      {"answered", answered_.load()},
                                      {"refused", refused_.load()},
                                      {"rows", counts.rows},
                                      {"batches", counts.batches},
                                      {"waiting", counts.waiting}};
  return json_answer(now.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace semblance::serving
