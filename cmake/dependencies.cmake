# SPDX-License-Identifier: Apache-2.0
# What the tests, examples and benchmarks need. The system's package is taken when there is one;
# otherwise the source is fetched, which needs a network.
include(FetchContent)

# situ_need(<package> <debian package> <repository> <tag> [INCLUDE dir TARGET target])
# With INCLUDE the fetched headers become an imported target without running the package's own build.
macro(situ_need package debian repository tag)
  cmake_parse_arguments(situ_need "" "INCLUDE;TARGET" "" ${ARGN})
  if(NOT TARGET ${situ_need_TARGET})
    find_package(${package} QUIET CONFIG)
  endif()
  if(NOT TARGET ${situ_need_TARGET})
    message(STATUS "situ: ${package} is not installed, fetching it; without a network install ${debian}")
    FetchContent_Declare(${package} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON)
    if(situ_need_INCLUDE)
      string(TOLOWER ${package} situ_need_lower)
      FetchContent_GetProperties(${package})
      if(NOT ${situ_need_lower}_POPULATED)
        FetchContent_Populate(${package})
      endif()
      add_library(${situ_need_TARGET} INTERFACE IMPORTED GLOBAL)
      target_include_directories(
        ${situ_need_TARGET} INTERFACE ${${situ_need_lower}_SOURCE_DIR}/${situ_need_INCLUDE})
    else()
      FetchContent_MakeAvailable(${package})
    endif()
  endif()
endmacro()

macro(situ_need_doctest)
  situ_need(doctest doctest-dev https://github.com/doctest/doctest v2.4.11 INCLUDE . TARGET
            doctest::doctest)
endmacro()

macro(situ_need_cli11)
  situ_need(CLI11 libcli11-dev https://github.com/CLIUtils/CLI11 v2.4.2 INCLUDE include TARGET
            CLI11::CLI11)
endmacro()

macro(situ_need_fmt)
  set(FMT_INSTALL OFF)
  situ_need(fmt libfmt-dev https://github.com/fmtlib/fmt 10.2.1 TARGET fmt::fmt)
endmacro()

macro(situ_need_json)
  situ_need(nlohmann_json nlohmann-json3-dev https://github.com/nlohmann/json v3.11.3 INCLUDE
            single_include TARGET nlohmann_json::nlohmann_json)
endmacro()

macro(situ_need_benchmark)
  set(BENCHMARK_ENABLE_TESTING OFF)
  set(BENCHMARK_ENABLE_INSTALL OFF)
  situ_need(benchmark libbenchmark-dev https://github.com/google/benchmark v1.8.4 TARGET
            benchmark::benchmark)
endmacro()
