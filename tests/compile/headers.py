# SPDX-License-Identifier: Apache-2.0
"""Each header compiles alone and twice; each file of tests/static compiles."""
import pathlib
import sys

import compilers


def main():
    parser = compilers.parser(__doc__)
    parser.add_argument("--header", action="append", default=[],
                        help="only this header, as one includes it")
    parser.add_argument("--static", type=pathlib.Path, nargs="*", default=[],
                        help="files that hold static_asserts")
    options = parser.parse_args()
    compiler = compilers.Compiler(options.kind, options.compiler, options.include)

    headers = options.header or sorted(
        str(path.relative_to(options.include)) for path in options.include.rglob("*.hpp"))

    def check(item):
        if isinstance(item, pathlib.Path):
            return item.name, *compiler.check(item, whole=True)
        # A declaration at the end keeps -Wpedantic from seeing an empty unit.
        return item, *compiler.check_text(f"#include <{item}>\n#include <{item}>\nint nothing();\n")

    failures = 0
    work = headers + options.static
    for name, good, lines in compilers.run_all(check, work, options.jobs):
        if not good:
            failures += 1
            print(f"{name} does not compile with {options.compiler}:")
            print("\n".join("  " + line for line in lines[:20]))
    print(f"{len(work) - failures} of {len(work)} files compile with {options.compiler}")
    return 1 if failures or not work else 0


if __name__ == "__main__":
    sys.exit(main())
