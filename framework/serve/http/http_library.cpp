// SPDX-License-Identifier: MIT
#include "serve/http/http_library.hpp"

#include "registry/doors.hpp"

namespace semblance::serving {

StartHttpServer http_library() {
  return reinterpret_cast<StartHttpServer>(
      door_function("http", "semblance_http_server", "rebuild or reinstall the program"));
}

}  // namespace semblance::serving
