# SPDX-License-Identifier: Apache-2.0
"""Each file must fail to compile and say the expected words early, and compile once it is cured.

The comment lines of a file say what is expected:

  // expect: words          must appear in the first five non-empty lines that the compiler prints
  // expect-gcc: words      the same for one compiler only (also -clang and -nvcc)
  // lines: 20              the words may come after the fifth line, for what is refused deep inside
  // nvcc: no               this file is not tried with nvcc, which takes seconds for each
  // case: NAME words       further mistakes in the same file: compiled with -DNAME, which must fail
                            with all `expect` words and these ones

The file itself is compiled without any -D only when it has no `case` line. With -DCURED it must
compile: so the mistake, and nothing else, is what the compiler refuses.
"""
import pathlib
import re
import sys

import compilers

FIRST_LINES = 5
DIRECTIVE = re.compile(r"//\s*(expect(?:-gcc|-clang|-nvcc)?|lines|nvcc|case):\s*(.*\S)\s*$")


class Snippet:
    """A file and what its comment lines ask for."""

    def __init__(self, path, kind):
        self.path = path
        self.expected = []
        self.cases = []
        self.skipped = False
        self.lines = FIRST_LINES
        text = path.read_text(encoding="utf-8").splitlines()
        self.source = {line.strip() for line in text}
        for line in text:
            found = DIRECTIVE.match(line)
            if not found:
                continue
            key, value = found.groups()
            if key in ("expect", "expect-" + kind):
                self.expected.append(value)
            elif key == "lines":
                self.lines = int(value)
            elif key == "nvcc":
                self.skipped = kind == "nvcc" and value == "no"
            elif key == "case":
                name, _, words = value.partition(" ")
                self.cases.append((name, words.strip()))

    def said(self, lines):
        """The beginning of what a compiler said, without the lines of the snippet that it quotes."""
        quoted = (re.sub(r"^\s*\d+ \| ", "", line).strip() for line in lines[:self.lines])
        return "\n".join(line for line in quoted if line not in self.source)

    def checks(self):
        """What to compile: (snippet, defines, expected words or None when it must compile)."""
        cases = self.cases or [(None, "")]
        for name, words in cases:
            yield self, [name] if name else [], self.expected + ([words] if words else [])
        yield self, ["CURED"], None


def problem(compiler, check):
    """What is wrong with one compilation, or None."""
    snippet, defines, expected = check
    good, lines = compiler.check(snippet.path, defines)
    if expected is None:
        return None if good else ("the cured twin does not compile", lines)
    if good:
        return "compiles, and should not", lines
    if not expected:
        return "has no `// expect:` line for this compiler", lines
    beginning = snippet.said(lines)
    absent = [words for words in expected if words not in beginning]
    if absent:
        return f"the first {snippet.lines} lines lack: " + "; ".join(absent), lines
    return None


def main():
    parser = compilers.parser(__doc__.splitlines()[0])
    parser.add_argument("--show", action="store_true", help="print what the compiler says")
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    compiler = compilers.Compiler(options.kind, options.compiler, options.include)

    snippets = [Snippet(path, options.kind) for path in options.files]
    for snippet in snippets:
        if snippet.skipped:
            print(f"left out with {options.compiler} by its own wish: {snippet.path.name}")
    checks = [check for snippet in snippets if not snippet.skipped for check in snippet.checks()]

    failures = 0
    results = compilers.run_all(lambda check: problem(compiler, check), checks, options.jobs)
    for (snippet, defines, expected), found in zip(checks, results):
        name = " ".join([snippet.path.name] + ["-D" + define for define in defines])
        if found:
            failures += 1
            print(f"{name}: {found[0]}")
            print("\n".join("  " + line for line in found[1][:FIRST_LINES + 10]))
        if options.show and expected is not None:
            print(f"--- {name}")
            print("\n".join(compiler.check(snippet.path, defines)[1][:FIRST_LINES]))
    print(f"{len(checks) - failures} of {len(checks)} compilations as expected with "
          f"{options.compiler}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
