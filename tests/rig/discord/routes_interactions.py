"""Answers to interactions, and the webhooks of their tokens: neither needs the bot's own token.

Source: https://discord.com/developers/docs/interactions/receiving-and-responding
"""

from __future__ import annotations

from tests.rig.discord import answers, errors
from tests.rig.discord.objects import Json
from tests.rig.discord.payloads import message_json
from tests.rig.discord.routing import Call, route
from tests.rig.discord.world import World


@route("POST", "interactions/*/*/callback")
def answer(world: World, call: Call) -> Json | None:
    interaction = answers.answer(world, call.number(0), call.ids[1], call.body, call.uploads)
    wants_message = call.query.get("with_response", "").lower() in ("1", "true")
    return answers.callback_json(world, interaction) if wants_message else None


@route("POST", "webhooks/*/*")
def follow_up(world: World, call: Call) -> Json:
    message = answers.follow_up(world, _token(world, call), call.body, call.uploads)
    return message_json(world, message)


@route("GET", "webhooks/*/*/messages/*")
def fetch(world: World, call: Call) -> Json:
    return message_json(world, answers.reached(world, _token(world, call), _which(call)))


@route("PATCH", "webhooks/*/*/messages/*")
def edit(world: World, call: Call) -> Json:
    token = _token(world, call)
    return message_json(world, answers.edit_reached(world, token, _which(call), call.body, call.uploads))


@route("DELETE", "webhooks/*/*/messages/*")
def delete(world: World, call: Call) -> None:
    world.delete(answers.reached(world, _token(world, call), _which(call)))


def _token(world: World, call: Call) -> str:
    if call.number(0) != world.application_id:
        raise errors.unknown_webhook()
    return call.ids[1]


def _which(call: Call) -> str:
    which = call.ids[2]
    if which != "@original" and not which.isdecimal():
        raise errors.no_route()
    return which
