# SPDX-License-Identifier: Apache-2.0
# Sets situ_cuda to whether CUDA units are built. The toolkit is looked for in PATH and where its
# packages put it; its absence is an error only when SITU_BUILD_CUDA is ON.
set(situ_cuda OFF)
if(SITU_BUILD_CUDA)
  include(CheckLanguage)
  find_program(SITU_NVCC nvcc PATHS /usr/local/cuda/bin DOC "The CUDA compiler")
  if(SITU_NVCC AND NOT CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER ${SITU_NVCC})
  endif()
  # Embedded PTX runs on every device from compute capability 8.0 on; real architectures can be added
  # with -DCMAKE_CUDA_ARCHITECTURES="80-virtual;90".
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-virtual)
  endif()
  if(CMAKE_CUDA_COMPILER OR SITU_BUILD_CUDA STREQUAL "ON")
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
      enable_language(CUDA)
      set(situ_cuda ON)
    endif()
  endif()
  if(NOT situ_cuda)
    if(NOT SITU_BUILD_CUDA STREQUAL "AUTO")
      message(FATAL_ERROR "situ: SITU_BUILD_CUDA is ON and no CUDA compiler was found; put nvcc in PATH")
    endif()
    message(STATUS "situ: no CUDA compiler found, the CUDA parts are left out")
  endif()
endif()
