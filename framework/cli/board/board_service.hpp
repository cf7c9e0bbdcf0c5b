// SPDX-License-Identifier: MIT
#pragma once

#include "cli/board/board_index.hpp"
#include "serve/http/http.hpp"

namespace semblance::board {

/// The answers of a board: GET / is the page; /api/runs, /api/run/ID and /api/compare?ids=ID,ID are
/// what it shows (board_json.hpp); /api/runs?seen=VERSION is short if nothing has changed; POST
/// /api/annotate {"id", "tags", "note"} stores tags and a note; /page/ID/FILE is a file of a run's
/// folder.
class BoardService final : public serving::HttpHandler {
 public:
  explicit BoardService(BoardIndex& index) : index_(index) {}

  std::optional<serving::HttpAnswer> without_body(const serving::HttpRequest& request) override;
  serving::HttpAnswer with_body(serving::HttpRequest&& request) override;

 private:
  serving::HttpAnswer answer(const serving::HttpRequest& request);
  serving::HttpAnswer list(const serving::HttpRequest& request);
  serving::HttpAnswer comparison(const serving::HttpRequest& request);
  serving::HttpAnswer file(const std::string& path);

  BoardIndex& index_;
};

}  // namespace semblance::board
