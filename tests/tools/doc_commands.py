"""Prints each rtbench command that the documentation and the help texts show, as FILE: WORDS,
without comments, brackets of what may be left out, and what a shell does with its output.

usage: doc_commands.py RTBENCH FILE.md..."""
import re
import shlex
import subprocess
import sys

rtbench = sys.argv[1]


def help_of(*words):
    return subprocess.run([rtbench, "help", *words], capture_output=True, text=True, check=True).stdout


names = re.findall(r"^  (\w+) ", help_of().split("Commands:")[1].split("\n\n")[0], re.M)[:-1]  # the last one is help itself
command = re.compile(r"(?:^|[\s/'`\"(])rtbench ((?:%s)(?!\S).*)" % "|".join(names))


def code(text):
    """What stands in fenced blocks or between backticks, one command a line."""
    text = re.sub(r"\s*\\\n\s*|\n\s+(?=--)", " ", text)
    fenced = re.findall(r"^```.*?\n(.*?)^```", text, re.M | re.S)
    inline = re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    return "\n".join(fenced).split("\n") + [re.sub(r"\s+", " ", i) for i in inline]


def words(line):
    line = re.split(r"\s{2,}|\s#|'\s*}", line)[0]        # a comment or an explanation beside it
    line = re.sub(r"[\[\]]|\.\.\.", " ", line)
    out = []
    for word in shlex.split(line):
        if re.match(r"^([|;>&]|2>)", word):
            break
        out.append(word)
    return out


def show(source, lines):
    for line in lines:
        found = command.search(line)
        if found:
            print("%s:" % source, shlex.join(words(found.group(1))))


for path in sys.argv[2:]:
    show(path, code(open(path, encoding="utf-8").read()))
for name in names:
    show("help " + name, re.findall(r"^  rtbench .*", help_of(name), re.M))
