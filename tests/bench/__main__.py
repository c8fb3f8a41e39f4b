"""`python -m tests.bench [PART ...] [--short] [--page]`: measures these parts, or all, and says how long each took."""

import argparse
import sys
import time
from collections import Counter
from dataclasses import replace

from bot.base import log
from tests.bench.core import ChessMissingError
from tests.bench.page import write_page
from tests.bench.parts import PARTS
from tests.bench.report import Conditions, Measured, Run, as_text, steps_a_second


def main(arguments: list[str] | None = None) -> int:
    options = argparse.ArgumentParser(prog="python -m tests.bench")
    options.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS)}; all if none is named")
    options.add_argument("--short", action="store_true", help="show that everything works; the figures say nothing")
    options.add_argument("--page", action="store_true", help="put the figures into docs/performance.md")
    chosen = options.parse_args(arguments)
    if unknown := set(chosen.parts) - PARTS.keys():
        options.error(f"there is no part {', '.join(sorted(unknown))}: name any of {', '.join(PARTS)}")
    if chosen.page and chosen.short:
        options.error("the page shows what was measured in full: leave --short out")
    log.configure("ERROR", "console")
    run: Run = {}
    missed, conditions = 0, Conditions()
    print(conditions, flush=True)
    for name in chosen.parts or PARTS:
        bench = PARTS[name]
        paced, began = replace(conditions, pace=steps_a_second()), time.monotonic()
        try:
            part = bench.run(**bench.short) if chosen.short else bench.run()
        except ChessMissingError as error:
            missed += 1
            print(f"\n{name}: not measured. {error}", flush=True)
            continue
        run[name] = Measured(part, paced)
        print(f"\n{as_text(part)}\n  {paced}; {time.monotonic() - began:.0f} s", flush=True)
        if chosen.page:  # at once, so that a run that is stopped keeps what it has measured
            write_page(run)
    verdicts = Counter(figure.verdict.value for measured in run.values() for figure in measured.part.figures)
    print("\n" + ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
