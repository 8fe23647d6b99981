# SPDX-License-Identifier: Apache-2.0
# What depends on the machine that builds the user's program, for an interface target. Used by the
# build tree and by the installed package; the rest of the target's properties are exported.
macro(situ_settings target)
  # CUDA units need C++20, which CMake can ask of nvcc from 3.26 on.
  if(CMAKE_VERSION VERSION_LESS 3.26)
    target_compile_options(
      ${target} INTERFACE $<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-std=c++20>>)
  else()
    target_compile_features(${target} INTERFACE $<BUILD_INTERFACE:cuda_std_20>)
  endif()

  # The host engine runs on OpenMP's threads when there is OpenMP, else on those of the standard
  # library. CMake's own OpenMP target covers C++ only, hence the option for CUDA units.
  find_package(Threads QUIET)
  if(Threads_FOUND)
    target_link_libraries(${target} INTERFACE $<BUILD_INTERFACE:Threads::Threads>)
  endif()
  if(NOT DEFINED SITU_USE_OPENMP OR SITU_USE_OPENMP)
    find_package(OpenMP QUIET COMPONENTS CXX)
    if(OpenMP_CXX_FOUND)
      target_link_libraries(${target} INTERFACE $<BUILD_INTERFACE:OpenMP::OpenMP_CXX>)
      target_compile_options(
        ${target}
        INTERFACE $<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-fopenmp>>)
    endif()
  endif()
endmacro()
