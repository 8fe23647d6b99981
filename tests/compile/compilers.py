# SPDX-License-Identifier: Apache-2.0
"""The compilers that the compile-only tests drive, and how each is asked to check a file."""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wshadow",
            "-Werror"]


class Compiler:
    """One compiler: kind is gcc, clang or nvcc, command the program."""

    def __init__(self, kind, command, include):
        self.kind = kind
        self.command = command
        self.include = include

    def arguments(self, defines, whole):
        """Everything but the file. nvcc cannot only check; PTX for one target is the quickest that
        it does. `whole` makes it compile for the host as well."""
        common = [self.command, "-std=c++20", "-I", str(self.include)]
        common += ["-D" + define for define in defines]
        if self.kind == "nvcc":
            return common + ["-x", "cu", "-Werror", "all-warnings", "-arch=compute_80",
                             "-c" if whole else "-ptx", "-o", "/dev/null"]
        return common + WARNINGS + ["-fno-diagnostics-color", "-fsyntax-only", "-x", "c++"]

    def check(self, file, defines=(), whole=False):
        """Compiles the file; returns whether that worked, and the non-empty lines it printed."""
        done = subprocess.run(self.arguments(defines, whole) + [str(file)], capture_output=True,
                              text=True, errors="replace", check=False,
                              env={**os.environ, "LC_ALL": "C"})
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        return done.returncode == 0, lines

    def check_text(self, text):
        """The same for a source given as text."""
        with tempfile.NamedTemporaryFile("w", suffix=".cpp") as file:
            file.write(text)
            file.flush()
            return self.check(file.name, whole=True)


def parser(description):
    """The options that every compile-only test takes."""
    result = argparse.ArgumentParser(description=description)
    result.add_argument("--kind", choices=["gcc", "clang", "nvcc"], required=True)
    result.add_argument("--compiler", required=True)
    result.add_argument("--include", type=pathlib.Path, required=True)
    result.add_argument("--jobs", type=int, default=2)
    return result


def run_all(work, items, jobs):
    """Calls work on each item, `jobs` at a time; yields the results in the order of the items."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(work, items)
