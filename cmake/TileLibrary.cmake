# Libraries are object collections; lib/CMakeLists.txt links them into libtile.so. A library is C unless it says otherwise.

set(TILE_C_WARNINGS -Wall -Wextra -Werror -Wno-unused-parameter)

# tile_add_library(NAME source...) - an object library that becomes part of libtile.so.
function(tile_add_library name)
  add_library(${name} OBJECT ${ARGN})
  target_compile_options(${name} PRIVATE
    $<$<COMPILE_LANGUAGE:C>:${TILE_C_WARNINGS}>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti -fno-exceptions -Wno-unused-parameter>)
  add_dependencies(${name} tile-headers)
  set_property(GLOBAL APPEND PROPERTY TILE_LIBRARIES ${name})
endfunction()
