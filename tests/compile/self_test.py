# SPDX-License-Identifier: Apache-2.0
"""The driver of the reject tests must itself notice everything that can be wrong with a snippet."""
import pathlib
import sys
import tempfile

import compilers
import reject

# What the snippet is, its text, and the words that the driver's complaints must contain (None: none).
SNIPPETS = [
    ("a good snippet", "// expect: no good\n#ifndef CURED\n#error no good\n#endif\nint x;\n", None),
    ("a mistake that compiles", "// expect: no good\nint x;\n", "compiles, and should not"),
    ("another message", "// expect: no good\n#ifndef CURED\n#error very bad\n#endif\nint x;\n",
     "the first 5 lines lack: no good"),
    ("a cure that does not cure", "// expect: no good\n#error no good\n",
     "the cured twin does not compile"),
    ("nothing expected", "#ifndef CURED\n#error no good\n#endif\nint x;\n", "has no `// expect:` line"),
    ("a sentence that comes late", "// expect: no good\n#ifndef CURED\n#error 1\n#error 2\n#error 3\n"
     "#error 4\n#error 5\n#error 6\n#error no good\n#endif\nint x;\n", "the first 5 lines lack"),
    ("words in the quoted source only", "// expect: no good\n#ifndef CURED\nint no_good = no good;\n"
     "#endif\nint x;\n", "the first 5 lines lack"),
    ("one good and one bad case", "// case: A no\n// case: B no\n#ifdef A\n#error no\n#endif\nint x;\n",
     "compiles, and should not"),
    ("words for another compiler only", "// expect-nvcc: no good\n#ifndef CURED\n#error no good\n#endif\n"
     "int x;\n", "has no `// expect:` line"),
]


def complaints(compiler, text):
    """What the driver says about a snippet with this text."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "snippet.cpp"
        path.write_text(text, encoding="utf-8")
        snippet = reject.Snippet(path, compiler.kind)
        found = [reject.problem(compiler, check) for check in snippet.checks()]
    return "; ".join(problem[0] for problem in found if problem)


def main():
    options = compilers.parser(__doc__).parse_args()
    compiler = compilers.Compiler(options.kind, options.compiler, options.include)
    failures = 0
    for name, text, expected in SNIPPETS:
        said = complaints(compiler, text)
        if (expected is None and said) or (expected is not None and expected not in said):
            failures += 1
            print(f"{name}: the driver says: {said or 'nothing'}")
    print(f"{len(SNIPPETS) - failures} of {len(SNIPPETS)} snippets judged as they should be")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
