"""What the parts of the soak share: chance that a seed repeats, and the list of what struck."""
import ctypes, fcntl, os, random, signal, time

place = os.environ["SOAK_DIR"]


def calm():
    return os.path.exists(f"{place}/calm")


def chance(name):
    """The next draw of that name, counted over all processes."""
    with open(f"{place}/{name}.count", "a+") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        f.seek(0)
        n = int(f.read() or 0) + 1
        f.truncate(0)
        f.write(str(n))
    return random.Random(f"{os.environ['SOAK_SEED']} {name} {n}")


def struck(board, kind):
    with open(f"{place}/faults.log", "a") as f:
        f.write(f"{time.time_ns()} {board} {kind}\n")


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
