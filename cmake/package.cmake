# `make deb`: two Debian packages. What trains needs libtorch, half a gigabyte of it, and most commands never train.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sextant)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The authors of Sextant <sextant@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "how long, on which machines, at what cost neural networks train")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program worker)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # dependencies are read from the programs
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS OFF)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME sextant)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Times, memory and costs of training steps on GPUs and cloud machines,
advice which machines to rent, simulation of shared clusters, and searches for
good configurations.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS libpq5)  # loaded on demand, for studies in PostgreSQL
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS sextant-worker)

set(CPACK_DEBIAN_WORKER_PACKAGE_NAME sextant-worker)
set(CPACK_COMPONENT_WORKER_DESCRIPTION "The program that trains: 'sextant measure' and 'sextant calibrate'
start it on each worker.")
set(CPACK_DEBIAN_WORKER_PACKAGE_RECOMMENDS "libopenblas0-pthread, openmpi-bin")
set(CPACK_DEBIAN_WORKER_PACKAGE_DEPENDS "sextant (= ${PROJECT_VERSION})")
include(CPack)
