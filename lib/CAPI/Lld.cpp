// Lld.cpp - lld's ELF linker as a C function; it has no C entry of its own.
#include "../Target/Lld.h"
#include "lld/Common/Driver.h"
#include <cstring>
#include <shared_mutex>
#include <string>

LLD_HAS_DRIVER(elf)

namespace {
std::shared_mutex &switches() {
  static std::shared_mutex mutex;
  return mutex;
}
} // namespace

void tileLldHold(void) { switches().lock_shared(); }
void tileLldRelease(void) { switches().unlock_shared(); }

bool tileLldLink(const char *const *args, size_t numArgs, char **out_text) {
  // lld keeps one context per process: one link at a time, and none after one that it could not clean up.
  static bool usable = true;
  std::lock_guard<std::shared_mutex> lock(switches());
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
