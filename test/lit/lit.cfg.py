# Configuration of lit: how a test file is run and what it may require.
#
# The build folder comes from lit.site.cfg.py when lit is started on it (`lit build/test/lit/Dialect/Tile`); started on
# the sources (`lit test/lit/Dialect/Tile/ops.mlir`) it is build/, or what TILE_BUILD says.
import os
import shutil
import sys

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
build = getattr(config, "tile_build", None) or os.environ.get("TILE_BUILD") or os.path.join(root, "build")
llvm = getattr(config, "tile_llvm_root", None) or "/usr/lib/llvm-22"
sys.path.insert(0, os.path.join(root, "scripts"))
import list_gpus  # noqa: E402

config.name = "tile"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".ttir", ".test", ".td"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.join(root, "test", "lit")
config.test_exec_root = os.path.join(build, "test", "lit")


def prepend_path(*folders):
    config.environment["PATH"] = os.pathsep.join([*folders, config.environment.get("PATH", "")])


# build/bin: tile-opt, tile-translate, tile-run, tile-cgen; LLVM's: FileCheck, not, count, split-file, llvm-mc.
prepend_path(os.path.join(build, "bin"), os.path.join(llvm, "bin"))
for name in ("CUDA_HOME", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "FAKEHIP_ARCH", "TMPDIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# %root: the checkout; %examples: its examples; %cc, %python: C compiler and interpreter; %data: files that several tests read; %build: the build folder.
config.substitutions += [
    ("%root", root),
    ("%examples", os.path.join(root, "examples")),
    ("%cc", getattr(config, "tile_c_compiler", None) or "clang-22"),
    ("%python", sys.executable),
    ("%data", os.path.join(root, "test", "data")),
    ("%build", build),
]


def find_ptxas():
    """The same places as the tools look at, in the same order."""
    cuda_home = os.environ.get("CUDA_HOME")
    folders = os.environ.get("PATH", "").split(os.pathsep)
    folders += [os.path.join(cuda_home, "bin")] if cuda_home else []
    folders += ["/usr/local/cuda/bin", os.path.join(build, "ptxas", "bin")]
    return shutil.which("ptxas", path=os.pathsep.join(folders))


ptxas = find_ptxas()
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
for driver in list_gpus.DRIVERS:
    if list_gpus.count_devices(driver) > 0:
        config.available_features.add(driver)

# amdexec executes AMD code objects on the CPU. It is no part of this repository; TILE_AMDEXEC names one if there is.
amdexec = os.environ.get("TILE_AMDEXEC")
if amdexec and os.access(amdexec, os.X_OK):
    config.available_features.add("amdexec")
    config.substitutions.append(("%amdexec", amdexec))
