"""Prometheus metrics of a running bot. This module knows no other part of the project.

`docs/operating.md` says what each metric means; `bot.operating.status` serves them.
"""

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

_QUICK: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

READY: Final = Gauge("kems_ready", "Whether nothing is broken")
PRESSES: Final = Counter("kems_presses", "Presses, forms and commands by what came of them", ["what", "outcome"])
ANSWER_SECONDS: Final = Histogram("kems_answer_seconds", "From a press to its answer, in this process", buckets=_QUICK)
SHOWN_AGE_SECONDS: Final = Histogram(
    "kems_shown_age_seconds",
    "How long a change waited until Discord had it",
    ["message"],
    buckets=(0.1, 0.25, 0.5, 1.0, 1.5, 2.5, 5.0, 10.0, 30.0),
)
REQUESTS: Final = Counter("kems_discord_requests", "Requests to Discord by budget and status", ["budget", "status"])
RATE_LIMITED: Final = Counter("kems_discord_rate_limited", "Requests that Discord refused for their number", ["scope"])
COMMIT_SECONDS: Final = Histogram("kems_commit_seconds", "How long a commit of moves took", buckets=_QUICK)
COMMIT_MOVES: Final = Histogram("kems_commit_moves", "Moves in one commit", buckets=(1, 2, 4, 8, 16, 32, 64, 128))
MOVES_WAITING: Final = Gauge("kems_moves_waiting", "Moves that wait for their commit")
GATEWAY_EVENTS: Final = Counter("kems_gateway_events", "Connections to Discord's gateway", ["shard", "event"])
LEASE_EVENTS: Final = Counter("kems_lease_events", "Shards that this process took, lost or gave back", ["event"])
