// CodeGen.cpp - LLVM's code generation with fewer passes, as a C function; the C interface has all or none.
#include "../Target/CodeGen.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/CodeGenTargetMachineImpl.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <condition_variable>
#include <mutex>

using namespace llvm;

namespace {
/// Instruction selection alone is a step for subclasses.
struct Access : TargetPassConfig {
  static bool addSelection(TargetPassConfig &config) { return (config.*&Access::addCoreISelPasses)(); }
};

/// The steps of TargetPassConfig::addISelPasses and addMachinePasses. Each looks at the machine's level when it adds
/// its passes, so a step at level None adds those that are always needed.
bool addSteps(TargetPassConfig &config, TargetMachine &machine, legacy::PassManager &passes, bool loops) {
  CodeGenOptLevel level = machine.getOptLevel();
  passes.add(createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
  passes.add(createPreISelIntrinsicLoweringPass());
  passes.add(createExpandIRInstsPass(level));
  machine.setOptLevel(CodeGenOptLevel::None);
  config.addIRPasses();
  if (loops)
    machine.setOptLevel(level);
  config.addCodeGenPrepare();
  config.addPassesToHandleExceptions();
  config.addISelPrepare();
  machine.setOptLevel(level);
  if (Access::addSelection(config))
    return false;
  if (!loops) {
    config.disablePass(&MachineCSELegacyID);
    config.disablePass(&MachineSinkingLegacyID);
  }
  config.addMachinePasses();
  config.setInitialized();
  return true;
}

/// A switch of the whole process, which threads may want in either position: those who want the same go side by side, and who
/// waits for the other goes before who comes later.
class ReuseGuard {
  std::mutex turn, state;
  std::condition_variable left;
  unsigned users = 0;
  bool mode = true;

public:
  void enter(bool guarded) {
    std::lock_guard<std::mutex> next(turn);
    std::unique_lock<std::mutex> lock(state);
    if (mode != guarded)
      left.wait(lock, [this] { return users == 0; });
    mode = guarded;
    auto found = cl::getRegisteredOptions().find("enable-poison-reuse-guard");
    if (found != cl::getRegisteredOptions().end())
      static_cast<cl::opt<bool> *>(found->second)->setValue(guarded);
    ++users;
  }
  void leave() {
    std::lock_guard<std::mutex> lock(state);
    if (--users == 0)
      left.notify_all();
  }
};

ReuseGuard &reuseGuard() {
  static ReuseGuard guard;
  return guard;
}
} // namespace

void tileReuseGuardEnter(bool guarded) { reuseGuard().enter(guarded); }
void tileReuseGuardLeave(void) { reuseGuard().leave(); }

LLVMMemoryBufferRef tileGeneratePtx(LLVMTargetMachineRef machine, LLVMModuleRef module, bool loops) {
  auto &target = static_cast<CodeGenTargetMachineImpl &>(*reinterpret_cast<TargetMachine *>(machine));
  legacy::PassManager passes;
  TargetPassConfig *config = target.createPassConfig(passes);
  config->setDisableVerify(true);
  passes.add(config);
  auto *info = new MachineModuleInfoWrapperPass(&target);
  passes.add(info);
  SmallVector<char, 0> text;
  raw_svector_ostream out(text);
  if (!addSteps(*config, target, passes, loops) ||
      target.addAsmPrinter(passes, out, nullptr, CodeGenFileType::AssemblyFile, info->getMMI().getContext()))
    return nullptr;
  passes.add(createFreeMachineFunctionPass());
  passes.run(*unwrap(module));
  return wrap(new SmallVectorMemoryBuffer(std::move(text)));
}
