// SPDX-License-Identifier: MIT
#include "conformance/check.hpp"

#include "semblance/error.hpp"

namespace semblance::conformance {

Finding run(const Check& check) {
  try {
    check.run();
    return {};
  } catch (const NotApplicable& reason) {
    return {Verdict::not_applicable, reason.what()};
  } catch (const Remark& remark) {
    return {Verdict::remark, remark.what()};
  } catch (const Failed& failure) {
    return {Verdict::failed, failure.what()};
  } catch (const Error& error) {
    return {Verdict::failed, std::string("it threw the error: ") + error.what()};
  } catch (const std::exception& other) {
    return {Verdict::failed,
            std::string("it threw an exception that is not a semblance::Error: ") + other.what()};
  } catch (...) {
    return {Verdict::failed, "it threw an object that is not a std::exception"};
  }
}

}  // namespace semblance::conformance
