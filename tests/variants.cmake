# SPDX-License-Identifier: Apache-2.0
# The topics whose results must not depend on the instruction set, and the sanitizers.
include(CheckCXXCompilerFlag)
include(CheckCXXSourceRuns)

function(situ_add_variant_topics variant wanted)
  foreach(topic IN LISTS wanted)
    if(topic IN_LIST topics)
      situ_add_topic(${topic} ${variant})
    endif()
  endforeach()
endfunction()

# AVX2 is chosen by hand; it must be known to the compiler and present in the machine.
check_cxx_source_runs(
  "int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") ? 0 : 1; }"
  SITU_MACHINE_HAS_AVX2)
if(SITU_MACHINE_HAS_AVX2)
  situ_add_variant(_avx2 -mavx2 -mfma)
  situ_add_variant_topics(_avx2 "${SITU_VARIANT_TOPICS}")
else()
  situ_add_skipped(avx2 "this machine has no AVX2")
endif()

check_cxx_compiler_flag(-march=native SITU_HAS_MARCH_NATIVE)
if(SITU_HAS_MARCH_NATIVE)
  situ_add_variant(_native -march=native)
  situ_add_variant_topics(_native "${SITU_VARIANT_TOPICS}")
endif()

# A sanitizer needs its run-time library, which is a package of its own on some systems.
function(situ_add_sanitized variant sanitizers wanted)
  situ_sanitizer_flags(flags ${sanitizers})
  # ThreadSanitizer cannot see how the OpenMP run-time library synchronises and reports it.
  if(sanitizers STREQUAL "thread")
    list(APPEND flags -fno-openmp)
  endif()
  set(CMAKE_REQUIRED_FLAGS -fsanitize=${sanitizers})
  check_cxx_source_runs("int main() { return 0; }" SITU_RUNS${variant})
  if(SITU_RUNS${variant})
    situ_add_variant(${variant} ${flags})
    situ_add_variant_topics(${variant} "${wanted}")
  else()
    situ_add_skipped(sanitize${variant} "programs built with -fsanitize=${sanitizers} do not run here")
  endif()
endfunction()

set(sanitized_topics ${topics})
if(SITU_UNSANITIZED_TOPICS)
  list(REMOVE_ITEM sanitized_topics ${SITU_UNSANITIZED_TOPICS})
endif()
situ_add_sanitized(_asan address,undefined "${sanitized_topics}")
situ_add_sanitized(_tsan thread "${SITU_THREAD_TOPICS}")

# The same bits from another compiler: a build of its own, made and run by one ctest entry.
set(clang_topics)
foreach(topic IN LISTS SITU_VARIANT_TOPICS)
  if(topic IN_LIST topics)
    list(APPEND clang_topics ${topic})
  endif()
endforeach()
if(clang_topics AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  if(SITU_CLANGXX)
    list(JOIN clang_topics "\\;" clang_topics)
    add_test(
      NAME clang
      COMMAND
        ${CMAKE_CTEST_COMMAND} --build-and-test ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/clang
        --build-generator ${CMAKE_GENERATOR} --build-options -DCMAKE_BUILD_TYPE=Release
        -DCMAKE_CXX_COMPILER=${SITU_CLANGXX} -DCMAKE_CXX_FLAGS=-march=native
        "-DSITU_TEST_TOPICS=${clang_topics}" -DSITU_BUILD_EXAMPLES=OFF -DSITU_BUILD_BENCH=OFF
        -DSITU_BUILD_CUDA=OFF --test-command ${CMAKE_CTEST_COMMAND} --output-on-failure)
    set_tests_properties(clang PROPERTIES TIMEOUT 1500 PROCESSORS 2)
  else()
    situ_add_skipped(clang "clang++ was not found")
  endif()
endif()
