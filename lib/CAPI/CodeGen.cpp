// CodeGen.cpp - LLVM's code generation with fewer passes, as a C function; the C interface has all or none.
#include "../Target/CodeGen.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/CodeGenTargetMachineImpl.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

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
} // namespace

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
