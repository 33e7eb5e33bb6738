#!/usr/bin/env python3
"""An OpenOCD that is killed or hangs by chance."""
import os, signal, subprocess, sys, time
from faults import calm, chance, die_with_parent, struck

if sys.argv[1:] == ["--version"] or calm():
    os.execvp("openocd", ["openocd"] + sys.argv[1:])
rng = chance("openocd")
kind = rng.choices(["none", "killed", "hung"], [100, 5, 2])[0]
board = "right" if any("set BOARD right" in a for a in sys.argv) else "left"
if kind == "none":
    os.execvp("openocd", ["openocd"] + sys.argv[1:])
if kind == "hung":
    struck(board, "openocd-hung")
    time.sleep(600)
child = subprocess.Popen(["openocd"] + sys.argv[1:], preexec_fn=die_with_parent)
time.sleep(rng.uniform(0.05, 0.5))
child.kill()
child.wait()
struck(board, "openocd-killed")
os.kill(os.getpid(), signal.SIGKILL)
