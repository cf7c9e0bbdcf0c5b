// SPDX-License-Identifier: MIT
#include "semblance/date_numbers.hpp"

#include <doctest/doctest.h>

namespace date_numbers_test {

using namespace semblance;

namespace {

constexpr auto none = std::nullopt;

std::optional<std::array<float, 3>> day(const char* text, DateForm form = DateForm::day_first) {
  return date_numbers(text, form);
}

}  // namespace

TEST_CASE("a date is the days since 1970, the day of the year and the weekday") {
  using Numbers = std::array<float, 3>;
  CHECK(day("1970-01-01") == Numbers{0, 1, 4});
  CHECK(day("1969-12-31") == Numbers{-1, 365, 3});
  // Python: (date(2024, 5, 31) - date(1970, 1, 1)).days, timetuple().tm_yday, isoweekday()
  for (const char* text : {"2024-05-31", "2024/5/31", "31.5.2024", "31.05.24", "31/5/2024"})
    CHECK(day(text) == Numbers{19874, 152, 5});
  CHECK(day("5/31/2024", DateForm::month_first) == Numbers{19874, 152, 5});
  CHECK(day("2024-12-29") == Numbers{20086, 364, 7});
  CHECK(day("29.2.1900") == none);
  CHECK(day("29.2.2000") == Numbers{11016, 60, 2});
  CHECK(day("1.1.69") == Numbers{-365, 1, 3});
  CHECK(day("1.1.68") == day("2068-01-01"));
  CHECK(day("2024-05-31 12:00") == Numbers{19874.5F, 152, 5});
  CHECK(day("2024-05-31T18:00:00Z") == Numbers{19874.75F, 152, 5});
  CHECK(day("2024-05-31 06:00:00.000") == Numbers{19874.25F, 152, 5});
  CHECK(day("5/6/2024") != day("5/6/2024", DateForm::month_first));
  CHECK(day("5.6.2024") == day("5.6.2024", DateForm::month_first));
  CHECK(day("5-6-2024") == day("5-6-2024", DateForm::month_first));
}

TEST_CASE("other texts are no dates") {
  for (const char* text :
       {"", "2024", "2024-05", "2024-05-31-", "2024-13-01", "2024-05-32", "2024-00-10", "2024.5-31",
        "24-5-311", "x2024-05-31", "2024-05-31 ", "2024-05-31 12", "2024-05-31 24:00",
        "2024-05-31 12:60", "2024-05-31 12:30:15.", "2024-05-31 12:30+02:00", "12:30", "-024-05-31",
        "31.5.024"})
    CHECK_MESSAGE(day(text) == none, text);
}

TEST_CASE("names tell how dates are written") {
  for (const DateForm form : {DateForm::day_first, DateForm::month_first}) {
    std::vector<std::string> tails;
    for (const std::string& name : date_names("when", form)) {
      REQUIRE(name.starts_with("when="));
      tails.push_back(name.substr(5));
    }
    CHECK(form_of_dates(tails) == form);
    tails.pop_back();
    CHECK_FALSE(form_of_dates(tails));
  }
}

}  // namespace date_numbers_test
