# unpack_ptxas.py WHEEL FOLDER - takes ptxas and its licence out of the wheel nvidia-cuda-nvcc: FOLDER/bin/ptxas.
import os
import sys
import zipfile


def main(wheel, folder):
    with zipfile.ZipFile(wheel) as archive:
        members = archive.namelist()
        programs = [name for name in members if name.endswith("/bin/ptxas")]
        if len(programs) != 1:
            sys.exit(f"unpack_ptxas: {wheel} has {len(programs)} programs named ptxas, expected 1")
        os.makedirs(os.path.join(folder, "bin"), exist_ok=True)
        target = os.path.join(folder, "bin", "ptxas")
        # Written aside and moved, so that an interrupted run leaves no half program.
        with open(target + ".part", "wb") as out:
            out.write(archive.read(programs[0]))
        os.chmod(target + ".part", 0o755)
        for name in members:
            if "license" in os.path.basename(name).lower():
                with open(os.path.join(folder, os.path.basename(name)), "wb") as out:
                    out.write(archive.read(name))
        os.replace(target + ".part", target)


main(*sys.argv[1:])
