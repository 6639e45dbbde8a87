# The module `engine`: all that needs libtorch, Gloo or MPI, and the program sextant-worker.
find_package(Torch REQUIRED)

file(GLOB transports CONFIGURE_DEPENDS runtime/engine/transports/*.cpp)
target_sources(sextant_engine PRIVATE ${transports})
target_include_directories(sextant_engine PRIVATE runtime/engine/src)
target_include_directories(sextant_engine SYSTEM PRIVATE ${TORCH_INCLUDE_DIRS})
target_link_libraries(sextant_engine PRIVATE ${TORCH_LIBRARIES} ${SEXTANT_GLOO} MPI::MPI_CXX)

add_executable(sextant-worker runtime/engine/main/worker.cpp)
target_link_libraries(sextant-worker PRIVATE sextant_engine)
# MPI names its folder itself: there is nothing to change when the program is installed.
set_target_properties(sextant-worker PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR} BUILD_WITH_INSTALL_RPATH ON)
# Tests of measuring, and of the command, start real workers. Not under sanitizers, which libtorch is not built for:
# there these tests are skipped.
if(NOT SEXTANT_SANITIZE)
  foreach(tests measure_tests cli_tests study_tests)
    if(TARGET ${tests})
      add_dependencies(${tests} sextant-worker)
    endif()
  endforeach()
endif()
