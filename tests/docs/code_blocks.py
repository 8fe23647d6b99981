# SPDX-License-Identifier: Apache-2.0
"""Compiles and runs the C++ of README.md and docs/, so that no page promises what does not work.

In a page, in this order:

  ```cpp ... ```            with an `int main(` it is a program of its own: built and run, and it must
                            return 0. Without one it is a fragment.
  ```text ... ```           right after a program: what the program prints.
  <!-- cpp ... -->          a fragment that readers do not see.
  <!-- refused: words -->   before a block: with all fragments before it, the block must not compile,
                            and the compiler's first lines must contain the words.

The fragments of a page together are one program: definitions stand at namespace scope, statements in
one function, in their order. It is compiled but not run.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import tempfile

FIRST_LINES = 5
HEADERS = ("cmath", "cstdint", "cstdio", "iostream", "optional", "span", "string", "tuple", "vector",
           "situ/situ.hpp")
PART = re.compile(r"^```(?P<kind>\w+)[^\n]*\n(?P<code>.*?)^```$"
                  r"|^<!-- cpp\n(?P<hidden>.*?)^-->$"
                  r"|^<!-- refused: (?P<words>.*?) -->$", re.MULTILINE | re.DOTALL)
DEFINITION = re.compile(r"(template|struct|class|enum|concept|using|inline|namespace|#include)\b")
COMMENTS = re.compile(r"\s*(//[^\n]*\n\s*)*")


class Check:
    """One program: its source, and what must become of it."""

    def __init__(self, name, source, run=False, prints=None, refused=None):
        self.name, self.source, self.run = name, source, run
        self.prints, self.refused = prints, refused


def joined(fragments):
    """One translation unit of fragments."""
    def is_definition(code):
        return DEFINITION.match(code, COMMENTS.match(code).end())
    outside = [f"#include <{header}>\n" for header in HEADERS] + ["using namespace situ;\n"]
    outside += [line + code for line, code in fragments if is_definition(code)]
    inside = [line + code for line, code in fragments if not is_definition(code)]
    return "".join(outside) + "void page() {\n" + "".join(inside) + "}\n"


def checks_of(path):
    """Everything that a page asks for."""
    text = path.read_text(encoding="utf-8")
    checks, fragments, words, program = [], [], None, None
    for part in PART.finditer(text):
        kind, number = part["kind"], text.count("\n", 0, part.start()) + 2
        line = f'#line {number} "{path.name}"\n'
        last, program = program, None
        if part["words"]:
            words = part["words"]
        elif kind == "text" and last:
            last.prints = part["code"]
        elif kind == "cpp" or part["hidden"]:
            code = part["hidden"] or part["code"]
            name = f"{path.name}:{number}"
            if words:
                checks.append(Check(name, joined(fragments + [(line, code)]), refused=words))
            elif "int main(" in code:
                program = Check(name, line + code, run=True)
                checks.append(program)
            else:
                fragments.append((line, code))
            words = None
    if fragments:
        checks.append(Check(path.name, joined(fragments)))
    return checks


def problem(check, compiler, include):
    """What is wrong with one program, or None."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "page.cpp"), pathlib.Path(folder, "page")
        source.write_text(check.source, encoding="utf-8")
        # Optimised, because functions that are inlined in vain take g++ longer than those that are used.
        flags = ["-O1", "-pthread", "-o", str(program)] if check.run else ["-fsyntax-only"]
        built = subprocess.run(
            [compiler, "-std=c++20", "-Wall", "-Wno-unused", "-Wno-psabi", "-Werror", "-I", str(include),
             *flags, str(source)],
            capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"})
        said = [line[:400] for line in built.stderr.splitlines() if line.strip()]
        if check.refused:
            if built.returncode == 0:
                return "compiles, and should not"
            beginning = "\n".join(said[:FIRST_LINES])
            absent = [w for w in check.refused.split(" ... ") if w not in beginning]
            return "the first lines lack " + "; ".join(absent) + "\n" + beginning if absent else None
        if built.returncode != 0:
            return "does not compile\n" + "\n".join(said[:20])
        if check.run:
            done = subprocess.run([str(program)], capture_output=True, text=True, check=False, timeout=60)
            if done.returncode != 0:
                return f"returns {done.returncode}\n{done.stdout}{done.stderr}"
            if check.prints is not None and done.stdout != check.prints:
                return "prints\n" + done.stdout
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", type=pathlib.Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("pages", type=pathlib.Path, nargs="+")
    options = parser.parse_args()

    checks = [check for page in options.pages for check in checks_of(page)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = list(pool.map(lambda c: problem(c, options.compiler, options.include), checks))
    for check, what in zip(checks, found):
        if what:
            print(f"{check.name}: {what}")
    good = sum(what is None for what in found)
    print(f"{good} of {len(checks)} programs as the pages say")
    return 0 if good == len(checks) and checks else 1


if __name__ == "__main__":
    raise SystemExit(main())
