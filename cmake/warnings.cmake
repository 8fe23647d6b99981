# SPDX-License-Identifier: Apache-2.0
option(SITU_WARNINGS_AS_ERRORS "A warning in situ's own tests, examples and benchmarks is an error" ON)

# -Wno-psabi: g++'s notes about a vector ABI that changed in version 4.6 concern no one here.
set(situ_warning_flags -Wno-psabi -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow)
if(SITU_WARNINGS_AS_ERRORS)
  list(APPEND situ_warning_flags -Werror)
endif()

# Linked by what this repository builds for itself, never by situ::situ.
add_library(situ_warnings INTERFACE)
target_compile_options(
  situ_warnings
  INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:${situ_warning_flags}>"
            $<$<AND:$<BOOL:${SITU_WARNINGS_AS_ERRORS}>,$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>>:-Werror=all-warnings>)
