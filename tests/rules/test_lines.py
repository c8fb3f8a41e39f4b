"""What moves lead to by a clause of a sheet, a line a case, where a table, its moves and what is seen then say it all.

Cards are ranks, whose suits follow in the order S H D C over the whole line; `all`: everybody has a Kem's. A move with
`!` is refused with that code; `wait` is in seconds. Seen are the phase or the outcome, who won, the points, hands, the
pool, a card or more of the discard pile, and the sign of the first team.
"""

import re
from collections import Counter
from typing import Final, NamedTuple

from bot.game.cards import RANKS, Card
from tests.rules.clauses import CLAUSES
from tests.rules.table import Table, codes
from tests.together import together

CALLS: Final = """
000_01    classic scores=2,1          A=K789 pool=KK78   A put KS                                      three_alike 2 1
000_02    classic                     B=KKKK pool=789T   B put KS, B put KH                            hunt 0 0
000_02    classic                     B=KKKK pool=789T   B put KS, B put KH, B put KD                  three_alike 0 0
000_20    classic                     -                  A kems, - next, D open !not_dealer, A open    hunt 0 1
000_34    classic scores=9,9          A=KKKK B=789T  C kems, - next !match_over, C kems !match_over  match_over #1 10 9
000_34    classic scores=9,9          A=KKKK B=789T      C kems, B put 7S !match_over  match_over #1 10 9
000_35    classic scores=8,9          A=KKKK             C kems                                        over 9 9
000_36    classic                     A=KKKK             A react 👀, C kems                             kems 1 0
000_37    classic                     A=KKKK C=789T      A kems                                        false_kems 0 1
000_38    classic                     A=KKKK C=AAAA      C double                                      double 2 0
000_39    classic                     A=KKKK             C double                                      false_double 0 1
000_39    classic                     C=KKKK             C double                                      false_double 0 1
000_39    classic                     -                  C double                                      false_double 0 1
000_40    classic                     A=KKKK             B counter A, C kems !round_over               counter 0 1
000_41    classic                     A=KKKK             C kems, B counter A !round_over, C kems !round_over  kems 1 0
000_41    classic                     A=KKKK             C kems, A double !round_over, A put KS !round_over  kems 1 0
000_41    classic                     A=KKKK             C kems, B sweep !round_over                   kems 1 0
000_42    classic                     -                  B counter D !own_team, B counter B !own_team  hunt 0 0
000_42    classic                     -                  B counter E !unknown_player                   hunt 0 0
000_42    classic                     -                  B counter #1 !not_allowed                     hunt 0 0
000_42    classic                     -                  B counter2 #1 !not_allowed                    hunt 0 0
000_44    classic                     -                  B kems                                        false_kems 1 0
000_45    classic players=6           -                  B kems                                        false_kems 1 0 1
000_46    classic                     -                  B counter A                                   hunt 0 -1
000_46    classic                     -                  B counter A, A counter B                      hunt -1 -1
000_46    classic                     C=KKKK             B counter A, B counter C !counter_lost        hunt 0 0
000_46    classic players=6           D=KKKK             B counter A, C counter B          hunt 0 0 -1
000_46    classic players=9 deck=52   A=KKKK D=AAAA      B counter G, B counter A !counter_lost  hunt 0 0 0
000_50    classic                     C=KKKK             B counter A, B counter C !counter_lost        hunt 0 0
000_50    classic                     -                  B counter A, B counter A !counter_lost        hunt 0 -1
000_50    expert false_counter_ends=no counter_lost=yes  -  B counter #1, B counter #1 !counter_lost  hunt 1 0
000_50    expert false_counter_ends=no counter_lost=yes  -  B counter #1, B counter2 #1 !counter_lost  hunt 1 0
000_50    expert false_counter_ends=no counter_lost=yes  -  B counter2 #1, B counter #1 !counter_lost   hunt 2 0
000_50    expert false_counter_ends=no counter_lost=yes  -  B counter2 #1, D counter #1                 hunt 3 0
000_50    classic                     C=KKKK             B counter A, D counter C                      counter 0 1
000_50    classic                     -                  B counter A, B kems, - next, A open, B counter A  hunt 1 -2
000_51    classic                     A=KKK7 pool=K89T   A put 7S, A take KC, B counter A              counter 0 1
000_52    classic                     A=KKKK             A put KS, C kems                              false_kems 0 1
000_53    classic                     A=KKKK             C kems                                        kems 1 0
000_54    classic sign_required=yes   A=KKKK             C kems                                        false_kems 0 1
000_54    classic sign_required=yes   A=KKKK             A react 🎩, C kems                             false_kems 0 1
000_54    classic sign_required=yes   A=KKKK             A react 🎩, A react 👀, C kems                  kems 1 0
000_54    classic sign_required=yes   A=KKKK  A react 👀, B guess #1 👀, A sign 🎲, C sign 🎲, C kems  false_kems 0 1
000_55    classic sign_required=yes   A=KKK7 pool=K89T   A react 👀, A put 7S, A take KC, C kems        false_kems 0 1
000_56    classic                     -                  wait 5, A sweep, B guess #1 👀                 sweep 0 0
000_56    yokai guess=report          -                  B guess #1 👀                                  hunt 0 0
000_56  classic  -  B guess #1 👀, B kems, - next, A sign 🎲 !not_allowed  ready 1 0
000_57  classic  -  A keep !not_pending, B guess #1 👀, C keep, A sign 🎲 !not_allowed  hunt 0 0 signs=👀
000_58  classic  -  B guess #1 🎩, A sign 🎲 !not_allowed  hunt 0 0 signs=👀
000_59  classic  -  B kems, C sign 🎲, A accept 🎲  over 1 0 signs=🎲
000_59  classic  -  B kems, C sign 🎲, A accept 🎲, - next  ready 1 0 signs=🎲
000_60  linternaute  A=KKKK  C kems, B react 🎩  chain 0 0
000_62    classic players=9 deck=52   A=KKKK             D kems                                        kems 1 0 0
000_62    classic players=9 deck=52   A=KKKK             G kems                                        kems 1 0 0
000_62    classic players=9 deck=52   A=KKKK D=AAAA      G double  false_double 0 1 1
000_63    classic players=2           A=KKKK             A kems !too_early                             hunt 0 0
000_63    classic players=2           A=KKKK             A react 👀, wait 2.999, A kems !too_early      hunt 0 0
000_63    classic players=2           A=KKKK             A react 👀, wait 3, A double !not_allowed      hunt 0 0
000_63    classic players=2           A=KKKK             A react 👀, wait 3, A kems                     kems 1 0
000_63    classic players=2 double=two_voices  A=KKKK    A react 👀, wait 3, A kems                     kems 1 0
000_63    classic players=2 double_counters=yes  A=KKKK  A react 👀, B counter2 #1 !not_allowed        hunt 0 0
000_64    classic players=2           A=KKKK             A react 👀, B counter A                        counter 0 1
000_65  classic players=2  A=KKK7 pool=K89T  A react 👀, A put 7S, wait 3, A take KC, A kems !too_early  hunt 0 0
000_65  classic players=2  A=KKK7 pool=K89T  A react 👀, A put 7S, A take KC, A react 👀, wait 3, A kems  kems 1 0
000_66    classic players=2           A=KKK7             A react 👀, wait 3, A kems                     false_kems 0 1
000_69    classic                     A=KKK7 pool=K89T   B counter A                                   hunt 0 -1
000_69    classic                     A=KKK7 pool=K89T   B counter A, A put 7S, C kems                 false_kems 0 0
000_120   classic strategies=total    -                  B accuse #1 total                             hunt 0 0 signs=👀
000_120   classic strategies=total    -  B accuse #2 total !own_team, B accuse #3 total !unknown_team  hunt 0 0
000_120   classic strategies=total    -  B accuse #1 presign !not_allowed, B accuse #1 double !not_allowed  hunt 0 0
000_125  classic strategies=presign  -  B accuse #1 presign, B kems, A sign presign 🎲, C sign presign 🎲  over signs=🎲
000_129  classic strategies=spoken  -  B guess #1 👀, A sign say:hi, C sign say:hi, D guess #1 say:hi, C keep  hunt 0 0

000v_01   expert                      A=KKKK C=AAAA      C kems                                        kems 1 0
000v_01   expert                      A=KKKK C=AAAA      C double                                      double 2 0
000v_02   expert                      A=KKKK             B counter #1                                  counter 0 1
000v_02   expert                      A=KKKK C=AAAA      B counter #1                                  counter 0 1
000v_03   expert                      A=KKKK             B counter A !not_allowed, D counter #1        counter 0 1
000v_03   expert                      C=KKKK             B counter A !not_allowed, D counter #1        counter 0 1
000v_03   expert                      -                  B counter #2 !own_team                        hunt 0 0
000v_03   expert                      -                  B counter2 #2 !own_team                       hunt 0 0
000v_03   expert                      -                  B counter #3 !unknown_team                    hunt 0 0
000v_03   expert                      -                  B counter2 #3 !unknown_team                   hunt 0 0
000v_04   expert                      A=KKKK C=AAAA      B counter2 #1  double_counter 0 2
000v_05   expert                      -                  C kems                                        false_kems 0 1
000v_06   expert                      -                  C double                                      false_double 0 2
000v_06   expert                      A=KKKK             C double                                      false_double 0 2
000v_06   expert                      C=KKKK             C double                                      false_double 0 2
000v_07   expert                      A=789T             B counter #1, A show 7S 8S !not_pending  over false_counter 1 0
000v_08   expert                      -                  B counter2 #1  false_double_counter 2 0
000v_08   expert                      A=KKKK             B counter2 #1  false_double_counter 2 0
000v_09   expert                      all                C kems, C counter #2 !round_over              kems 1 0
000v_09   expert                      all                C kems, C counter2 #2 !round_over             kems 1 0
000v_09   expert                      all                C counter #2, C double !round_over            counter 1 0
000v_10   expert double_kems=3        A=KKKK C=AAAA      C double                                      double 3 0
000v_10   expert double_counter=3     A=KKKK C=AAAA      B counter2 #1  double_counter 0 3
000v_10   expert false_double=3       -                  C double                                      false_double 0 3
000v_10   expert false_double_counter=3  -                  B counter2 #1  false_double_counter 3 0
000v_11   expert scores=9,9           A=KKKK             C kems                                        over 10 9
000v_11   expert scores=9,8           A=KKKK             C kems  match_over #1 10 8
000v_11   expert target=15 scores=14,14  A=KKKK             C kems                                        over 15 14
000v_11   expert target=15 scores=14,13  A=KKKK             C kems  match_over #1 15 13
000v_13   expert                      -                  B guess #1 👀, A sign 🎲                        hunt 0 0
000v_15   expert four_kems=4          all                C double                                      chain 0 0
000v_15   expert four_kems=4          all                C double, A counter2 #2                       four_kems 4 0
000v_15   expert four_kems=4          all                C double, C counter2 #2                       four_kems 4 0
000v_15   expert four_kems=4          all                C counter2 #2                                 chain 0 0
000v_15   expert four_kems=4          all                C counter2 #2, A double                       four_kems 4 0
000v_15   expert four_kems=4          all                C counter2 #2, C double                       four_kems 4 0
000v_15   expert four_kems=6 double_kems=3 double_counter=3  all                C double, A counter2 #2  four_kems 6 0
000v_15   expert four_kems=6 double_kems=3 double_counter=3  all                C counter2 #2, A double  four_kems 6 0
000v_16   expert                      all                C double, C counter2 #2 !round_over           double 2 0
000v_16   expert                      all                C counter2 #2, C double !round_over  double_counter 2 0
000v_18   expert four_kems=4          all                C double, wait 2.999                          chain 0 0
000v_18   expert four_kems=4          all                C counter2 #2, wait 2.999                     chain 0 0
000v_18   expert four_kems=4          all                C double, wait 3, C counter2 #2 !round_over   double 2 0
000v_18   expert four_kems=4          all                C counter2 #2, wait 3, C double !round_over   over 2 0
000v_19   expert four_kems=4          all                C double, A double !round_over, B double !round_over  chain 0 0
000v_19   expert four_kems=4          all                C double, B counter2 #1 !round_over           chain 0 0
000v_19   expert four_kems=4          all  C double, C counter #2 !round_over, A kems !round_over  chain 0 0
000v_19   expert four_kems=4          all                C double, A counter2 #1 !own_team             chain 0 0
000v_19   expert four_kems=4          all                C double, A counter2 #3 !unknown_team         chain 0 0
000v_19   expert four_kems=4          all                C counter2 #2, A counter2 #2 !round_over      chain 0 0
000v_19   expert four_kems=4          all                C counter2 #2, B double !round_over           chain 0 0
000v_19   expert four_kems=4          all                C counter2 #2, C counter #2 !round_over       chain 0 0
000v_19   expert four_kems=4          all                C counter2 #2, A kems !round_over             chain 0 0
000v_20   expert four_kems=4          A=KKKK D=9999      C kems                                        over 1 0
000v_20   expert four_kems=4          A=KKKK D=9999      C counter #2                                  over 1 0
000v_20   expert four_kems=4          A=KKKK D=9999      B double                                      over 2 0
000v_20   expert four_kems=4          A=KKKK D=9999      B counter2 #1                                 over 2 0
000v_22   expert four_kems=4 players=6 deck=52  A=KKKK B=TTTT D=AAAA E=9999  D double, A counter2 #2  four_kems 4 0 0
000v_22   expert four_kems=4 players=6 deck=52  A=KKKK B=TTTT D=AAAA E=9999  D double, A counter2 #3  double 2 0 0
000v_23   expert four_kems=4 double=two_voices  all                A kems, C double, A counter2 #2  four_kems 4 0
000v_23   expert four_kems=4 double=two_voices  all                A counter2 #2, A double  four_kems 4 0
000v_23   expert four_kems=4 double=two_voices  all                A kems, C double, wait 3  double 2 0
000v_24   expert target=999 scores=500,400  A=KKKK             C kems  over 501 400

001_14    escale                      A=K789 pool=KK78   A put KS                                      three_alike 0 0
001_15    escale                      A=KKKK             C kems                                        kems 2 0
001_16    escale                      A=KKKK C=AAAA      A double                                      double 4 0
001_16    escale                      A=KKKK             A double                                      false_double 0 1
001_17    escale                      A=KKKK             B counter A                                   counter 0 1
001_17    escale                      A=KKKK             B counter #1 !not_allowed                     hunt 0 0
001_17    escale                      A=KKKK             B counter2 #1 !not_allowed                    hunt 0 0
001_18    escale                      A=KKKK C=AAAA      B counter A                                   hunt 0 0
001_19    escale                      A=KKKK             A kems                                        kems 2 0
001_19    escale                      C=KKKK             A kems                                        kems 2 0
001_20    escale                      B=KKKK             A kems                                        false_kems 0 1
001_22    escale                      -  B counter A, B counter A !counter_lost, B counter C !counter_lost  hunt 0 0
001_22    escale                      -                  B counter A, B kems, - next, A open, B counter A  hunt 1 0
001_23    escale                      -                  A sign 🎲 !not_allowed, B guess #1 👀 !not_allowed  hunt 0 0
001_23    escale                      -                  B kems, A sign 🎲                              over 1 0
001_25    escale ends_at=rounds rounds=1 scores=3,1  -                  A kems  match_over #1 3 2
001_25    escale ends_at=rounds rounds=1 scores=1,1  -                  A kems  match_over #2 1 2
001_25    escale ends_at=rounds rounds=1 scores=1,0  -                  A kems  match_over level 1 1
001_26    escale scores=7,0           A=KKKK             C kems                                        over 9 0
001_26    escale scores=8,0           A=KKKK             C kems  match_over #1 10 0
001_26    escale target=15 scores=12,0  A=KKKK             C kems                                        over 14 0
001_26    escale target=15 scores=14,0  A=KKKK             C kems  match_over #1 16 0
001_26    escale target=20 scores=17,0  A=KKKK             C kems                                        over 19 0
001_26    escale target=20 scores=18,0  A=KKKK             C kems  match_over #1 20 0
001_28    escale                      A=789T             A react 👀, A react 🎩, A kems                  false_kems 0 1

002_13    linternaute                 A=KKKK             C kems                                        chain 0 0
002_13    linternaute                 A=KKKK             C kems, wait 2.999                            chain 0 0
002_13    linternaute                 A=KKKK             C kems, wait 3                                kems 1 0
002_13    linternaute                 A=KKKK             A kems                                        false_kems 0 1
002_14    linternaute                 A=KKKK             B counter #1 !not_allowed, B counter A        counter 0 1
002_15    linternaute                 A=KKKK             C kems, B counter A !round_over               chain 0 0
002_15    linternaute                 A=KKKK             C kems, B counter2 #1 !round_over             chain 0 0
002_15    linternaute                 A=KKKK             C kems, B double !round_over                  chain 0 0
002_15    linternaute                 A=KKKK             C kems, A kems !round_over                    chain 0 0
002_15    linternaute                 A=KKKK             C kems, B guess #1 👀 !not_allowed             chain 0 0
002_16    linternaute                 A=KKKK C=AAAA      B counter A                                   counter 0 1
002_17    linternaute                 -                  B counter A                                   hunt 1 0
002_17    linternaute                 -                  B counter A, B counter C                      hunt 2 0
002_20    linternaute                 A=KKKK C=AAAA      A double !not_allowed, A kems, C double       double 2 0
002_20    linternaute                 A=KKKK C=AAAA      A kems, A double !round_over                  chain 0 0
002_20    linternaute                 A=KKKK C=AAAA      A kems, B double !round_over                  chain 0 0
002_21    linternaute                 A=KKKK C=AAAA      A kems, wait 3, C double !round_over          over 1 0
002_22    linternaute                 A=KKKK             C kems, A double                              kems 1 0
002_23    linternaute double_kems=3   A=KKKK C=AAAA      A kems, C double                              double 3 0
002_24    linternaute                 A=KKKK C=AAAA      B counter2 #1  double_counter 0 2
002_24    linternaute double_counter=3  A=KKKK C=AAAA      B counter2 #1  double_counter 0 3
002_25    linternaute                 A=789T             B counter2 #1, A show 7S 8S !not_pending      hunt 2 0
002_26    linternaute scores=9,0      -                  B counter A  match_over #1 10 0
002_26    linternaute scores=9,0      -                  B counter A, wait 60  match_over #1 10 0
002_26    linternaute scores=8,0      -                  B counter2 #1  match_over #1 10 0
002_27    linternaute                 -                  B kems, - next, D open !not_dealer, A open    hunt 1 0

003_03    bell                        A=KKKX             C kems                                        kems 1 0
003_03    bell                        A=KKXX             C kems                                        kems 1 0
003_04    bell                        A=KKQX             C kems                                        false_kems 0 1
003_04    bell                        A=KQXX             C kems                                        false_kems 0 1
003_10    bell                        A=K789 pool=KK78   A put KS                                      hunt 0 0
003_11    bell                        A=KKKK             C kems                                        kems 1 0
003_12    bell                        A=KKKK C=AAAA      C double                                      double 2 0
003_13    bell                        A=KKKK             B counter #1                                  counter 0 1
003_13    bell                        A=KKKK             B counter A !not_allowed                      hunt 0 0
003_13    bell                        A=KKKK             B counter2 #1 !not_allowed                    hunt 0 0
003_14    bell                        A=KKKK C=AAAA      B counter #1                                  counter 0 2
003_15    bell                        -                  B counter #1  over false_counter 1 0
003_16    bell                        -                  A kems                                        false_kems 0 1
003_16    bell                        -                  A double                                      false_double 0 1
003_17  bell  -  A kems, - next, A open, A kems, - next, B open, A kems, - next, C open  hunt 0 3

004_11    yokai                       A=KKKK B=789T      B put 7S, C kems                             kems 1 0
004_11    yokai                       A=KKKK B=789T      A put KS, B counter A                        false_counter 2 0
004_12    yokai                       A=KKKK             C kems                                        kems 1 0
004_13    yokai                       A=KKKK C=AAAA      C double                                      double 2 0
004_15    yokai                       -                  A kems                                        false_kems 0 1
004_15    yokai                       A=KKKK             A kems                                        false_kems 0 1
004_15    yokai                       -                  A double                                      false_double 0 2
004_15    yokai                       A=KKKK             A double                                      false_double 0 2
004_16    yokai                       A=KKKK             B counter #1 !not_allowed, B counter A        counter 0 2
004_16    yokai                       A=KKKK C=AAAA      B counter A                                   counter 0 2
004_17    yokai                       A=KKKK C=AAAA      B counter2 #1  double_counter 0 4
004_18    yokai                       A=789T C=KKKK      B counter A, A show 7S 8S !not_pending        false_counter 2 0
004_18    yokai                       C=KKKK             B counter2 #1  false_double_counter 4 0
004_19    yokai                       -                  B guess #1 👀                                  hunt 0 2
004_19    yokai                       -                  B guess #1 👀, B guess #1 👀 !already_answered  hunt 0 2
004_19    yokai                       -                  B guess #1 👀, D guess #1 👀 !already_answered  hunt 0 2
004_20    yokai                       -                  B guess #1 🎲                                  hunt 2 0
004_22    yokai scores=8,8            -                  B guess #1 👀, A kems !match_over  match_over #2 8 10
004_22    yokai scores=8,8            -                  B guess #1 👀, A guess #2 🍀 !match_over  match_over #2 8 10

american_06  american                    A=KKKK             C kems                                        kems 1 0
american_07  american                    -                  C kems  false_kems -1 0
american_07  american                    C=KKKK             C kems  false_kems -1 0
american_07  american                    B=KKKK             C kems  false_kems -1 0
american_08  american players=6          -                  B kems  false_kems 0 -1 0
american_09  american                    A=KKKK             B counter A !not_allowed, B counter #1        counter 0 1
american_09  american                    A=KKKK C=AAAA      B counter2 #1 !not_allowed, B counter #1      counter 0 1
american_10  american                    A=789T  B counter #1, A show 7S 8S !not_pending  over false_counter 0 -1
american_11  american                    A=KKKK C=AAAA      C double                                      double 1 0
american_11  american                    A=KKKK             C double  false_double -1 0
american_12  american                    -                  B guess #1 👀 !not_allowed                     hunt 0 0
american_13  american scores=3,4         A=KKKK B=AAAA      C kems                                        over 4 4
american_13  american scores=4,4         A=KKKK B=AAAA      C kems  match_over #1 5 4
american_13  american scores=4,4         A=KKKK B=AAAA      A counter #2  match_over #1 5 4
american_14  american                    -                  B kems, - next, D open !not_dealer, A open    hunt 0 -1

others_01    classic players=6 false_counter_all=1 false_counter=2  -                  B counter A  hunt 3 -1 1
others_01    classic players=6 false_counter_all=1 false_counter=2 false_counter_ends=yes  -  B counter A  over 3 -1 1
others_02    expert players=6 deck=52 false_double_counter_own=-2 false_double_counter=1  -  B counter2 #1  over 1 -2 0
others_02    linternaute players=6 false_double_counter_own=-2 false_double_counter=1  -  B counter2 #1  hunt 1 -2 0
others_03    expert players=6 deck=52 counter_accused=-1  A=KKKK D=789T      B counter #1  counter -1 1 0
others_03    expert players=6 deck=52 counter_accused=-1  A=KKKK D=AAAA      B counter #1  counter -1 1 0
others_04    yokai guess_wrong=0 guess_wrong_own=-3  -                  B guess #1 🎲  hunt 0 -3
others_05  classic players=6 guess=points guess_right=3 guess_wrong_all=3  -  B guess #1 🎲  hunt 3 0 3
others_05    classic players=6 guess=points guess_right=3 guess_wrong_all=3  -  B guess #1 🎲, B guess #1 👀  hunt 3 3 3
others_13  classic sign_change=never  -  B guess #1 👀, B kems, A sign 🎲, C accept 🎲  over 1 0 signs=🎲
others_13    classic sign_change=never  -  B guess #1 👀, B kems, A sign 🎲, C sign 🎲, A sign 🎩 !not_allowed  over 1 0
others_13    classic sign_change=never   A=KKKK             B guess #1 👀, C kems, B sign 🎩 !not_allowed   kems 1 0
others_14    classic sign_change=always  -  A sign 🎲, C sign 🎲, A react 🎲, C sign 🎩, A sign 🎩  hunt 0 0 signs=🎩
others_14    classic sign_change=always  -  wait 5, A sweep, A sign 🎲, C sign 🎲               sweep 0 0 signs=🎲
others_15    linternaute sign_change=always  A=KKKK         C kems, A sign 🎲 !not_allowed          chain 0 0 signs=👀
others_16    classic counter_needs_sign=yes  A=KKKK         B counter A                             hunt 0 -1
others_16    classic counter_needs_sign=yes  A=KKKK         A react 🎲, B counter A                 hunt 0 -1
others_16    classic counter_needs_sign=yes  A=KKKK         A react 👀, B counter A                 counter 0 1
others_16    expert counter_needs_sign=yes  A=KKKK C=AAAA   A react 👀, B counter2 #1               over 2 0
others_16    expert counter_needs_sign=yes  A=KKKK C=AAAA   A react 👀, C react 👀, B counter2 #1    double_counter 0 2
others_17    classic players=8 deck=36  A=6666              E kems                                  kems 1 0 0 0
others_18    classic players=12 deck=52 team_size=4  A=KKKK  D kems                                 kems 1 0 0
others_19    classic deck=104  B=KKKK A=KKKK                C kems                                  kems 1 0
others_20  classic deck=104  A=789T B=7QKQ C=7KQK D=7JA9 pool=7AJJ  wait 4, A put 7S, A take 7S2, wait 1, B sweep  sweep
others_21  classic sign_change=once  A=KKKK  C kems, A sign 🎲, C accept 🎲  kems 1 0 signs=🎲
others_21    classic sign_change=once  A=KKKK               B counter A, A sign 👀 !sign_taken      counter 0 1 signs=👀
others_21    classic sign_change=once  A=KKKK              B counter A, B sign 🍀 !sign_taken      counter 0 1
others_21  classic sign_change=once  -  A kems, C sign 👀 !sign_taken           false_kems 0 1 signs=👀
others_22  classic sign_change=once  A=KKKK  C kems, A sign 👀 !sign_forbidden, B sign 🍀 !sign_taken  kems 1 0
others_23  classic counters=no  A=KKKK  B counter A !not_allowed, B counter #1 !not_allowed, C kems  kems 1 0
others_23  expert counters=no  A=KKKK C=AAAA  B counter #1 !not_allowed, C double  double 2 0
others_23  expert counters=no  A=KKKK C=AAAA  B counter2 #1 !not_allowed  hunt 0 0
others_24  classic kems_others=-1  -  A kems  false_kems 0 1
others_24  classic kems_others=-1 double_kems_others=3  A=KKKK  C kems  kems 1 -1
others_24  classic kems_others=-1 players=6  A=KKKK  D kems  kems 1 -1 -1
others_24  classic kems=0 kems_others=2 players=6  A=KKKK  D kems  kems 0 2 2
others_24  classic kems_others=1 double_kems_others=-2 players=6  A=KKKK D=AAAA  D double  double 2 -2 -2
others_24  linternaute kems_others=1 double_kems_others=-2  A=KKKK C=AAAA  C kems, A double  double 2 -2
others_24  linternaute kems_others=-3 double_kems_others=1  A=KKKK  C kems, wait 3  over 1 -3
others_24  expert kems_others=-1 double_kems_others=-1  A=KKKK C=AAAA  B counter2 #1  double_counter 0 2
others_25  classic sign_change=after_counter  -  B counter A, A sign 🎲, C sign 🎲  hunt 0 -1 signs=🎲
others_25  classic sign_change=after_counter  A=KKKK C=AAAA  B counter A, A sign 🎲, C sign 🎲  hunt 0 0 signs=🎲
others_25  classic sign_change=after_counter  -  A counter B, A sign 🎲, C sign 🎲  hunt -1 0 signs=🎲
others_25  expert sign_change=after_counter  -  B counter #1, A sign 🎲, C sign 🎲  over 1 0 signs=🎲
others_25  classic sign_change=after_counter players=6  -  B counter A, C sign 🎲 !not_allowed  hunt 0 -1 0
others_26  classic sign_change=after_counter  -  A sign 🎲 !not_allowed  hunt signs=👀
others_26  classic sign_change=after_counter  -  B kems, A sign 🎲, C sign 🎲  over 1 0 signs=🎲
others_26  classic sign_change=after_counter  -  B counter A, A sign 🎲, C sign 🎲, A sign 🎩 !not_allowed  hunt
others_26  classic sign_change=after_counter  -  B counter A, A keep, C sign 🎲 !not_allowed  hunt signs=👀
others_27  {kings}  A=KKKK  C kems  kems 2 0
others_27  {kings}  A=KKKK  B counter #1  counter 0 1
others_27  {kings}  -  B counter #1, A sign 🎲, C sign 🎲  hunt 0 -1 signs=🎲
others_27  {kings}  -  B kems  false_kems 0 -1
others_28  {kent}  A=KKKK  B counter #1 !not_allowed, C kems  kems 1 0
others_28  {kent}  -  B guess #1 👀, A sign 🎲, C sign 🎲  hunt 0 1 signs=🎲
others_28  {kent}  -  B guess #1 🎩, A sign 🎲 !not_allowed  hunt 0 -1
"""

EXCHANGES: Final = """
000_03    classic      stock=KKK7Q pool=89TJ   wait 5, A sweep, B yes, C yes, D yes          three_alike pool=KSKHKD7S
000_15    classic      A=789T pool=789T        A put 7S, A take 8H                           A=8H8S9STS pool=7H7S9HTH
000_17    classic      A=789T pool=789T        A take 7H !hand_full                          A=7S8S9STS
000_17    classic      A=789T pool=789T  A put 7S, A put 8S, A take 7H, A take 8H, A take 9H !hand_full  A=7H8H9STS
000_18    classic      A=789T B=JQKA pool=789T  A put 7S, B put JS, B take 7S, A take 7S !not_in_pool  pool=JS7H8H9HTH
000_18    classic      A=789T B=JQKA pool=789T  A put 7S, B put JS, B take 7S, A take JS      A=JS8S9STS pool=7H8H9HTH
000_19    classic      A=789T C=JQKA pool=789T  A put 7S, A take JS !not_in_pool              A=8S9STS
000_19    classic      A=789T C=JQKA pool=789T  A put 7S, A put JS !not_in_hand, A put 7S !not_in_hand  A=8S9STS
000_22    classic      A=789T pool=789T  A put 7S, wait 30, A sweep !exchange_pending, B sweep !exchange_pending  hunt
000_24    classic      stock=789TJ pool=789T   wait 5, B sweep, A yes, wait 7.999            sweep pool=7H8H9HTH
000_24    classic      stock=789TJ pool=789T   wait 5, B sweep, A yes, wait 8                hunt pool=7S8S9STS
000_26    classic      B=JQKA                  wait 5, B put JS, B put QS, B take QS, B take JS, A sweep  sweep
000_26    classic      B=JQKA                  wait 5, A sweep, B no, B put JS, B take JS, A sweep !must_exchange  hunt
000_27    classic      stock=789TJ pool=789T   wait 5, A sweep, B no, wait 19.999            hunt pool=7H8H9HTH
000_27    classic      stock=789TJ pool=789T   wait 5, A sweep, B no, wait 20                hunt pool=7S8S9STS
000_28  classic  C=JQKA stock=789TJ pool=789T  wait 5, A sweep, B no, wait 19, C put JS, wait 5  hunt pool=7H8H9HTHJS
000_28  classic  C=JQKA stock=789T  wait 5, A sweep, B no, wait 19, C put JS, wait 5, C take JS, wait 0  pool=7S8S9STS
000_29    classic      A=KKKK                  wait 5, D sweep, C kems !call_closed, C double !call_closed  sweep
000_29    classic      A=KKKK                  wait 5, D sweep, B no, C kems                 kems
000_30    classic      A=KKKK stock=789TJ      wait 5, D sweep, A yes, B yes, C kems !call_closed  sweep
000_30    classic      A=KKKK stock=789TJ      wait 5, D sweep, A yes, B yes, C yes, C kems  kems

000v_24   expert target=999 scores=500,400  A=KKKK                  C kems, - next  ready 501 400

001_06    escale opened=no  A=789T                  A put 7S !hunt_closed                         ready
001_06    escale opened=no  A=789T                  D open, A put 7S                              hunt A=8S9STS
001_07    escale       A=789T B=JQKA pool=789T  A put 7S, B put JS, B take 7H, A take 8H      pool=7SJS9HTH
001_09    escale       stock=789TJ pool=789T   A sweep !too_early                            hunt
001_09    escale       stock=789TJ pool=789T   wait 5, A sweep, B yes, C yes, D yes          hunt pool=7S8S9STS
001_10    escale       B=JQKA pool=789T        wait 5, A sweep, B no, A sweep !must_exchange  hunt
001_10    escale       B=JQKA pool=789T        wait 5, A sweep, B no, B put JS, B take 7S, wait 5, A sweep  sweep
001_11    escale       A=KKKK stock=789TJ      wait 5, B sweep, C kems !call_closed          sweep
001_11    escale       A=KKKK stock=789TJ      wait 5, B sweep, A yes, C yes, D yes, C kems  kems
001_12    escale       stock=789TJ pool=789T   wait 5, A sweep, B yes, C yes, D yes          pool=7S8S9STS discard=8H

002_07    linternaute opened=no  A=789T                  A put 7S !hunt_closed                         ready
002_07    linternaute opened=no  A=789T                  D open, A put 7S                              hunt A=8S9STS
002_08    linternaute  A=789T pool=789T        A take 7H !hand_full, A put 7S, A put 8S !take_first  A=8S9STS
002_08    linternaute  A=789T pool=789T        A put 7S, A take 7H, A take 8H !hand_full     A=7H8S9STS
002_09    linternaute  A=789T C=JQJQ           A put 7S, A take JS !not_in_pool              A=8S9STS
002_11    linternaute  -                       wait 5, A sweep, B no, wait 4.999, A sweep !too_early  hunt
002_11    linternaute  -                       wait 5, A sweep, B no, wait 5, A sweep        sweep
002_12    linternaute  A=K789 pool=KK78        A put KS, A take 7H                           hunt pool=KSKHKD8H
002_28    linternaute  A=789T                  wait 5, A put 7S, A take 7S, B sweep          sweep

003_08    bell         A=789T B=JQKA pool=789T  B put JS, A put 7S, A put 8S, A take JS, A take 7H  A=JS7H9STS
003_09    bell         stock=789TJ pool=789T   wait 5, A sweep, B no, C sweep !too_early, wait 5, C sweep  sweep
003_09    bell         stock=789TJ pool=789T   wait 5, A sweep, B yes, C yes, D yes          pool=7S8S9STS discard=8H

004_04    yokai        A=789T B=JQKA pool=789T  A put 7S, B put JS, A put 8S !take_first, B put QS !take_first  A=8S9STS
004_04    yokai        A=789T B=JQKA pool=789T  A put 7S, B put JS, A take JS, B take 7S      A=JS8S9STS B=7SQSKSAS
004_05    yokai        A=789T pool=789T        A take 7H !hand_full                          A=7S8S9STS
004_05    yokai        A=789T pool=789T        A put 7S, A take 7H, A take 8H !hand_full     A=7H8S9STS
004_06    yokai        stock=789TJ pool=789T   wait 5, A sweep, D no, A sweep !too_early, wait 5, A sweep  sweep
004_06    yokai        stock=789TJ pool=789T   wait 5, A sweep, B yes, C yes, D yes          pool=7S8S9STS discard=8H
004_07    yokai        A=K789 pool=KK78 stock=TJQA9  A put KS                                      pool=KSKHKD7H8H
004_07    yokai        A=K789 pool=KK78 stock=TJQA9  A put KS, A take 7H  hunt pool=TSJSQSAS discard=KSKHKD8H
004_08    yokai        A=K789 pool=KK78        A put KS, A take KH                           hunt pool=KSKD7H8H
004_09    yokai        pool=789T stock=KKK7TJQA9  wait 5, A sweep, B yes, C yes, D yes          hunt pool=THJSQSAS

american_03  american     A=789T pool=789T        A put 7S, A put 8S !take_first, A take 8H     A=8H8S9STS
american_04  american     A=K789 pool=KK78        A put KS, A take 7H                           hunt pool=KSKHKD8H
american_05  american     stock=789TJ pool=789T   wait 5, A sweep, B no, C sweep !too_early, wait 5, C sweep  sweep
american_05  american     stock=789TJ pool=789T   wait 5, A sweep, B yes, C yes, D yes          pool=7S8S9STS discard=8H

others_09    classic      A=789T                  wait 5, D sweep, A put 7S !sweep_running      sweep
others_10    classic stock_out=ends three_alike=allowed  stock=789  wait 5, A sweep, B yes, C yes, D yes  stock_out 0 0
others_10    classic stock_out=ends three_alike=allowed  stock=789T  wait 5, A sweep, B yes, C yes, D yes  hunt 0 0
others_10    classic three_alike=allowed  stock=789               wait 5, A sweep, B yes, C yes, D yes          hunt 0 0
others_11    classic stock_out=ends  stock=                  wait 5, A sweep, B no, wait 20                stock_out
others_11    yokai stock_out=ends  A=79TJ pool=7788 stock=  A put 7S, A take 8S                           stock_out
"""


SHEETS: Final = {
    "kings": "american kems=2 double_kems=2 false_counter_ends=no sign_change=after_counter",
    "kent": "american counters=no guess=points guess_right=1 guess_wrong_own=-1 sign_change=never"
    " false_kems_own=0 false_double_own=0 ends_at=rounds",
}
"""Whole sheets as `/kems start rules:` takes them: Kings on dealthecardsalready.com, Kent on lee.losanderson.com."""
FOUR_KEMS: Final = "A=KKKK B=TTTT C=AAAA D=9999"


class Line(NamedTuple):
    clause: str
    rules: str
    cards: str
    moves: str
    seen: str

    def name(self) -> str:
        sheet, number = self.clause.split("_")
        return f"{self.clause} {CLAUSES[sheet][int(number)]}"


LINES: Final = [Line(*re.split(r"\s{2,}", text)) for text in (CALLS + EXCHANGES).format(**SHEETS).splitlines() if text]


def in_codes(places: str) -> dict[str, str]:
    """The cards of each place of a line."""
    given, dealt = Counter[str](), {}
    for who, _, ranks in (word.partition("=") for word in places.replace("all", FOUR_KEMS).split() if word != "-"):
        found = []
        for rank in ranks:
            given[rank] += 1
            found.append(Card((RANKS + "X").index(rank), given[rank] - 1).code)
        dealt[who] = " ".join(found)
    return dealt


def table_of(line: Line) -> Table:
    preset, *words = line.rules.split()
    rules = dict(word.split("=") for word in words)
    players, scores = int(rules.pop("players", 4)), rules.pop("scores", "")
    places = in_codes(line.cards)
    pool, stock = places.pop("pool", ""), places.pop("stock", None)
    points = tuple(map(int, scores.split(","))) if scores else ()
    opened, strategies = rules.pop("opened", "yes") == "yes", rules.pop("strategies", "")
    setting = {"players": players, "scores": points, "opened": opened, "strategies": strategies}
    return Table(preset, hands=places, pool=pool, stock=stock, **setting, **rules)


@together("line", LINES)
def test_a_case_of_a_clause_plays_as_written(line: Line) -> None:
    table = table_of(line)
    for move in line.moves.split(", "):
        said, _, code = move.partition(" !")
        if code:
            table.refuses(code, said)
        elif said.startswith("wait "):
            table.wait(float(said.removeprefix("wait ")))
        else:
            table.do(said)
    check(table, line.seen.split())


def check(table: Table, seen: list[str]) -> None:
    points = [word for word in seen if word.removeprefix("-").isdigit()]
    places = dict(word.split("=") for word in seen if "=" in word)
    words = {word for word in seen if "=" not in word and word not in points}
    assert not points or table.scores == tuple(map(int, points))
    winner = "level" if table.state.winner is None else f"#{table.state.winner + 1}"
    assert words <= {table.phase, table.outcome, winner}
    assert table.phase != "match_over" or winner in words
    for who, joined in places.items():
        wanted = set(re.findall("..", joined))
        if who == "signs":
            assert {sign.text for sign in table.state.teams[0].plan.signs} == {joined}
        elif who == "discard":
            assert codes(table.state.discard) >= wanted
        else:
            assert (table.pool if who == "pool" else table.hand(who)) == wanted
