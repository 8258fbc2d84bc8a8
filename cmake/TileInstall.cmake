# `cmake --install BUILD --prefix PREFIX`: the three tools, the two libraries, the headers, and a package for find_package(Tile).
include(CMakePackageConfigHelpers)

foreach(library tile tile_rt tile_rt_static)
  target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:include>)
endforeach()
# lib, whatever the system calls it: tile-run looks for libtile.so in ../lib.
install(TARGETS tile-opt tile-translate tile-run RUNTIME DESTINATION bin)
install(TARGETS tile tile_rt tile_rt_static EXPORT TileTargets LIBRARY DESTINATION lib ARCHIVE DESTINATION lib)
install(DIRECTORY include/tile-c ${CMAKE_BINARY_DIR}/include/tile-c DESTINATION include FILES_MATCHING PATTERN "*.h")
install(DIRECTORY include/tile DESTINATION include FILES_MATCHING PATTERN "*.td")
install(FILES LICENSE README.md DESTINATION share/doc/tile)
install(DIRECTORY docs examples DESTINATION share/doc/tile)

install(EXPORT TileTargets NAMESPACE Tile:: DESTINATION lib/cmake/Tile)
file(WRITE ${CMAKE_BINARY_DIR}/generated/TileConfig.cmake
  "# Tile::tile is the compiler, Tile::tile_rt and Tile::tile_rt_static launch what it compiled.\n"
  "include(\"\${CMAKE_CURRENT_LIST_DIR}/TileTargets.cmake\")\n")
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/TileConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/generated/TileConfig.cmake ${CMAKE_BINARY_DIR}/generated/TileConfigVersion.cmake
  DESTINATION lib/cmake/Tile)
