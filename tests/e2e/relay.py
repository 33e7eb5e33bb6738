#!/usr/bin/env python3
"""A board's serial line that goes away in the midst of a case and comes back under another name.

    relay.py BOARD-SOCKET unix|pty NAME CASE ABSENT-MS

Relays between the board's socket and a port of its own making: a socket or a pseudo-terminal, of which
NAME is a symbolic link, as udev's by-id names are. When hello has been heard for the CASE-th time the port
is taken away, NAME with it, and ABSENT-MS later another one stands behind NAME. Each port is told as a line.
"""
import os, select, socket, sys, termios, time, tty

board_path, kind, name, case, absent_ms = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])


class Unix:
    def __init__(self, number):
        self.path = f"{name}-{number}"
        self.door = socket.socket(socket.AF_UNIX)
        self.door.bind(self.path)
        self.door.listen(1)
        self.host = None

    def watched(self):
        return [self.door] + ([self.host] if self.host else [])

    def read(self, ready):
        if ready is self.door:
            if self.host:
                self.host.close()
            self.host = self.door.accept()[0]
            return b""
        data = self.host.recv(4096)
        if not data:
            self.host.close()
            self.host = None
        return data

    def write(self, data):
        if self.host:
            self.host.sendall(data)

    def close(self):
        if self.host:
            self.host.close()
        self.door.close()
        os.unlink(self.path)


class Pty:
    def __init__(self, number):
        self.master, self.slave = os.openpty()  # the slave stays open: a port without a client is no hang-up
        tty.setraw(self.slave, termios.TCSANOW)
        self.path = os.ttyname(self.slave)

    def watched(self):
        return [self.master]

    def read(self, ready):
        return os.read(self.master, 4096)

    def write(self, data):
        os.write(self.master, data)

    def close(self):
        os.close(self.slave)
        os.close(self.master)


def appear(number):
    port = {"unix": Unix, "pty": Pty}[kind](number)
    if port.path in had:  # a pseudo-terminal that is free again; it stays taken, so that the next is another
        had.append(port)
        return appear(number)
    had.append(port.path)
    os.symlink(port.path, name)
    print(f"port {number}: {port.path}", flush=True)
    return port


board = socket.socket(socket.AF_UNIX)
board.connect(board_path)
had = []
port, number, heard, tail = appear(1), 1, 0, b""
while True:
    for ready in select.select([board] + port.watched(), [], [])[0]:
        if ready is not board:
            data = port.read(ready)
            if data:
                board.sendall(data)
            continue
        data = board.recv(4096)
        if not data:
            sys.exit(0)
        port.write(data)
        seen = (tail + data).count(b'"t":"hello"')
        tail = (tail + data)[-10:]
        if seen and number == 1:
            heard += seen
            if heard >= case:
                port.close()
                os.unlink(name)
                time.sleep(absent_ms / 1000)
                number += 1
                port = appear(number)
                break
