// SPDX-License-Identifier: MIT
#include "serve/page/served_page.hpp"

#include <fmt/format.h>

#include <random>

#include "report/page/page_assets.hpp"

namespace semblance::serving {
namespace {

/// The identification of the page's own style and script: no class name can match it.
std::string new_nonce() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

}  // namespace

HttpAnswer served_page(const std::string& title, std::string_view style, std::string_view body,
                       std::string_view script) {
  const std::string nonce = new_nonce();
  std::string text = fmt::format(
      R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{5}</title>
<link rel="icon" href="data:,">
<style nonce="{0}">
{1}{2}</style>
</head>
{3}<script nonce="{0}">
{4}</script>
</body>
</html>
)",
      nonce, page_assets::style, style, body, script, title);
  return {200,
          "text/html; charset=utf-8",
          std::move(text),
          {{"Content-Security-Policy",
            "default-src 'none'; script-src 'nonce-" + nonce + "'; style-src 'nonce-" + nonce +
                "'; connect-src 'self'; img-src 'self' blob: data:; base-uri 'none'; "
                "form-action 'none'; frame-ancestors 'none'"}}};
}

}  // namespace semblance::serving
