// SPDX-License-Identifier: MIT
// Built twice, with another number each time.
extern "C" __attribute__((visibility("default"))) float semblance_test_shift() {
  return SEMBLANCE_TEST_SHIFT;
}
