# SPDX-License-Identifier: Apache-2.0
# ctest entries that run the compilers: headers alone, static tests, snippets that must not compile.
# Each is listed once for g++, clang++ and nvcc, as skipped where the compiler is missing.
file(GLOB static_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/static/*.cpp)
file(GLOB reject_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/reject/*.cpp)

function(situ_add_compile_tests kind compiler)
  foreach(test headers reject)
    if(NOT compiler)
      situ_add_skipped(${test}_${kind} "${kind} was not found")
      continue()
    endif()
    set(command ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/compile/${test}.py --kind ${kind}
                --compiler ${compiler} --include ${PROJECT_SOURCE_DIR}/include)
    if(test STREQUAL "reject")
      list(APPEND command ${reject_files})
    elseif(kind STREQUAL "nvcc")
      # nvcc takes seconds for a file, so that only the whole is tried with it.
      list(APPEND command --header situ/situ.hpp --static ${static_files})
    else()
      list(APPEND command --static ${static_files})
    endif()
    add_test(NAME ${test}_${kind} COMMAND ${command})
    set_tests_properties(${test}_${kind} PROPERTIES TIMEOUT 1200 PROCESSORS 2)
  endforeach()
endfunction()

situ_add_compile_tests(gcc "${SITU_GXX}")
situ_add_compile_tests(clang "${SITU_CLANGXX}")
if(situ_cuda)
  situ_add_compile_tests(nvcc ${CMAKE_CUDA_COMPILER})
else()
  situ_add_compile_tests(nvcc "")
endif()

if(SITU_GXX)
  add_test(NAME reject_driver
           COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/compile/self_test.py --kind gcc
                   --compiler ${SITU_GXX} --include ${PROJECT_SOURCE_DIR}/include)
endif()
