"""`python -m tests.bench [PART ...] [--short] [--json FILE] [--page]`: measures these parts, or all."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from bot import log
from tests.bench.page import write_page
from tests.bench.parts import PARTS
from tests.bench.race import EnginesMissingError
from tests.bench.report import Run, as_json, as_text


def main(arguments: list[str] | None = None) -> int:
    """Print each part as soon as it is done. Returns 1 where one could not be measured."""
    options = argparse.ArgumentParser(prog="python -m tests.bench")
    options.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(PARTS)}; all if none is named")
    options.add_argument("--short", action="store_true", help="show that everything works; the figures say nothing")
    options.add_argument("--json", type=Path, metavar="FILE", help="write the run with all its rounds")
    options.add_argument("--page", action="store_true", help="write docs/performance.md, of a full run of all parts")
    chosen = options.parse_args(arguments)
    if unknown := set(chosen.parts) - PARTS.keys():
        options.error(f"there is no part {', '.join(sorted(unknown))}: name any of {', '.join(PARTS)}")
    if chosen.page and (chosen.parts or chosen.short):
        options.error("the page is written of a full run of all parts: name no part, and leave --short out")
    log.configure("ERROR", "console")
    run, missed = Run(), 0
    print(run.heading, flush=True)
    for name in chosen.parts or PARTS:
        bench = PARTS[name]
        try:
            part = bench.run(**bench.short) if chosen.short else bench.run()
        except EnginesMissingError as error:
            missed += 1
            print(f"\n{name}: not measured. {error}", flush=True)
            continue
        run.parts.append(part)
        print(f"\n{as_text(part)}", flush=True)
    verdicts = Counter(figure.verdict.value for part in run.parts for figure in part.figures)
    print("\n" + ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))
    if chosen.json:
        chosen.json.write_bytes(as_json(run))
    if chosen.page and not missed:
        print(f"Written: {write_page(run)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
