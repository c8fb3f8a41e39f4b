"""The presets: every value cites its sheet; a ruling where the sheet is silent carries a star.

A value that no sheet knows is the same everywhere and stands in `bot.game.rules.rules` alone (`take_limit`*,
`max_sweeps`*, `guess_limit`*, `signs_told`*). Pure data: to add a preset that recombines the axes, add an entry here.
"""

from dataclasses import replace
from typing import Final

from bot.game.cards import DeckKind
from bot.game.rules import rules as r

# Sheet 000 (an encyclopedia article), main rules.
CLASSIC: Final = r.Rules(
    preset="classic",
    # "Il se joue normalement à 4 mais peut aussi être joué à 2,6, 8 parfois même 9 ou 12 joueurs (équipes de 2 ou 3)"
    seating=r.Seats(players=(2, 4, 6, 8, 9, 12), team_size=2),
    # "32 ou 52 cartes"; "trois ou quatre cartes identiques ... les montrer, les mettre au talon, puis en piocher"
    deal=r.Deal(deck=DeckKind.D32, excess=r.OnExcess.REDRAW, redrawn=r.Redrawn.SHUFFLED),
    # "jusqu'à échanger sa main entière"; "dès qu'il y a 3 cartes pareilles sur le terrain le jeu s'arrête"
    exchange=r.Exchange(down=4, three_alike=r.ThreeAlike.ENDS),
    # "depuis quelques secondes" = 5 s*; "Si un joueur dit non, il doit échanger"; swept cards go to the "poubelle"
    sweep=r.Sweep(quiet=5, must_exchange=True, swept=r.SweptTo.DISCARD),
    calls=r.Calls(
        holder=r.Holder.PARTNER,  # "Le partenaire doit alors dire « Kem's »"
        double=r.DoubleCall.AT_ONCE,  # "S'il a lui aussi quatre cartes identiques, il dit « Double Kem's »"
        counter_names=r.Names.PLAYER,  # "le joueur de l'équipe adverse n'avait pas de Kem's"
        counter_two=r.CounterTwo.NO_EFFECT,  # "Le Contre Kem's ne fonctionne pas face à un Double Kem's"; no penalty*
    ),
    scoring=r.Scoring(
        kems=1,  # "gagner 1 point à son équipe"
        double_kems=2,  # "gagner 2 points à son équipe"
        false_kems=1,  # "elle fait gagner 1 point à l'autre équipe"
        false_double=1,  # * the sheet names only the false Kem's
        counter=1,  # "elle marque 1 point"
        false_counter_own=-1,  # "celle-ci perd 1 points"
    ),
    # "doit montrer deux cartes, à celui, et seulement celui, qui a dit"; "n'a plus le droit de dire Contre Kem's"
    penalty=r.Penalty(shows=r.ShownTo.ACCUSED, counter_lost=True),
    signs=r.Signs(guess=r.Guess.REPORT),  # "règle de signalisation immédiate"
    end=r.End(ends_at=r.EndsAt.TARGET, target=10),  # "Une manche se joue en 10 points"
)

# Sheet 000, "Variante (joueurs confirmés)".
EXPERT: Final = replace(
    CLASSIC,
    preset="expert",
    calls=replace(
        CLASSIC.calls,
        counter_names=r.Names.TEAM,  # "il s'adresse à l'équipe adverse dans sa globalité"
        double_counters=True,  # "il faut dire : Double Contre Kem's"
        counter_two=r.CounterTwo.COUNTS,  # "toujours 1 seul point, même si l'équipe adverse a deux Kem's"
        false_counter_ends=True,  # "Une fois les points attribués, on recommence une manche"
    ),
    scoring=replace(
        CLASSIC.scoring,
        false_double=2,  # "elle fait gagner 2 points à l'autre équipe"
        double_counter=2,  # "Pour marquer 2 points par Contre Kem's"
        false_counter_own=0,
        false_counter=1,  # "elle fait gagner 1 point à l'autre équipe"
        false_double_counter=2,  # "faux Contre Double Kem's elle fait gagner 2 points"
    ),
    penalty=r.Penalty(),
    end=r.End(ends_at=r.EndsAt.TARGET, target=10, win_by=2, best_of=1),  # "10 ou 15 ... (finir en deux points d'écart)"
)

# Sheet 001.
ESCALE: Final = replace(
    CLASSIC,
    preset="escale",
    seating=r.Seats(players=(4,), team_size=2),  # "Exactement 4 joueurs, répartis en 2 équipes de 2"
    deal=replace(CLASSIC.deal, redrawn=r.Redrawn.UNDER),  # "les remet sous le talon"
    calls=replace(CLASSIC.calls, holder=r.Holder.TEAM),  # false only when "personne n'avait 4 cartes identiques"
    scoring=r.Scoring(
        kems=2,  # "gagner 2 points à l'équipe"
        double_kems=4,  # "engranger 4 points d'un coup"
        false_kems=1,  # "l'équipe adverse gagne 1 point"
        false_double=1,  # *
        counter=1,  # "votre équipe marque 1 point"
    ),
    # "il doit montrer 2 de ses cartes au joueur qu'il a faussement accusé"; "perd le droit ... le reste de la manche"
    penalty=r.Penalty(shows=r.ShownTo.ACCUSER, counter_lost=True),
    signs=r.Signs(guess=r.Guess.NOT_PLAYED),
    end=r.End(ends_at=r.EndsAt.TARGET, target=10, rounds=4),  # "4, 8 ou 12 manches" or "10, 15 ou 20 points"
)

# Sheet 002.
LINTERNAUTE: Final = replace(
    CLASSIC,
    preset="linternaute",
    seating=r.Seats(players=(4, 6, 8), team_size=2),  # "généralement à 4, mais aussi à 6 ou 8"
    deal=r.Deal(deck=DeckKind.D32, excess=r.OnExcess.REDEAL),  # "il faut redistribuer"
    exchange=r.Exchange(down=1, three_alike=r.ThreeAlike.ALLOWED),  # "jeter dans un premier temps la carte"
    sweep=r.Sweep(must_exchange=False, swept=r.SweptTo.UNDER_STOCK),  # "remises au bas de la pioche"
    calls=r.Calls(
        holder=r.Holder.PARTNER,
        double=r.DoubleCall.TWO_VOICES,  # "que les deux disent successivement Kem's et double Kem's"
        counter_names=r.Names.PLAYER,  # "il peut dire contre Kem's à un autre joueur"
        double_counters=True,  # "Pour un double contre Kem's"
        counter_two=r.CounterTwo.COUNTS,  # *
    ),
    scoring=r.Scoring(
        false_double=0,  # * the Kem's stands
        double_counter=2,  # "2 ou 3 points"
        false_counter=1,  # "l'équipe qui a fait croire avoir un Kem's remporte un point"
        false_double_counter=2,  # *
    ),
    penalty=r.Penalty(shows=r.ShownTo.ACCUSED, show_different=True),  # "montrer à ce joueur 2 cartes différentes"
    signs=r.Signs(guess=r.Guess.NOT_PLAYED),
    end=r.End(ends_at=r.EndsAt.TARGET, target=10),  # *
)

# Sheet 003.
BELL: Final = replace(
    CLASSIC,
    preset="bell",
    seating=r.Seats(players=(4,), team_size=2),  # "Pour 4 joueurs"
    deal=r.Deal(deck=DeckKind.D54, excess=r.OnExcess.REDRAW, excess_jokers=True),  # "les 2 cartes JOKER ... piocher"
    exchange=r.Exchange(down=4, three_alike=r.ThreeAlike.ALLOWED),  # "remplacer une ou plusieurs de ses cartes"
    sweep=r.Sweep(must_exchange=False, swept=r.SweptTo.DISCARD),
    calls=r.Calls(
        counter_names=r.Names.TEAM,  # "si la première équipe n'avait pas de Kem's"
        counter_two=r.CounterTwo.COUNTS,
        false_counter_ends=True,  # *
        bell=True,  # "taper au plus vite sur la sonnette"; "SUPER Kem's"
    ),
    scoring=r.Scoring(
        counter_of_two=2,  # "ou 2 points si l'équipe avait deux Kem's"
        false_counter=1,  # "fait gagner un 1 point à l'autre équipe"
    ),
    penalty=r.Penalty(),
    signs=r.Signs(guess=r.Guess.NOT_PLAYED, sign_cards=True),  # "chaque équipe pioche une carte"
    end=r.End(
        ends_at=r.EndsAt.ROUNDS, rounds=8
    ),  # "plusieurs manches dont le nombre est déterminé par les joueurs"; 8*
)

# Sheet 004.
YOKAI: Final = replace(
    CLASSIC,
    preset="yokai",
    seating=r.Seats(players=(4,), team_size=2),  # "Un jeu pour 2 équipes de 2 joueurs"
    deal=r.Deal(deck=DeckKind.D32, excess=r.OnExcess.KEEP),  # * the sheet knows no excess
    exchange=r.Exchange(down=1, three_alike=r.ThreeAlike.SWEEPS),  # "une par une"; "s'il y a 3 cartes identiques"
    sweep=r.Sweep(must_exchange=False, swept=r.SweptTo.DISCARD),  # "on écarte les 4 cartes ... dans la défausse"
    calls=r.Calls(
        # "que s'il y a 4 cartes bien visibles sur la table": in an open hunt there are never fewer*
        counter_names=r.Names.PLAYER,  # "en désignant le joueur concerné"
        double_counters=True,
        counter_two=r.CounterTwo.COUNTS,
        false_counter_ends=True,  # "et la manche s'achève"
    ),
    scoring=r.Scoring(
        false_double=2,  # "c'est l'équipe adverse qui marque les points adéquats"
        counter=2,  # "2 points en cas de Contre-Kems validé"
        counter_of_two=2,
        double_counter=4,  # "4 points en cas de Double Contre-Kems validé"
        false_counter=2,  # "l'équipe adverse marque 2 ou 4 points"
        false_double_counter=4,
    ),
    penalty=r.Penalty(),
    signs=r.Signs(
        oral_signs=True,  # "un signe distinctif (oral, visuel, oral et visuel, comme bon vous semble..)"
        guess=r.Guess.POINTS,
        guess_right=2,  # "son équipe marque 2 points"
        guess_wrong=2,  # "Sinon, c'est l'équipe adverse qui marque 2 points"
    ),
    end=r.End(ends_at=r.EndsAt.TARGET, target=10),  # "La première équipe à marquer 10 points"
)

# No sheet: Kemps as it is commonly played in America. A star is our reading where its players differ or say nothing.
AMERICAN: Final = r.Rules(
    preset="american",
    seating=r.Seats(players=(4, 6, 8), team_size=2),  # two, three or four pairs
    deal=r.Deal(deck=DeckKind.D52, excess=r.OnExcess.KEEP),  # the full deck; nothing is given back*
    exchange=r.Exchange(down=1, three_alike=r.ThreeAlike.ALLOWED),  # one card for one card; three alike may lie there*
    sweep=r.Sweep(
        must_exchange=False, swept=r.SweptTo.DISCARD
    ),  # flushed cards are out of the round, no reason is owed
    calls=r.Calls(
        holder=r.Holder.PARTNER,  # only the partner calls
        double=r.DoubleCall.AT_ONCE,
        counter_names=r.Names.TEAM,  # a "cut" names a team*
        counter_two=r.CounterTwo.COUNTS,  # *
        false_counter_ends=True,  # hands are shown, and the round is over
    ),
    scoring=r.Scoring(
        kems=1,  # every call that is right is worth one point
        double_kems=1,  # * the game knows no double: one is worth no more than a Kemps
        counter=1,
        false_kems=0,  # a call that is wrong costs its own team one point, and brings the others none
        false_kems_own=-1,
        false_double=0,
        false_double_own=-1,
        false_counter_own=-1,
    ),
    penalty=r.Penalty(),
    signs=r.Signs(guess=r.Guess.NOT_PLAYED),
    end=r.End(ends_at=r.EndsAt.TARGET, target=5),  # first to five*
)

PRESETS: Final[dict[str, r.Rules]] = {
    rules.preset: rules for rules in (CLASSIC, EXPERT, ESCALE, LINTERNAUTE, BELL, YOKAI, AMERICAN)
}

Option = dict[str, tuple[str, ...]]
"""Axes, and the values that they take together; no values: any."""
_BOTH_DECKS: Final[Option] = {"deck": ("32", "52")}
_THREES: Final[Option] = {"double_kems": ("3",), "double_counter": ("3",), "false_double_counter": ("3",)}

# What a sheet itself offers beside its first choice. A table with
# such an option plays the sheet, not house rules.
OPTIONS: Final[dict[str, tuple[Option, ...]]] = {
    "classic": (_BOTH_DECKS, {"team_size": ("3",)}),  # "un jeu de 32 ou 52 cartes"; "équipes de 2 ou 3 joueurs"
    "expert": (
        _BOTH_DECKS,
        {"team_size": ("3",)},
        {"target": ("15",)},  # "par exemple 10 ou 15"
        {"best_of": ("3", "5")},  # "jouer en 3 ou 5 parties"
        {**_THREES, "false_double": ("3",)},  # "On peut attribuer ... 3 points au lieu de 2"
        {"double_kems": ("2",), "four_kems": ("4",)},  # "dire les deux à la suite fait gagner 4 points au lieu de 2"
        {"double_kems": ("3",), "four_kems": ("6",)},  # "ou 6 points au lieu de 3"
    ),
    "escale": (
        _BOTH_DECKS,  # "un jeu de 32 ou 52 cartes"
        {"target": ("15", "20")},  # "un score cible (10, 15 ou 20 points)"
        {"ends_at": (r.EndsAt.ROUNDS,), "rounds": ("4", "8", "12")},  # "4, 8 ou 12 manches par exemple"
    ),
    "linternaute": (_THREES, _BOTH_DECKS),  # "2 ou 3 points (à définir en début de partie)"; 8 players need 52 cards*
    "bell": ({"rounds": ()},),  # "dont le nombre est déterminé par les joueurs"
    "yokai": (_BOTH_DECKS,),  # *
}
