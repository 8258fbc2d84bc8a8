# list_gpus.py - prints `cuda` and `hip`, each on a line, for the drivers of this machine that offer a device.
import ctypes

DRIVERS = {
    "cuda": ("libcuda.so.1", "cuInit", "cuDeviceGetCount"),
    "hip": ("libamdhip64.so", "hipInit", "hipGetDeviceCount"),
}


def count_devices(name):
    """Devices that a driver offers; 0 when its library is absent or does not start."""
    library, init, count = DRIVERS[name]
    try:
        driver = ctypes.CDLL(library)
        devices = ctypes.c_int(0)
        if getattr(driver, init)(0) != 0 or getattr(driver, count)(ctypes.byref(devices)) != 0:
            return 0
        return devices.value
    except (OSError, AttributeError):
        return 0


if __name__ == "__main__":
    for driver in DRIVERS:
        if count_devices(driver) > 0:
            print(driver)
