#!/usr/bin/env python3
"""A board that goes wrong by chance: rtbench-vboard behind a relay of its serial line.

Stands in target.toml as the board's [service]. What goes wrong is drawn from the seed and the
number of the start, so that a seed gives the same faults in the same order; every fault that
strikes is written with its time to faults.log.
"""
import os, select, signal, socket, subprocess, sys, threading, time
from faults import calm, chance, die_with_parent, place, struck

board, args = sys.argv[1], sys.argv[2:]
serial = args[args.index("--serial") + 1][len("unix:"):]
rng = chance("board")
kind = "none" if calm() else rng.choice(["hang", "reset", "garbage", "drop", "rename", "die", "none"])
session = rng.randint(1, 6)
chip = f"{place}/chip-{os.getpid()}"
args[args.index("--serial") + 1] = f"unix:{chip}"

# The debugger itself makes two restarts; the third is the one after three cases, in which the
# fourth measures from some 3 to 5 million cycles on. A board that hangs does so there, or before
# it has said anything.
aim = f"{rng.randint(3100000, 4600000)},session={session},restart=3"
if kind == "hang" and rng.random() < 0.5:
    aim = f"{rng.randint(200000, 900000)},session={session},restart=2"
if kind in ("hang", "reset"):
    args += ["--verbose", "--fault", f"{kind}@{aim}"]
vboard = subprocess.Popen([os.environ["SOAK_VBOARD"]] + args, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          preexec_fn=die_with_parent)


def watch():
    for line in vboard.stderr:
        if b"strikes" in line:
            struck(board, kind)
        sys.stderr.buffer.write(line)
        sys.stderr.flush()


threading.Thread(target=watch, daemon=True).start()
ready = vboard.stdout.readline()


def listen():
    """Under a name that nobody has had; the name that rtbench knows points to it."""
    s = socket.socket(socket.AF_UNIX)
    path = f"{place}/line-{os.getpid()}-{time.time_ns()}"
    s.bind(path)
    s.listen(1)
    if os.path.lexists(serial):
        os.unlink(serial)
    os.symlink(path, serial)
    return s, path


def end(*_):
    vboard.terminate()
    vboard.wait()
    for p in (path, serial, chip):
        if os.path.lexists(p):
            os.unlink(p)
    os._exit(0)


door, path = listen()
signal.signal(signal.SIGTERM, end)
sys.stdout.buffer.write(ready)
sys.stdout.flush()

board_side = socket.socket(socket.AF_UNIX)
board_side.connect(chip)
host, passed, sent = None, 0, 0
# the byte at which the line goes wrong: a run of four short cases sends some 8 KB
when = (session - 1) * 8000 + rng.randint(100, 8000)
while True:
    watched = [door, board_side] + ([host] if host else [])
    for s in select.select(watched, [], [], 0.2)[0]:
        if s is door:
            new = door.accept()[0]
            if host:
                host.close()
            host = new
        elif s is host:
            data = host.recv(4096)
            if data:
                board_side.sendall(data)
            else:
                host.close()
                host = None
        elif s is board_side:
            data = board_side.recv(4096)
            if not data:
                end()
            before, passed = passed, passed + len(data)
            if before < when <= passed and host and kind in ("garbage", "drop", "rename", "die"):
                struck(board, kind)
                if kind == "garbage":
                    data = rng.randbytes(len(data) + 200)
                elif kind == "drop":
                    data = data[: len(data) // 2]
                elif kind == "die":
                    vboard.kill()
                    os._exit(1)
                elif kind == "rename":
                    host.close()
                    host = None
                    door.close()
                    os.unlink(path)
                    os.unlink(serial)
                    time.sleep(0.5)
                    door, path = listen()
            if host:
                try:
                    host.sendall(data)
                except OSError:
                    host.close()
                    host = None
    if vboard.poll() is not None:
        end()
