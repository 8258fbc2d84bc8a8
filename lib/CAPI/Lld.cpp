// Lld.cpp - lld's ELF linker as a C function; it has no C entry of its own.
#include "../Target/Lld.h"
#include "lld/Common/Driver.h"
#include <cstring>
#include <mutex>
#include <string>

LLD_HAS_DRIVER(elf)

bool tileLldLink(const char *const *args, size_t numArgs, char **out_text) {
  // lld keeps one context per process: one link at a time, and none after one that it could not clean up.
  static std::mutex mutex;
  static bool usable = true;
  std::lock_guard<std::mutex> lock(mutex);
  std::string text;
  llvm::raw_string_ostream stream(text);
  bool linked = false;
  if (usable) {
    lld::Result result = lld::lldMain({args, numArgs}, stream, stream, {{lld::Gnu, &lld::elf::link}});
    usable = result.canRunAgain;
    linked = result.retCode == 0;
  } else {
    text = "an earlier link failed beyond recovery";
  }
  *out_text = strdup(text.c_str());
  return linked;
}
