# SPDX-License-Identifier: Apache-2.0
# Functions that turn test folders into executables and ctest entries.

# A test that cannot run here: listed as skipped, with the reason as its output.
function(situ_add_skipped name reason)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${reason}")
  set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: ")
endfunction()

# Flags for a comma-separated list of sanitizers. Every finding ends the test with a failure.
function(situ_sanitizer_flags result sanitizers)
  set(${result} -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1 -O1
      PARENT_SCOPE)
endfunction()

# A variant is a set of compile and link flags. Its doctest main and precompiled doctest header are
# built once with the same flags, because a sanitizer must see the whole program.
function(situ_add_variant variant)
  set(base test_base${variant})
  add_library(${base} OBJECT ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/main.cpp)
  target_compile_features(${base} PUBLIC cxx_std_20)
  target_compile_options(${base} PUBLIC ${ARGN})
  target_link_options(${base} PUBLIC ${ARGN})
  target_link_libraries(${base} PUBLIC doctest::doctest Threads::Threads)
endfunction()

# situ_add_topic(<folder> <variant>): the executable test_<folder><variant> and its ctest entry.
function(situ_add_topic topic variant)
  set(name test_${topic}${variant})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${topic}/*.cpp)
  # Families of metrics and recorded answers take a quarter of an hour to compile under a sanitizer and reach
  # little code that other tests do not; `run.sh --sanitize` has them all.
  if(variant MATCHES "san$")
    list(FILTER sources EXCLUDE REGEX "golden|/classification_|/regression_")
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE situ::situ situ_warnings test_base${variant})
  target_precompile_headers(${name} PRIVATE <doctest/doctest.h>)
  # Tests find their data and write their files relative to these two folders.
  target_compile_definitions(${name} PRIVATE
    SITU_TEST_SOURCE_DIR="${CMAKE_CURRENT_FUNCTION_LIST_DIR}"
    SITU_TEST_BINARY_DIR="${CMAKE_CURRENT_BINARY_DIR}")
  add_test(NAME ${topic}${variant} COMMAND ${name} --no-intro)
  set_tests_properties(${topic}${variant} PROPERTIES TIMEOUT 600 ENVIRONMENT
    "ASAN_OPTIONS=detect_stack_use_after_return=1;UBSAN_OPTIONS=print_stacktrace=1;TSAN_OPTIONS=halt_on_error=1")
endfunction()
