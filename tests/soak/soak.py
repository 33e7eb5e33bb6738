#!/usr/bin/env python3
"""A sweep on two virtual boards on which everything goes wrong by chance, against one on which
nothing does.

What goes wrong: the board hangs, resets itself, dies; its line brings garbage, loses bytes, is
closed and opened under another name; OpenOCD is killed or hangs; another program holds the
database; rtbench is killed with SIGKILL and resumed. At the end every run that was planned must
be there once as complete, with the figures of the calm sweep to the last digit.

  SOAK_SEED      repeats the draws (not the moments at which they meet the sweep)
  SOAK_REPEATS   passes of each of the four cells (125: 500 runs)
  SOAK_CALM      passes of the calm sweep (as many): fewer for a quick look, then a run is compared
                 with the calm one of its number modulo these
  SOAK_KILLS     how often rtbench is killed (100)
"""
import os, random, re, shutil, signal, sqlite3, statistics, subprocess, sys, tempfile, threading, time
from collections import Counter, defaultdict

here, src, build = os.path.dirname(os.path.abspath(__file__)), os.environ["RTB_SRCDIR"], os.environ["RTB_BUILDDIR"]
seed = os.environ.get("SOAK_SEED") or str(random.randrange(10**6))
repeats, kills_wanted = int(os.environ.get("SOAK_REPEATS", 125)), int(os.environ.get("SOAK_KILLS", 100))
calm_repeats = int(os.environ.get("SOAK_CALM", repeats))
place = tempfile.mkdtemp(prefix="rtbench-soak-")
env = dict(os.environ, SOAK_DIR=place, SOAK_SEED=seed, SOAK_VBOARD=f"{build}/rtbench-vboard", RTBENCH_HOME=src,
           RTBENCH_LOCK_DIR=place, XDG_RUNTIME_DIR=place, PYTHONDONTWRITEBYTECODE="1")
rng = random.Random(seed + " driver")
db = f"{place}/r.db"

TARGET = f"""base = "gd32f103cbt6"
time_base = "virtual"
[link]
spec = "unix:{{serial}}"
open_wait_ms = 5000
[service]
command = ["{here}/board.py", "{{board}}", "--mcu", "gd32f103cb", "--bitbang", "unix:{{debug}}", "--serial", "unix:{{serial}}"]
[openocd]
program = "{here}/openocd.py"
probe_usb = ""
config = ["{src}/targets/virtual-gd32f103/openocd.cfg"]
before = ["set RTBENCH_BITBANG {{debug}}", "set BOARD {{board}}"]
flash_timeout_ms = 15000
[limits]
heartbeat_ms = 4000
"""
PROJECT = """[matrix]
target = ["v"]
kernel = ["bare", "mini"]
opt = ["O2", "Os"]
case = ["yield", "sem_wake", "queue_wake", "isr_to_task"]
samples = 10000
repeat = %d
[[board]]
name = "left"
target = "v"
[[board]]
name = "right"
target = "v"
[store]
db = "r.db"
work = "work"
[build]
jobs = 1
[retry]
attempts = 3
backoff_ms = 50
set_aside = 4
"""


def query(sql, *args):
    with sqlite3.connect(f"file:{db}?mode=ro", uri=True, timeout=60) as c:
        return c.execute(sql, args).fetchall()


def rtbench(*args, **kw):
    return subprocess.Popen([f"{build}/rtbench", "run", "-q", *args], cwd=place, env=env, stdin=subprocess.DEVNULL,
                            stdout=open(f"{place}/out", "a"), stderr=subprocess.STDOUT, **kw)


def figures(sweep):
    """By cell, repeat and series; of complete runs."""
    out = defaultdict(list)
    for row in query("""select kernel, opt, repeat, "case", series, n, min, max, mean, p50, p99, imax from v_record
                        where sweep = ? and status = 'ok'""", sweep):
        out[row[:5]].append(row[5:])
    return out


def done(sweep):
    return {r for r, in query("""select kernel || ' ' || opt || ' ' || repeat from v_run where sweep = ? and status = 'ok'""", sweep)}


def hold_database(stop):
    """As a program does that looks at the results with a transaction open."""
    draw = random.Random(seed + " lock")
    while not stop.wait(draw.uniform(5, 30)):
        try:
            with sqlite3.connect(db, timeout=10, isolation_level=None) as c:
                c.execute("begin exclusive")
                with open(f"{place}/faults.log", "a") as f:
                    f.write(f"{time.time_ns()} - database-locked\n")
                time.sleep(draw.uniform(0.5, 9))
                c.execute("rollback")
            c.close()
        except sqlite3.OperationalError:
            pass  # somebody else had it: next time


def calm_sweep():
    open(f"{place}/calm", "w").close()
    began = time.time()
    p = rtbench("--matrix", "--repeat", str(calm_repeats))
    assert p.wait() == 0, open(f"{place}/out").read()
    os.unlink(f"{place}/calm")
    print(f"calm sweep: {len(done(1))} runs, {time.time() - began:.0f} s", flush=True)


def storm():
    kills = rounds = 0
    before, how, rc = set(), ["--matrix"], None
    codes = Counter()
    while kills < kills_wanted or rc != 0:
        rounds += 1
        assert rounds < 20 * kills_wanted + 50, "it comes to no end"
        p = rtbench(*how)
        try:
            # every moment of start, work and end has its turn
            rc = p.wait(timeout=rng.choice([rng.uniform(0, 1), rng.uniform(0, 12)]) if kills < kills_wanted else 3600)
        except subprocess.TimeoutExpired:
            struck = time.time_ns()
            p.kill()
            rc = p.wait()
            kills += 1
            with open(f"{place}/faults.log", "a") as f:
                f.write(f"{struck} - rtbench-killed\n")
        codes[rc] += 1
        assert rc in (0, -9, 6, 7, 8), f"exit code {rc}: see {place}/out"
        assert query("pragma integrity_check") == [("ok",)]
        if query("select 1 from sweep where id = 2"):
            how = ["--resume=2"]
        now = done(2)
        assert before <= now, f"lost: {sorted(before - now)}"
        before = now
    return kills, rounds, codes


def left_over():
    """Processes of this soak that are still there; others' cannot be looked at, and are not ours."""
    found = []
    for p in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{p}/environ", "rb") as f:
                ours = f"SOAK_DIR={place}".encode() in f.read().split(b"\0")
        except OSError:
            continue
        if ours:
            found.append(int(p))
    return found


def detections():
    """For each fault the run in which it was noticed: how long that took, what it cost, and as what."""
    runs = query("""select r.started_ns, r.ended_ns, r.status, coalesce(p.board, ''), coalesce(r.error, '') from run r
                    join v_provenance p on p.run = r.id where r.sweep_id = 2 order by r.ended_ns""")
    out, nothing = defaultdict(list), Counter()
    for line in open(f"{place}/faults.log"):
        at, board, kind = line.split()
        hit = [r for r in runs if r[0] <= int(at) <= r[1] and r[2] != "ok" and r[3] in (board, "")]
        if hit:
            out[kind].append(((hit[0][1] - int(at)) / 1e9, (hit[0][1] - hit[0][0]) / 1e9, hit[0][2], hit[0][4]))
        else:
            nothing[kind] += 1
    return out, nothing


def print_times(found, nothing):
    print(f"\n{'fault':18} {'struck':>6} {'failed a run':>12} {'noticed after, s (median, most)':>32} {'seconds lost (mean)':>20}")
    for kind in sorted(set(found) | set(nothing)):
        f = found[kind]
        late = [x[0] for x in f]
        times = f"{statistics.median(late):.1f}, {max(late):.1f}" if f else "-"
        cost = f"{statistics.mean(x[1] for x in f):.1f}" if f else "-"
        print(f"{kind:18} {len(f) + nothing[kind]:6} {len(f):12} {times:>32} {cost:>20}")


def print_messages(found, nothing):
    """As what each fault was stored, with the shortest text and the exit code of that status."""
    exits = dict(re.findall(r'^X\(\w+, *"([^"]+)", *(\d+)', open(f"{src}/src/base/status.def").read(), re.M))
    print(f"\n{'fault':18} {'runs':>4}  {'status':18} {'exit':>4}  message (the shortest of them)")
    for kind in sorted(set(found) | set(nothing)):
        for word, n in Counter(x[2] for x in found[kind]).most_common():
            text = min((x[3] for x in found[kind] if x[2] == word), key=len)
            print(f"{kind:18} {n:4}  {word:18} {exits[word]:>4}  {text.replace(place, '')}")
        if nothing[kind]:
            print(f"{kind:18} {nothing[kind]:4}  no run failed")


def compare():
    """Each run with the calm one of the same cell and repeat. Returns what is wrong."""
    calm, rough = figures(1), figures(2)
    want = {k: calm.get((*k[:2], (k[2] - 1) % calm_repeats + 1, *k[3:])) for k in rough}
    wrong = [k for k, rows in rough.items() if rows != want[k]]
    twice = [k for k, rows in rough.items() if len(rows) != 1]
    missing = [k for k in calm if k[2] <= repeats and k not in rough]
    own = "with the calm run of the same number" if calm_repeats == repeats else f"with one of {calm_repeats} calm ones"
    print(f"figures: {len({k[:3] for k in rough})} runs compared, each {own}: {len(rough)} series, {len(wrong)} differ, "
          f"{len(missing)} missing, {len(twice)} there more than once")
    return wrong + twice + missing + ([] if rough else ["nothing"])


def report(kills, rounds, codes, seconds):
    planned = 4 * repeats
    runs = Counter(s for s, in query("select status from run where sweep_id = 2"))
    tries = Counter(n for n, in query("select count(*) from v_run where sweep = 2 and status <> 'not run' group by kernel, opt, repeat"))
    lost = planned - len(done(2))
    print(f"seed {seed}: {planned} runs on two boards, {seconds:.0f} s, {kills} kills in {rounds} starts")
    print(f"completed {planned - lost}, at the first try {tries[1]}, after more {sum(tries.values()) - tries[1]}, "
          f"set aside for a while {runs['not run']}, lost {lost}")
    print("runs stored: " + ", ".join(f"{n} {s}" for s, n in runs.most_common()))
    print("exit codes: " + ", ".join(f"{c}: {n}" for c, n in sorted(codes.items())))
    wrong = compare()
    found, nothing = detections()
    print_times(found, nothing)
    print_messages(found, nothing)
    return not (lost or wrong)


def main():
    os.makedirs(f"{place}/targets/v")
    open(f"{place}/targets/v/target.toml", "w").write(TARGET)
    open(f"{place}/rtbench.toml", "w").write(PROJECT % repeats)
    print(f"seed {seed}, in {place}", flush=True)
    calm_sweep()
    stop = threading.Event()
    locker = threading.Thread(target=hold_database, args=(stop,))
    locker.start()
    began = time.time()
    try:
        kills, rounds, codes = storm()
    finally:
        stop.set()
        locker.join()
    good = report(kills, rounds, codes, time.time() - began)
    time.sleep(1)
    remains = left_over()
    if remains:
        print(f"processes left behind: {remains}")
    if not good or remains:
        print(f"NOT GOOD; everything is in {place}")
        return 1
    shutil.rmtree(place)
    return 0


sys.exit(main())
