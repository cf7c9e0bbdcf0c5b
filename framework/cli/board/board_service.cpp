// SPDX-License-Identifier: MIT
#include <fstream>
#include <iterator>
#include <map>

#include "cli/board/board.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"
#include "serve/http/local_host.hpp"
#include "serve/page/served_page.hpp"
#include "support/files/hash.hpp"
#include "support/json_string.hpp"
#include "support/json_text.hpp"

namespace semblance::board {
namespace {

using namespace serving;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t most_compared = 20;
constexpr std::uintmax_t largest_file = std::uintmax_t{64} << 20U;

HttpAnswer json_of(const Json& json, int status = 200) {
  return {status, "application/json",
          json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"};
}

std::string parameter(const HttpRequest& request, const std::string& name) {
  for (const auto& [known, value] : request.parameters)
    if (known == name) return value;
  return "";
}

/// The media type of a file that is shown; nothing for another file.
const char* type_of(const fs::path& file) {
  static const std::map<std::string, const char*> types = {
      {".html", "text/html; charset=utf-8"},     {".json", "application/json"},
      {".csv", "text/plain; charset=utf-8"},     {".yaml", "text/plain; charset=utf-8"},
      {".log", "text/plain; charset=utf-8"},     {".md", "text/plain; charset=utf-8"},
      {".tex", "text/plain; charset=utf-8"},     {".txt", "text/plain; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"}, {".svg", "image/svg+xml"}};
  const auto found = types.find(file.extension().string());
  return found == types.end() ? nullptr : found->second;
}

/// A page of a run comes from its folder, which others may have made: its scripts cannot reach the
/// board.
const char* const apart =
    "sandbox allow-scripts allow-downloads allow-popups; default-src 'none'; script-src "
    "'unsafe-inline' 'self'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; "
    "form-action 'none'";

HttpAnswer no_run(const std::string& id) {
  return http_error(404, "there is no run " + in_quotes(id) + " any more");
}

/// Whether a request that changes something comes from the board's own page.
bool from_own_page(const HttpRequest& request) {
  const std::string* const origin = request.header("Origin");
  const std::string* const host = request.header("Host");
  return !origin || (host && *origin == "http://" + *host);
}

}  // namespace

std::optional<HttpAnswer> BoardService::without_body(const HttpRequest& request) {
  try {
    if (auto refused = refuse_other_names(request)) return refused;
    if (request.path == "/api/annotate") {
      if (request.method != "POST")
        return http_error(405, "tags are sent to /api/annotate with POST", {{"Allow", "POST"}});
      if (!from_own_page(request))
        return http_error(403, "tags are set by the board's own page only");
      const std::string* const type = request.header("Content-Type");
      if (!type || !type->starts_with("application/json"))
        return http_error(415, "send application/json");
      if (!request.header("Content-Length"))
        return http_error(411, "the request does not say how long its body is");
      return std::nullopt;
    }
    if (request.method != "GET" && request.method != "HEAD")
      return http_error(405, in_quotes(request.path) + " is read with GET",
                        {{"Allow", "GET, HEAD"}});
    return answer(request);
  } catch (const Error& problem) {
    return http_error(400, problem.what());
  } catch (const std::exception& problem) {
    return http_error(500, problem.what());
  }
}

HttpAnswer BoardService::answer(const HttpRequest& request) {
  if (request.path == "/")
    return served_page("Board · Semblance", assets::style, assets::body, assets::script);
  if (request.path == "/api/runs") return list(request);
  if (request.path == "/api/compare") return comparison(request);
  if (const std::string start = "/api/run/"; request.path.starts_with(start)) {
    const std::string id = request.path.substr(start.size());
    const auto run = index_.find(id);
    return run ? json_of(details_json(*run)) : no_run(id);
  }
  if (request.path.starts_with("/page/")) return file(request.path.substr(6));
  return http_error(404, "there is no " + in_quotes(request.path));
}

HttpAnswer BoardService::list(const HttpRequest& request) {
  Json list = list_json(*index_.runs());
  const std::string version = hash_of(list.dump(-1, ' ', false, Json::error_handler_t::replace));
  if (parameter(request, "seen") == version) return json_of({{"version", version}});
  list["version"] = version;
  return json_of(list);
}

HttpAnswer BoardService::comparison(const HttpRequest& request) {
  std::vector<BoardRun> runs;
  std::string ids = parameter(request, "ids");
  while (!ids.empty()) {
    const std::string id = ids.substr(0, ids.find(','));
    ids.erase(0, id.size() + 1);
    const auto run = index_.find(id);
    if (!run) return no_run(id);
    runs.push_back(*run);
  }
  if (runs.empty() || runs.size() > most_compared)
    throw Error("compare from 1 to " + std::to_string(most_compared) + " runs: ids=ID,ID");
  return json_of(comparison_json(runs, parameter(request, "metric"), parameter(request, "better")));
}

/// ID/FILE, a file in the folder of a run; report.html without FILE.
HttpAnswer BoardService::file(const std::string& path) {
  const std::size_t slash = path.find('/');
  const std::string id = path.substr(0, slash);
  const auto run = index_.find(id);
  if (!run) return no_run(id);
  // Links in the page are relative to the folder.
  if (slash == path.npos) return {303, "text/plain", "", {{"Location", "/page/" + id + "/"}}};
  std::string name = path.substr(slash + 1);
  if (name.empty() || name.ends_with('/')) name += "report.html";
  const auto missing = [&] {
    return http_error(404, "the run has no file " + in_quotes(name) + " that a page shows");
  };
  const char* const type = type_of(name);
  if (run->gone || !type || !leads_inside(name)) return missing();
  std::error_code failure;
  const fs::path root = fs::canonical(run->folder, failure);
  if (failure) return missing();
  const fs::path file = fs::canonical(run->folder / name, failure);
  if (failure || file.lexically_relative(root).string().starts_with("..")) return missing();
  if (!fs::is_regular_file(file, failure) || fs::file_size(file, failure) > largest_file)
    return missing();
  std::ifstream in(file, std::ios::binary);
  if (!in) return missing();
  return {200,
          type,
          std::string(std::istreambuf_iterator<char>(in), {}),
          {{"Content-Security-Policy", apart}}};
}

HttpAnswer BoardService::with_body(HttpRequest&& request) {
  try {
    const Json wanted = parse_json(request.body);
    const auto id = wanted.at("id").get<std::string>();
    const auto tags = wanted.at("tags").get<std::vector<std::string>>();
    const auto note = wanted.at("note").get<std::string>();
    if (!index_.find(id)) return no_run(id);
    index_.annotate(id, tags, note);
    const auto run = index_.find(id);
    return run ? json_of(row_json(*run)) : no_run(id);
  } catch (const nlohmann::json::exception&) {
    return http_error(400, R"(send {"id": "...", "tags": ["..."], "note": "..."})");
  } catch (const Error& problem) {
    return http_error(409, problem.what());
  } catch (const std::exception& problem) {
    return http_error(500, problem.what());
  }
}

}  // namespace semblance::board
