// SPDX-License-Identifier: MIT
#include "svg_picture.hpp"

#include <doctest/doctest.h>

#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "semblance/error.hpp"
#include "semblance/random.hpp"
#include "semblance/report.hpp"

namespace semblance::svg_picture_test {
namespace {

/// A picture with `inside` between its tags.
std::string picture(const std::string& inside) {
  return "<svg viewBox=\"0 0 10 10\">\n" + inside + "</svg>";
}

std::string message(const std::string& svg) {
  try {
    svg::cleaned(svg);
  } catch (const Error& problem) {
    return problem.what();
  }
  return "";
}

constexpr const char* head =
    R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" width="10" height="10">)";

std::string inside_of(const std::string& cleaned) {
  const std::size_t begin = std::string(head).size();
  REQUIRE(cleaned.starts_with(head));
  return cleaned.substr(begin, cleaned.size() - begin - 6);
}

std::string cleaned_inside(const std::string& inside) {
  return inside_of(svg::cleaned(picture(inside)));
}

/// What is wrong with the output, by rules that the cleaning does not share: between < and > there
/// are only known names and quoted values without <, > and url(.
std::string harm_in(const std::string& svg) {
  const std::set<std::string> tags = {"svg",     "g",     "path",     "rect",    "circle",
                                      "ellipse", "line",  "polyline", "polygon", "text",
                                      "tspan",   "title", "desc"};
  for (std::size_t at = 0; at < svg.size(); ++at) {
    if (svg[at] == '>') return "a > outside of a tag";
    if (svg[at] != '<') continue;
    const std::size_t end = svg.find('>', at);
    if (end == std::string::npos) return "an open tag";
    const std::string tag = svg.substr(at + 1, end - at - 1);
    at = end;
    std::size_t i = tag.starts_with("/") ? 1 : 0;
    std::string name;
    while (i < tag.size() && std::isalpha(static_cast<unsigned char>(tag[i]))) name += tag[i++];
    if (!tags.contains(name)) return "the tag " + name;
    while (i < tag.size() && tag[i] == ' ') {
      std::string attribute;
      for (++i; i < tag.size() && tag[i] != '='; ++i) attribute += tag[i];
      for (const char c : attribute)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') return "name " + attribute;
      if (attribute.starts_with("on") || attribute == "href" || attribute == "id" ||
          attribute == "src")
        return "the attribute " + attribute;
      if (tag.substr(i, 2) != "=\"") return "no quote after " + attribute;
      const std::size_t close = tag.find('"', i + 2);
      if (close == std::string::npos) return "no end of " + attribute;
      const std::string value = tag.substr(i + 2, close - i - 2);
      if (value.find('<') != std::string::npos || value.find("url") != std::string::npos)
        return "the value " + value;
      if (attribute != "xmlns" && attribute != "style" && value.find(':') != std::string::npos)
        return "the value " + value;
      i = close + 1;
    }
    if (i < tag.size() && tag.substr(i) != "/") return "rest " + tag.substr(i);
  }
  return "";
}

}  // namespace

TEST_CASE("a picture keeps what draws") {
  CHECK(
      svg::cleaned("<?xml version=\"1.0\"?>\n<!-- made by hand -->\n"
                   "<svg xmlns='http://www.w3.org/2000/svg' version=\"1.1\" viewBox=\"0 0 10 10\">"
                   "<title>a &lt; b</title></svg>\n") ==
      std::string(head) + "<title>a &lt; b</title></svg>");
  const std::string moved =
      "<g transform=\"translate(1,2) rotate(-45 3 4)\"><rect x=\"1\" y=\"2\" width=\"3px\" "
      "height=\"50%\"/></g>";
  CHECK(cleaned_inside(moved) == moved);
  CHECK(cleaned_inside("<path d='M0 0L.5-1.e2 3,4a1 1 0 01 2 3z' fill='none'></path>") ==
        R"(<path d="M0 0L.5-1.e2 3,4a1 1 0 01 2 3z" style="fill:none;"></path>)");
  CHECK(cleaned_inside("<polyline points='0,0 1,1' class=' line  s0 d1 '/>") ==
        R"(<polyline points="0,0 1,1" class="line s0 d1"/>)");
  CHECK(cleaned_inside("<text x=\"1 2\">a<!-- x --><tspan>&#x3bb;&amp;</tspan> b</text>") ==
        "<text x=\"1 2\">a<tspan>λ&amp;</tspan> b</text>");
  // The page's rules for text would win over attributes: paint and text become styles.
  CHECK(
      cleaned_inside("<text fill='#F00' font-size='8' style='fill: rgb(1, 2, 3); opacity:.5'/>") ==
      R"(<text style="fill:rgb(1, 2, 3);font-size:8px;opacity:.5;"/>)");
  CHECK(svg::cleaned("<svg viewBox='0 0 2 1' width='200' height='100'/>") ==
        R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1" width="200" height="100"/>)");
}

TEST_CASE("hostile pictures are refused, each with the place") {
  const std::string allowed =
      " is not allowed; these are: svg, g, path, rect, circle, ellipse, line, polyline, polygon, "
      "text, tspan, title, desc";
  const std::pair<std::string, std::string> hostile[] = {
      {picture("<script>alert(1)</script>"), "line 2, column 1: the element 'script'" + allowed},
      {picture("<SCRIPT/>"), "line 2, column 1: the element 'SCRIPT'" + allowed},
      {picture("<svg:script xmlns:svg='x'/>"),
       "line 2, column 1: the element 'svg:script'" + allowed},
      {"<svg viewBox='0 0 1 1' onload='alert(1)'/>",
       "line 1, column 24: the attribute 'onload' is not allowed"},
      {picture("<g\nONCLICK=\"alert(1)\"/>"),
       "line 3, column 1: the attribute 'ONCLICK' is not allowed"},
      {picture("<foreignObject><body xmlns='http://www.w3.org/1999/xhtml'/></foreignObject>"),
       "line 2, column 1: the element 'foreignObject'" + allowed},
      {picture("<image href='http://example.com/a.png'/>"),
       "line 2, column 1: the element 'image'" + allowed},
      {picture("<use xlink:href='#a'/>"), "line 2, column 1: the element 'use'" + allowed},
      {picture("<a href='javascript:alert(1)'><text>x</text></a>"),
       "line 2, column 1: the element 'a'" + allowed},
      {picture("<rect href='javascript:alert(1)'/>"),
       "line 2, column 7: the attribute 'href' is not allowed"},
      {picture("<animate attributeName='href' to='javascript:alert(1)'/>"),
       "line 2, column 1: the element 'animate'" + allowed},
      {picture("<style>@import 'http://example.com'</style>"),
       "line 2, column 1: the element 'style'" + allowed},
      {picture("<rect style='fill: url(http://example.com/a)'/>"),
       "line 2, column 7: the value 'url(http://example.com/a)' of 'fill' is not a colour: its "
       "name, #rrggbb, rgb(), hsl(), none or currentColor"},
      {picture("<rect fill='url(#a)'/>"),
       "line 2, column 7: the value 'url(#a)' of 'fill' is not a colour: its name, #rrggbb, rgb(), "
       "hsl(), none or currentColor"},
      {picture("<rect style='background: red'/>"),
       "line 2, column 7: the style 'background: red' is not allowed"},
      {picture("<rect id='evaluation'/>"), "line 2, column 7: the attribute 'id' is not allowed"},
      {picture("<rect class='headline'/>"),
       "line 2, column 7: the class 'headline' is not one that pages offer"},
      {"<!DOCTYPE svg [<!ENTITY a 'aaaa'>]>" + picture("&a;"),
       "line 1, column 1: a doctype is not allowed"},
      {picture("<text>&a;</text>"), "line 2, column 7: the entity '&a;' is not allowed"},
      {picture("<text>&#0;</text>"), "line 2, column 7: the entity '&#0;' is not allowed"},
      {picture("<text><![CDATA[<script>alert(1)</script>]]></text>"),
       "line 2, column 7: '<![CDATA[<script' is not allowed"},
      {picture("<?xml-stylesheet href='http://example.com'?>"),
       "line 2, column 1: '<?xml-stylesheet' is not allowed"},
      {picture("<title><b onclick='alert(1)'>x</b></title>"),
       "line 2, column 8: the element 'b'" + allowed},
      {picture("<title><g/></title>"), "line 2, column 8: the element 'g' must not be in 'title'"},
      {picture("<!--><script>alert(1)</script>-->"),
       "line 2, column 1: a comment must not contain --"},
      {picture("<rect x='1' x='2'/>"), "line 2, column 13: the attribute 'x' is there twice"},
      {picture("<rect x=1 onload=alert(1)/>"),
       "line 2, column 9: the value of an attribute must be in quotes"},
      {picture("<rect/onload='alert(1)'/>"), "line 2, column 6: an attribute is expected here"},
      {picture("<g></rect>"), "line 2, column 4: </g> is expected here"},
      {picture("<g>"), "line 2, column 4: </g> is expected here"},
      {picture("") + "<script/>", "line 2, column 7: there is more after </svg>"},
      {"<html>" + picture("") + "</html>", "line 1, column 1: the element 'html'" + allowed},
      {picture("<svg viewBox='0 0 1 1'/>"),
       "line 2, column 1: the element 'svg' must not be in 'svg'"},
      {"<svg/>", "line 1, column 1: the svg has no viewBox"},
      {"<svg viewBox='0 0 0 1'/>",
       "line 1, column 6: the viewBox must be four numbers: x, y, width and height, both above 0"},
      {"<svg xmlns='http://www.w3.org/1999/xhtml' viewBox='0 0 1 1'/>",
       "line 1, column 6: xmlns must be http://www.w3.org/2000/svg"},
      {picture("<path d='L1 2'/>"),
       "line 2, column 7: the value 'L1 2' of 'd' is not a path: commands such as M and L, each "
       "with its numbers"},
      {picture("<rect x='1e999'/>"),
       "line 2, column 7: the value '1e999' of 'x' is not numbers, with px, pt, em or % behind "
       "them or nothing"},
      {picture("\xff"), "line 2, column 1: the bytes are not UTF-8"},
      {picture(std::string(1, '\0')), "line 2, column 1: there is a control character"},
      {"", "line 1, column 1: it does not begin with <svg>"}};
  for (const auto& [svg, expected] : hostile) {
    CAPTURE(svg);
    CHECK(message(svg) == expected);
  }
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += "<g>";
  CHECK(message(picture(deep)) == "line 2, column 94: elements are more than 32 deep");
  CHECK(message(std::string(SvgPicture::most_bytes + 1, ' ')) ==
        "it has 262145 bytes; at most 262144 are allowed");
}

TEST_CASE("no change of a picture lets a script through") {
  const std::vector<std::string> parts = {"<script>alert(1)</script>",
                                          " onload='alert(1)'",
                                          "onclick=\"a\"",
                                          "<",
                                          ">",
                                          "\"",
                                          "'",
                                          "&",
                                          "<!--",
                                          "-->",
                                          "--!>",
                                          "]]>",
                                          "<![CDATA[",
                                          "<!DOCTYPE svg>",
                                          "<?xml ?>",
                                          "&lt;script&gt;",
                                          "&#x3c;",
                                          "&#60;",
                                          ";",
                                          "=",
                                          "/",
                                          "/>",
                                          "</svg>",
                                          "</title>",
                                          "<title>",
                                          "<style>",
                                          "<a ",
                                          " href='javascript:a'",
                                          "url(#a)",
                                          "url(http://e.com)",
                                          " style='",
                                          "fill:red",
                                          "\n",
                                          " ",
                                          "\xc3",
                                          "\xef\xbb\xbf",
                                          "<foreignObject>",
                                          "<svg:a/>",
                                          "<g>",
                                          "</g>",
                                          "<text>",
                                          "</text>",
                                          "<use href='#x'/>",
                                          " id='a'",
                                          " x='1'",
                                          " class='line s1'",
                                          "<!",
                                          "<b>",
                                          "\\",
                                          "`"};
  const std::string start = picture(
      "<title>one &amp; two</title><g transform='translate(1 2)' class=\"s1\"><rect x='1' y='2' "
      "width='3' height='4' fill='red'/><!-- c --><text style=\"font-size: 3; fill: #123\" "
      "x='1'>text<tspan dx='1'>&lt;b&gt;</tspan></text><path d='M0 0h1v1z'/></g>");
  REQUIRE(harm_in(svg::cleaned(start)).empty());
  Random random(7);
  std::size_t accepted = 0;
  for (int trial = 0; trial < 40000; ++trial) {
    std::string changed = start;
    for (std::uint64_t changes = 1 + random.below(3); changes > 0; --changes) {
      const std::size_t at = random.below(changed.size() + 1);
      switch (random.below(4)) {
        case 0:
          changed.insert(at, parts[random.below(parts.size())]);
          break;
        case 1:
          changed.erase(at, random.below(8));
          break;
        case 2:
          if (at < changed.size()) changed[at] = static_cast<char>(random.below(256));
          break;
        default:
          changed.insert(at, changed.substr(random.below(changed.size()), random.below(40)));
      }
      if (changed.empty()) changed = start;
    }
    std::string kept;
    try {
      kept = svg::cleaned(changed);
    } catch (const Error&) {
      continue;
    }
    ++accepted;
    const std::string harm = harm_in(kept);
    if (!harm.empty() || svg::cleaned(kept) != kept) {
      CAPTURE(changed);
      CAPTURE(kept);
      CHECK(harm == "");
      CHECK(svg::cleaned(kept) == kept);
    }
  }
  CHECK(accepted > 1000);
}

}  // namespace semblance::svg_picture_test
